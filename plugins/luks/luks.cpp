// SPDX-License-Identifier: Apache-2.0
#include "luks/luks.hpp"

#include <fcntl.h>
#include <sys/random.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cowbench/block_device.hpp>
#include <cowbench/text.hpp>
#include <cstring>

#include "luks/command.hpp"

namespace cowbench::luks {
namespace {

using namespace device_mapper;

// What cryptsetup sets aside for a header by default.
constexpr std::uint64_t kHeaderBytes = std::uint64_t{16} << 20;

// A random key in a new file that only root can read.
void make_key_file(const std::string& path) {
  const auto fail = [&path](const char* what) {
    throw std::system_error(errno, std::generic_category(),
                            std::string(what) + " the key file " + path);
  };
  std::array<unsigned char, kKeyFileBytes> key{};
  if (getrandom(key.data(), key.size(), 0) !=
      static_cast<ssize_t>(key.size())) {
    fail("draw");
  }
  if (unlink(path.c_str()) < 0 && errno != ENOENT) fail("replace");
  const int fd =
      ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (fd < 0) fail("make");
  const bool written =
      write(fd, key.data(), key.size()) == static_cast<ssize_t>(key.size());
  ::close(fd);
  explicit_bzero(key.data(), key.size());
  if (!written) fail("write");
}

}  // namespace

std::string Luks::key_file() const {
  const std::string folder = host().memory_directory();
  return (folder.empty() ? "<memory>" : folder) + "/key";
}

std::string Luks::name(std::size_t index) const {
  return mapping_name(host(), index);
}

void Luks::check() {
  const MakeOptions options = make_options(host());
  if ((options.sector_bytes & (options.sector_bytes - 1)) != 0) {
    host().problem("sector_size: " + std::to_string(options.sector_bytes) +
                   " is not a power of two");
  }
  if (options.key_bits % 8 != 0) {
    host().problem("key_size: " + std::to_string(options.key_bits) +
                   " bits are no whole bytes");
  }
  for (const cowbench_device* device : host().devices()) {
    if (device->size_bytes > 2 * kHeaderBytes) continue;
    host().problem(std::string(device->path) + " has " +
                   std::to_string(device->size_bytes) +
                   " bytes; the header alone takes 16 MiB");
  }
}

void Luks::plan() {
  const MakeOptions options = make_options(host());
  std::uint32_t index = 0;
  for (const cowbench_device* device : host().devices()) {
    host().plan_command(format_command(options, key_file(), device->path));
    host().plan_command(
        open_command(options, key_file(), device->path, name(index)));
    host().add_output(path_of(name(index)), device->size_bytes - kHeaderBytes,
                      index);
    ++index;
  }
}

void Luks::versions() {
  host().version(
      "cryptsetup",
      parse_version(host().run_checked({"cryptsetup", "--version"})));
}

void Luks::assemble() {
  const MakeOptions options = make_options(host());
  make_key_file(key_file());
  Header header;
  std::uint32_t index = 0;
  for (const cowbench_device* device : host().devices()) {
    announce_mapping(host(), index);
    host().run_checked(format_command(options, key_file(), device->path));
    header = parse_header(host().run_checked(
        {"cryptsetup", "luksDump", "--dump-json-metadata", device->path}));
    require_as_asked(header, options);
    open(index);
    const std::string path = path_of(name(index));
    host().add_output(path, block_device_bytes(path), index);
    ++index;
  }
  report(header);
}

void Luks::open(std::size_t index) const {
  host().run_checked(open_command(make_options(host()), key_file(),
                                  host().devices().at(index)->path,
                                  name(index)));
  await_mapping(host(), name(index));
  require_mapping(index);
}

void Luks::require_mapping(std::size_t index) const {
  require_as_asked(read_target(host(), "table", name(index), "crypt"),
                   make_options(host()));
}

// All devices are made alike, and each was compared with what was asked for.
void Luks::report(const Header& header) const {
  const Target table = read_target(host(), "table", name(0), "crypt");
  const auto tell = [this](const char* key, const std::string& value) {
    host().effective(key, value);
  };
  tell("format", "luks2");
  tell("cipher", header.cipher);
  tell("key_size", std::to_string(header.key_bits));
  tell("sector_size", std::to_string(header.sector_bytes));
  tell("pbkdf", header.pbkdf);
  tell("pbkdf_iterations", std::to_string(header.iterations));
  tell("hash", header.hash);
  tell("data_offset", std::to_string(header.data_offset_bytes));
  tell("allow_discards", true_or_false(table.has("allow_discards")));
  tell("no_read_workqueue", true_or_false(table.has("no_read_workqueue")));
  tell("no_write_workqueue", true_or_false(table.has("no_write_workqueue")));
  tell("mappings", std::to_string(host().devices().size()));
}

void Luks::deactivate() {
  for (std::size_t i = host().devices().size(); i-- > 0;) {
    close_mapping(host(), close_command(name(i)), name(i));
  }
}

void Luks::activate() {
  for (std::size_t i = 0; i < host().devices().size(); ++i) open(i);
}

void Luks::verify() {
  for (std::size_t i = 0; i < host().devices().size(); ++i) {
    require_mapping(i);
  }
}

void Luks::disassemble() {
  remove_mappings(host(), close_command);
  unlink(key_file().c_str());
}

}  // namespace cowbench::luks
