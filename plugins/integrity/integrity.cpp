// SPDX-License-Identifier: Apache-2.0
#include "integrity/integrity.hpp"

#include <cowbench/block_device.hpp>

#include "integrity/initialise.hpp"

namespace cowbench::integrity {

using namespace device_mapper;

std::vector<std::string> Integrity::names() const {
  std::vector<std::string> all;
  for (std::size_t i = 0; i < host().devices().size(); ++i) {
    all.push_back(mapping_name(host(), i));
  }
  return all;
}

void Integrity::check() {
  const MakeOptions options = make_options(host());
  if ((options.sector_bytes & (options.sector_bytes - 1)) != 0) {
    host().problem("sector_size: " + std::to_string(options.sector_bytes) +
                   " is not a power of two");
  }
}

void Integrity::plan() {
  const MakeOptions options = make_options(host());
  std::uint32_t index = 0;
  for (const cowbench_device* device : host().devices()) {
    const std::string name = mapping_name(host(), index);
    host().plan_command(format_command(options, device->path));
    host().plan_command(first_open_command(options, device->path, name));
    // A little goes to checksums, journal and superblock.
    host().add_output(path_of(name),
                      device->size_bytes - device->size_bytes / 50, index);
    ++index;
  }
}

void Integrity::versions() {
  host().version(
      "integritysetup",
      parse_version(host().run_checked({"integritysetup", "--version"})));
}

void Integrity::run_open(const std::vector<std::string>& argv,
                         const std::string& name) const {
  host().run_checked(argv);
  await_mapping(host(), name);
}

void Integrity::assemble() {
  const MakeOptions options = make_options(host());
  const auto devices = host().devices();
  for (std::size_t i = 0; i < devices.size(); ++i) {
    const std::string name = mapping_name(host(), i);
    announce_mapping(host(), i);
    host().run_checked(format_command(options, devices[i]->path));
    run_open(first_open_command(options, devices[i]->path, name), name);
  }
  const std::uint64_t start = host().now_ns();
  initialise();
  const double spent = static_cast<double>(host().now_ns() - start) / 1e9;
  verify();
  report(spent);
  std::uint32_t index = 0;
  for (const std::string& name : names()) {
    host().add_output(path_of(name), block_device_bytes(path_of(name)),
                      index++);
  }
}

void Integrity::initialise() const {
  if (!make_options(host()).wipe) {
    await_recalculation(host(), names());
    return;
  }
  wipe(host(), names());
  close_all();
  const MakeOptions options = make_options(host());
  const auto devices = host().devices();
  for (std::size_t i = 0; i < devices.size(); ++i) {
    const std::string name = mapping_name(host(), i);
    run_open(open_command(options, devices[i]->path, name), name);
  }
}

// All devices are made alike, and each was compared with what was asked for.
void Integrity::report(double initialised_seconds) const {
  const MakeOptions options = make_options(host());
  const Superblock superblock = parse_superblock(host().run_checked(
      {"integritysetup", "dump", host().devices().at(0)->path}));
  const Target table =
      read_target(host(), "table", mapping_name(host(), 0), "integrity");
  const auto tell = [this](const char* key, const std::string& value) {
    host().effective(key, value);
  };
  tell("algorithm", table.option("internal_hash"));
  tell("tag_size", table.argument(2));
  tell("sector_size", std::to_string(superblock.sector_bytes));
  tell("mode", options.mode);
  for (const char* key : {"interleave_sectors", "journal_sectors",
                          "buffer_sectors", "journal_watermark", "commit_time",
                          "sectors_per_bit", "bitmap_flush_interval"}) {
    const std::string value = table.option(key);
    if (!value.empty()) tell(key, value);
  }
  tell("flags", superblock.flags);
  tell("initialise", std::string(options.wipe ? "wiped" : "recalculated") +
                         " in " + std::to_string(initialised_seconds) + " s");
  tell("mappings", std::to_string(host().devices().size()));
}

void Integrity::close_all() const {
  const std::vector<std::string> all = names();
  for (auto name = all.rbegin(); name != all.rend(); ++name) {
    close_mapping(host(), close_command(*name), *name);
  }
}

void Integrity::deactivate() { close_all(); }

void Integrity::activate() {
  const MakeOptions options = make_options(host());
  const auto devices = host().devices();
  for (std::size_t i = 0; i < devices.size(); ++i) {
    const std::string name = mapping_name(host(), i);
    run_open(open_command(options, devices[i]->path, name), name);
  }
  verify();
}

void Integrity::verify() {
  const MakeOptions options = make_options(host());
  std::size_t index = 0;
  for (const cowbench_device* device : host().devices()) {
    require_as_asked(parse_superblock(host().run_checked(
                         {"integritysetup", "dump", device->path})),
                     options);
    require_as_asked(read_target(host(), "table", mapping_name(host(), index++),
                                 "integrity"),
                     options);
  }
}

void Integrity::disassemble() { remove_mappings(host(), close_command); }

}  // namespace cowbench::integrity
