// SPDX-License-Identifier: Apache-2.0
#include "mdraid/mdraid.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cowbench/block_device.hpp>
#include <cowbench/mounted.hpp>
#include <set>

#include "mdraid/level.hpp"
#include "mdraid/resync.hpp"

namespace cowbench::mdraid {
namespace {

constexpr std::uint64_t kSettleNs = 20'000'000'000;

bool there(const std::string& path) { return access(path.c_str(), F_OK) == 0; }

// Where the level's parity or copies of zeros are zeros again, members that
// read as zeros agree.
std::string sync_in_words(const MakeOptions& options, bool clean,
                          std::uint64_t resync_ns) {
  if (options.consistency_policy == "none") return "none: no redundancy";
  if (options.initial_sync == "write-zeroes") {
    return "members zeroed by mdadm, then assumed clean";
  }
  if (clean) return "assumed clean: every member is known to read as zeros";
  return "resynced in " + std::to_string(resync_ns / 1'000'000'000) + "." +
         std::to_string(resync_ns / 100'000'000 % 10) + " s";
}

}  // namespace

Mdraid::Mdraid(Host host) : Layer(host), names_(names_of(host.object_name())) {}

std::vector<std::string> Mdraid::devices() const {
  std::vector<std::string> paths;
  for (const cowbench_device* device : host().devices()) {
    paths.emplace_back(device->path);
  }
  return paths;
}

std::vector<std::string> Mdraid::device_names() const {
  std::vector<std::string> all;
  for (const std::string& path : devices()) all.push_back(kernel_name(path));
  return all;
}

bool Mdraid::known_clean() const {
  if (host().text("initial_sync") != "auto") return false;
  for (const cowbench_device* device : host().devices()) {
    if (device->known_blank == 0) return false;
  }
  return true;
}

void Mdraid::check() {
  const MakeOptions options = make_options(host());
  const Level* const level = find_level(options.level);
  if (level == nullptr) {
    host().problem("level: no level " + options.level);
    return;
  }
  const std::size_t count = host().devices().size();
  if (count < level->minimum_devices) {
    host().problem("level: " + options.level + " needs at least " +
                   std::to_string(level->minimum_devices) +
                   " devices, there are " + std::to_string(count));
  }
  if (!options.layout.empty() && level->default_layout == nullptr) {
    host().problem("layout: " + options.level + " has none to choose");
  }
  if ((options.chunk_bytes & (options.chunk_bytes - 1)) != 0) {
    host().problem("chunk: " + std::to_string(options.chunk_bytes) +
                   " is not a power of two");
  }
  if (options.level == "raid10" && copies_of(options.layout) > count) {
    host().problem("layout: " + options.layout +
                   " keeps more copies than the " + std::to_string(count) +
                   " devices can hold");
  }
  const std::string& policy = options.consistency_policy;
  if (!level->redundant && (options.bitmap != "none" || policy != "none")) {
    host().problem("bitmap, consistency_policy: " + options.level +
                   " has no redundancy to keep consistent");
  } else if ((options.bitmap == "internal") != (policy == "bitmap")) {
    host().problem("consistency_policy: " + policy +
                   " does not go with bitmap " + options.bitmap);
  }
  if (policy == "ppl" && options.level != "raid5") {
    host().problem("consistency_policy: ppl is for raid5 only");
  }
}

void Mdraid::plan() {
  const MakeOptions options = make_options(host());
  host().plan_command(create_command(options, names_, configuration(),
                                     known_clean(), devices()));
  std::uint64_t smallest = UINT64_MAX;
  for (const cowbench_device* device : host().devices()) {
    smallest = std::min(smallest, device->size_bytes);
  }
  host().add_output(names_.device,
                    capacity(*find_level(options.level), options.layout,
                             host().devices().size(), smallest));
}

void Mdraid::versions() {
  // It writes to standard error only.
  host().version("mdadm",
                 parse_version(host().run({"mdadm", "--version"}).err));
}

std::string Mdraid::configuration() const {
  const std::string folder = host().memory_directory();
  return (folder.empty() ? "<memory>" : folder) + "/mdadm.conf";
}

void Mdraid::write_configuration() const {
  std::ofstream file(configuration());
  file << kConfiguration << std::flush;
  if (!file) {
    throw Error(COWBENCH_TOOL_FAILED,
                "write " + configuration() + ": the file system refuses");
  }
}

void Mdraid::require_module() const {
  const std::string level = host().text("level");
  const std::string name = find_level(level)->module;
  if (there("/sys/module/" + name)) return;
  const CommandResult loaded = host().run({"modprobe", name});
  if (loaded.succeeded()) return;
  throw Error(COWBENCH_NOT_AVAILABLE, "level " + level +
                                          ": the kernel has no module " + name +
                                          ": " + loaded.err);
}

// Two entries, as somebody else may start the array on its members by another
// name: udev does when they appear.
void Mdraid::enter_in_ledger() const {
  const std::uint64_t by_uuid = host().ledger_add(
      "array", names_.uuid,
      {"grep", "-rqs", "--include=uuid", uuid_of_kernel(names_.uuid),
       "/sys/devices/virtual/block"},
      stop_command("/dev/disk/by-id/md-uuid-" + names_.uuid));
  host().set_state("ticket_uuid", std::to_string(by_uuid));
  const std::uint64_t by_name =
      host().ledger_add("array", names_.kernel, {"test", "-e", sysfs()},
                        stop_command(names_.device));
  host().set_state("ticket_name", std::to_string(by_name));
}

void Mdraid::strike_from_ledger() const {
  for (const char* key : {"ticket_name", "ticket_uuid"}) {
    const std::string ticket = host().state(key);
    if (ticket.empty()) continue;
    host().ledger_strike(std::stoull(ticket));
    host().set_state(key, "");
  }
}

bool Mdraid::exists() const { return there(sysfs()); }

void Mdraid::await_device() const {
  const auto ready = [this] { return is_block_device(names_.device); };
  if (wait_until(host(), kSettleNs, ready)) return;
  throw Error(COWBENCH_TOOL_FAILED,
              "mdadm says that it made the array, but there is no device " +
                  names_.device);
}

void Mdraid::assemble() {
  if (exists()) {
    throw Error(COWBENCH_TOOL_FAILED,
                names_.device +
                    " is there already, and is not this job's; stop it with "
                    "mdadm --stop if nobody needs it");
  }
  require_module();
  write_configuration();
  enter_in_ledger();
  host().run_checked(create_command(make_options(host()), names_,
                                    configuration(), known_clean(), devices()));
  await_device();
  const std::uint64_t resync_ns = await_sync(host(), sysfs() + "/md");
  read_back(resync_ns);
  host().add_output(names_.device, block_device_bytes(names_.device));
}

ArrayFacts Mdraid::require_as_made() const {
  ArrayFacts facts = read_array(sysfs() + "/md");
  require_healthy(facts);
  require_as_asked(
      facts,
      host().run_checked({"mdadm", "--detail", "--config=none", names_.device}),
      make_options(host()), names_, device_names());
  return facts;
}

void Mdraid::read_back(std::uint64_t resync_ns) const {
  const MakeOptions options = make_options(host());
  const ArrayFacts facts = require_as_made();
  const std::string examined = host().run_checked(
      {"mdadm", "--examine", "--config=none", devices().at(0)});
  const auto tell = [this](const char* key, const std::string& value) {
    host().effective(key, value);
  };
  tell("uuid", names_.uuid);
  tell("level", facts.level);
  tell("raid_devices", std::to_string(facts.raid_devices));
  tell("chunk",
       facts.chunk_bytes == 0 ? "none" : std::to_string(facts.chunk_bytes));
  tell("layout",
       options.layout.empty() ? "none" : layout_in_words(options.layout));
  tell("metadata", facts.metadata);
  tell("bitmap", facts.bitmap_location == "none" ? "none" : "internal");
  tell("bitmap_chunk", facts.bitmap_location == "none"
                           ? "none"
                           : std::to_string(facts.bitmap_chunk_bytes));
  tell("consistency_policy", facts.consistency_policy);
  tell("initial_sync", sync_in_words(options, known_clean(), resync_ns));
  tell("member_bytes", std::to_string(facts.component_bytes));
  tell("data_offset", label(examined, "Data Offset"));
  report_limits();
}

// What the kernel chooses by itself, and what the layers above align to.
void Mdraid::report_limits() const {
  for (const char* key : {"md/stripe_cache_size", "md/group_thread_cnt",
                          "queue/minimum_io_size", "queue/optimal_io_size"}) {
    const std::string value = read_attribute(sysfs() + "/" + key);
    const std::string path = key;
    if (value.empty()) continue;
    host().effective(path.substr(path.find('/') + 1), value);
  }
}

// Kernel names of the arrays that have one of our devices.
std::vector<std::string> Mdraid::arrays_on_devices() const {
  std::set<std::string> arrays;
  for (const std::string& device : devices()) {
    if (!is_block_device(device)) continue;
    for (const std::string& holder : holders_of_device(device)) {
      if (there("/sys/block/" + holder + "/md")) arrays.insert(holder);
    }
  }
  return {arrays.begin(), arrays.end()};
}

bool Mdraid::is_ours(const std::string& array) const {
  if (array == names_.kernel) return true;
  const CommandResult detail = host().run(
      {"mdadm", "--detail", "--export", "--config=none", "/dev/" + array});
  return exported(detail.out, "MD_UUID") == names_.uuid;
}

// A device that udev looks at is busy for moments, so it may take attempts.
void Mdraid::stop(const std::string& array) const {
  const auto gone = [&array] { return !there("/sys/block/" + array); };
  run_until(host(), stop_command("/dev/" + array), kSettleNs, gone);
}

// Our array under another name: udev starts it member by member as they
// appear, and when they are not all there yet it is not even up.
void Mdraid::stop_takeovers() const {
  for (const std::string& array : arrays_on_devices()) {
    if (array == names_.kernel) continue;
    if (!is_ours(array)) {
      throw Error(COWBENCH_TOOL_FAILED,
                  "array " + array + " holds devices of " + names_.device +
                      " and is not this job's; it is left alone");
    }
    host().warn("the array was started behind our back as " + array +
                "; it is stopped, to start it by its own name");
    stop(array);
  }
}

void Mdraid::deactivate() {
  if (exists()) stop(names_.kernel);
}

void Mdraid::activate() {
  write_configuration();
  std::string said;
  const auto start = [&] {
    stop_takeovers();
    if (!exists()) {
      const CommandResult result =
          host().run(assemble_command(names_, configuration(), devices()));
      said = result.err;
    }
    if (!exists()) return false;
    try {
      require_healthy(read_array(sysfs() + "/md"));
      return is_block_device(names_.device);
    } catch (const Error& error) {
      // Part of the members was in other hands at that moment.
      said += error.what();
      stop(names_.kernel);
      return false;
    }
  };
  if (!wait_until(host(), kSettleNs, start)) {
    throw Error(COWBENCH_TOOL_FAILED,
                "start " + names_.device + " again: " + said);
  }
  verify();
}

void Mdraid::verify() { require_as_made(); }

std::string Mdraid::superblock_uuid(const std::string& device) const {
  const CommandResult found =
      host().run({"mdadm", "--examine", "--export", "--config=none", device});
  return exported(found.out, "MD_UUID");
}

void Mdraid::disassemble() {
  // One of that name which was there before us is not ours.
  const bool ours = !host().state("ticket_name").empty();
  if (ours && exists()) stop(names_.kernel);
  stop_takeovers();
  for (const std::string& device : devices()) {
    if (!is_block_device(device)) continue;
    const auto gone = [&] { return superblock_uuid(device) != names_.uuid; };
    run_until(host(), zero_command(device), kSettleNs, gone);
  }
  strike_from_ledger();
}

}  // namespace cowbench::mdraid
