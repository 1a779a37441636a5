// SPDX-License-Identifier: Apache-2.0
#include "zfs/pool.hpp"

#include <unistd.h>

#include <chrono>
#include <cowbench/mounted.hpp>
#include <sstream>
#include <thread>

#include "zfs/key.hpp"
#include "zfs/labels.hpp"

namespace cowbench::zfs {
namespace {

// udev and the page cache let go of devices within milliseconds; a busy
// machine takes longer.
constexpr std::uint64_t kBusyLimitNs = 30'000'000'000;
constexpr auto kPause = std::chrono::milliseconds(200);

bool exists(const std::string& path) { return access(path.c_str(), F_OK) == 0; }

std::string last_words(const CommandResult& result) {
  const std::string& text = result.err.empty() ? result.out : result.err;
  const std::size_t end = text.find_last_not_of(" \n");
  return end == std::string::npos ? "without a word" : text.substr(0, end + 1);
}

void append_properties(std::vector<std::string>& argv, const char* flag,
                       const std::vector<std::string>& properties) {
  for (const std::string& property : properties) {
    argv.emplace_back(flag);
    argv.push_back(property);
  }
}

}  // namespace

std::vector<std::string> Pool::devices() const {
  std::vector<std::string> paths;
  for (const cowbench_device* device : host_.devices()) {
    paths.emplace_back(device->path);
  }
  return paths;
}

std::string Pool::key_path() const {
  const std::string folder = host_.memory_directory();
  return (folder.empty() ? "<memory>" : folder) + "/zfs-key";
}

// Set on the dataset: the pool's own stays as zfs makes it.
std::vector<std::string> Pool::own_properties() const {
  std::vector<std::string> properties = {
      "compression=" + host_.text("compression"),
      "checksum=" + host_.text("checksum"), "sync=" + host_.text("sync")};
  for (const std::string& more : host_.text_list("dataset_properties")) {
    properties.push_back(more);
  }
  return properties;
}

std::vector<std::string> Pool::key_properties() const {
  if (!encrypted()) return {"encryption=off"};
  return {"encryption=" + host_.text("encryption"), "keyformat=raw",
          "keylocation=file://" + key_path()};
}

std::vector<std::string> Pool::create_command() const {
  const Layout layout = make_layout(host_);
  std::vector<std::string> argv = {"zpool", "create"};
  if (needs_force(host_, layout)) argv.emplace_back("-f");
  // Not in the machine's cache file, or the next boot would look for it.
  append_properties(argv, "-o",
                    {"ashift=" + host_.text("ashift"),
                     "autotrim=" + host_.text("autotrim"), "cachefile=none"});
  append_properties(argv, "-o", host_.text_list("pool_properties"));
  append_properties(argv, "-O", {"mountpoint=none", "canmount=off"});
  argv.push_back(name());
  for (std::string& word : create_arguments(layout)) {
    argv.push_back(std::move(word));
  }
  return argv;
}

std::vector<std::string> Pool::dataset_command(
    const std::vector<std::string>& arguments,
    const std::vector<std::string>& properties) const {
  std::vector<std::string> argv = {"zfs", "create"};
  argv.insert(argv.end(), arguments.begin(), arguments.end());
  append_properties(argv, "-o", properties);
  append_properties(argv, "-o", own_properties());
  append_properties(argv, "-o", key_properties());
  argv.push_back(dataset());
  return argv;
}

bool Pool::imported() const {
  return host_.run({"zpool", "list", "-H", "-o", "name", name()}).succeeded();
}

void Pool::refuse_name_in_use() const {
  if (!imported()) return;
  throw Error(COWBENCH_TOOL_FAILED,
              "make the pool " + name() +
                  ": the machine has a pool of that name already, which this "
                  "job did not make, so it is left alone; look at it with "
                  "\"zpool status " +
                  name() + "\", export or destroy it, and run again");
}

// zpool looks for labels too, but is content when those at the start are gone;
// those at the end would come back with the next import.
void Pool::refuse_old_labels() const {
  for (const std::string& device : devices()) {
    const std::vector<std::uint64_t> offsets = find_labels(device);
    if (offsets.empty()) continue;
    std::string places;
    for (const std::uint64_t offset : offsets) {
      places += (places.empty() ? "" : ", ") + std::to_string(offset);
    }
    throw Error(COWBENCH_TOOL_FAILED,
                "make a pool on " + device +
                    ": it carries labels of an earlier pool, at bytes " +
                    places + "; if that may go: zpool labelclear -f " + device);
  }
}

// Labels before the pool, so that the pool is destroyed first; they outlive
// it, and tell which pool they are of. A device has them itself, or its first
// partition when zpool makes one.
void Pool::enter_in_ledger() const {
  std::string tickets;
  const auto enter = [&](const std::string& kind, const std::string& identity,
                         const std::vector<std::string>& there,
                         const std::vector<std::string>& undo) {
    const std::uint64_t ticket = host_.ledger_add(kind, identity, there, undo);
    tickets += (tickets.empty() ? "" : " ") + std::to_string(ticket);
    host_.set_state("tickets", tickets);
  };
  for (const std::string& device : devices()) {
    for (const std::string& leaf : {device, first_partition(device)}) {
      enter("label", name() + " on " + leaf,
            {"blkid", "-c", "/dev/null", "-t", "LABEL=" + name(), leaf},
            {"zpool", "labelclear", "-f", leaf});
    }
  }
  enter("pool", name(), {"zpool", "list", "-H", "-o", "name", name()},
        {"zpool", "destroy", "-f", name()});
}

void Pool::strike_from_ledger() const {
  std::istringstream tickets(host_.state("tickets"));
  for (std::uint64_t ticket = 0; tickets >> ticket;) {
    host_.ledger_strike(ticket);
  }
  host_.set_state("tickets", "");
}

void Pool::create() const {
  if (!exists("/sys/module/zfs")) host_.run_checked({"modprobe", "zfs"});
  refuse_name_in_use();
  refuse_old_labels();
  enter_in_ledger();
  host_.set_state("pool", name());
  host_.run_checked(create_command());
  read_back();
}

void Pool::create_dataset(const std::vector<std::string>& arguments,
                          const std::vector<std::string>& properties) const {
  if (encrypted()) make_key_file(key_path());
  host_.run_checked(dataset_command(arguments, properties));
  read_back_dataset(properties);
}

// What a command prints as its only line.
std::string Pool::only_line_of(const std::vector<std::string>& command) const {
  const std::string line = host_.run_checked(command);
  return line.substr(0, line.find('\n'));
}

void Pool::verify() const {
  require_effective(
      "pool guid", host_.state("guid"),
      only_line_of({"zpool", "get", "-Hp", "-o", "value", "guid", name()}));
  require_effective(
      "dataset guid", host_.state("dataset_guid"),
      only_line_of({"zfs", "get", "-Hp", "-o", "value", "guid", dataset()}));
}

void Pool::until_gone(const std::vector<std::string>& command) const {
  const std::uint64_t begin = host_.now_ns();
  for (;;) {
    const CommandResult result = host_.run(command);
    if (!imported()) return;
    if (host_.now_ns() - begin > kBusyLimitNs) {
      throw Error(COWBENCH_TOOL_FAILED, "\"" + command[0] + " " + command[1] +
                                            "\" does not get rid "
                                            "of pool " +
                                            name() + ": " + last_words(result));
    }
    std::this_thread::sleep_for(kPause);
  }
}

void Pool::stop() const {
  if (imported()) until_gone({"zpool", "export", name()});
}

void Pool::start() const {
  std::vector<std::string> argv = {"zpool", "import", "-N", "-o",
                                   "cachefile=none"};
  std::istringstream leaves(host_.state("leaves"));
  for (std::string leaf; std::getline(leaves, leaf);) {
    // A lost one is named by zpool status afterwards.
    if (!exists(leaf)) continue;
    argv.emplace_back("-d");
    argv.push_back(leaf);
  }
  argv.push_back(host_.state("guid"));
  host_.run_checked(argv);
  if (encrypted()) load_key();
}

void Pool::load_key() const {
  const CommandResult result = host_.run({"zfs", "load-key", dataset()});
  if (!result.succeeded()) {
    throw Error(COWBENCH_TOOL_FAILED, "load the key of " + dataset() +
                                          " from " + key_path() + ": " +
                                          last_words(result));
  }
  require_effective("keystatus", "available",
                    property(dataset_properties(), "keystatus"));
}

// A pool of our name that is not the one we made stays. Without a guid in the
// state the making itself was cut off, and nobody else has the name.
void Pool::refuse_stranger() const {
  const std::string guid = host_.state("guid");
  if (guid.empty()) return;
  require_effective(
      "guid of pool " + name(), guid,
      only_line_of({"zpool", "get", "-Hp", "-o", "value", "guid", name()}));
}

void Pool::remove() const {
  if (host_.state("pool").empty()) return;
  if (imported()) {
    refuse_stranger();
    until_gone({"zpool", "destroy", "-f", name()});
  }
  clear_labels();
  strike_from_ledger();
  host_.set_state("pool", "");
}

// All devices, also when one of them fails.
void Pool::clear_labels() const {
  std::string faults;
  for (const std::string& device : devices()) {
    try {
      // One that was pulled out carries nothing here.
      if (exists(device)) clear_labels_of(device);
    } catch (const std::exception& error) {
      faults += (faults.empty() ? "" : "; ") + std::string(error.what());
    }
  }
  if (!faults.empty()) throw Error(COWBENCH_TOOL_FAILED, faults);
}

void Pool::clear_labels_of(const std::string& device) const {
  const std::string partition = first_partition(device);
  const bool partitioned = exists(partition);
  const std::string& leaf = partitioned ? partition : device;
  if (!find_labels(leaf).empty()) {
    host_.run_checked({"zpool", "labelclear", "-f", leaf});
  }
  // zpool made the table: the core gives out no device that has one.
  if (partitioned) host_.run_checked({"wipefs", "--all", "--quiet", device});
  for (const std::string& path : {leaf, device}) {
    if (!exists(path) || find_labels(path).empty()) continue;
    throw Error(COWBENCH_TOOL_FAILED,
                path + " still carries labels after zpool labelclear");
  }
}

Properties Pool::pool_properties() const {
  return parse_properties(host_.run_checked(
      {"zpool", "get", "-Hp", "-o", "property,value", "all", name()}));
}

Properties Pool::dataset_properties() const {
  return parse_properties(host_.run_checked(
      {"zfs", "get", "-Hp", "-o", "property,value", "all", dataset()}));
}

std::vector<VdevSpace> Pool::space() const {
  return parse_space(host_.run_checked({"zpool", "list", "-Hpv", name()}));
}

}  // namespace cowbench::zfs
