// SPDX-License-Identifier: Apache-2.0
#include "lvm/group.hpp"

#include <unistd.h>

#include <chrono>
#include <random>
#include <sstream>
#include <thread>

#include "lvm/mapping.hpp"
#include "lvm/support.hpp"

namespace cowbench::lvm {
namespace {

using std::chrono::milliseconds;

constexpr int kPatience = 20;
constexpr milliseconds kBetweenTries{500};

// A physical volume's UUID in LVM's alphabet and grouping. The plugin chooses
// it, so that the ledger can tell the job's own physical volumes before they
// exist.
std::string new_uuid() {
  static const char kAlphabet[] =
      "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  std::random_device random;
  std::uniform_int_distribution<std::size_t> letter(0, sizeof kAlphabet - 2);
  std::string uuid;
  for (const int length : {6, 4, 4, 4, 4, 4, 6}) {
    if (!uuid.empty()) uuid += '-';
    for (int i = 0; i < length; ++i) uuid += kAlphabet[letter(random)];
  }
  return uuid;
}

// Its last lines, without what LVM says about having no place for backups.
std::string telling_part(const std::string& text) {
  std::istringstream lines(text);
  std::string kept;
  for (std::string line; std::getline(lines, line);) {
    if (line.find("backed up") != std::string::npos) continue;
    kept += (kept.empty() ? "" : "\n") + line;
  }
  return kept.size() <= 1000 ? kept : kept.substr(kept.size() - 1000);
}

// For messages: without what is the same in every command; the trace has it
// all.
std::string line_of(const Argv& argv) {
  std::string line;
  for (std::size_t i = 0; i < argv.size(); ++i) {
    if (argv[i] == "env" || argv[i] == "LVM_SYSTEM_DIR=") continue;
    if (argv[i] == "--config" || argv[i] == "--devices") {
      ++i;
      continue;
    }
    line += (line.empty() ? "" : " ") + argv[i];
  }
  return line;
}

std::string key(const char* what, std::size_t index) {
  return std::string(what) + "." + std::to_string(index);
}

}  // namespace

std::string Group::run(const Argv& argv) const {
  const CommandResult result = host_.run(argv);
  if (result.succeeded()) return result.out;
  const std::string said =
      telling_part(result.err.empty() ? result.out : result.err);
  throw Error(result.stopped ? COWBENCH_CANCELLED : COWBENCH_TOOL_FAILED,
              "\"" + line_of(argv) + "\" failed: " + said);
}

void Group::run_patiently(const Argv& argv) const {
  for (int attempt = 1;; ++attempt) {
    try {
      run(argv);
      return;
    } catch (const Error& error) {
      if (attempt == kPatience || error.status() == COWBENCH_CANCELLED) throw;
    }
    std::this_thread::sleep_for(kBetweenTries);
  }
}

std::vector<std::string> Group::mappings() const {
  return mappings_of(host_.run_checked({"dmsetup", "ls"}), name_);
}

std::vector<Row> Group::device_rows() const {
  return parse_report(run(commands_.report_devices()), "pv");
}

std::vector<Row> Group::volumes() const {
  std::vector<Row> rows = parse_report(run(commands_.report_volumes()), "lv");
  if (!rows.empty()) return rows;
  throw Error(COWBENCH_TOOL_FAILED, "volume group " + name_ + " is empty");
}

std::string Group::tables() const {
  return host_.run_checked({"dmsetup", "table"});
}

void Group::require_support() const { lvm::require_support(host_, settings_); }

void Group::refuse_conflicts() const {
  std::string reasons;
  const auto add = [&reasons](const std::string& reason) {
    reasons += (reasons.empty() ? "" : "; ") + reason;
  };
  for (const Row& row : device_rows()) {
    if (row.text("pv_uuid").empty()) continue;
    const std::string& group = row.text("vg_name");
    add(row.text("pv_name") + " already is an LVM physical volume (uuid " +
        row.text("pv_uuid") +
        (group.empty() ? "" : ", of group \"" + group + "\"") +
        (row.text("pv_duplicate").empty() ? "" : ", on several devices") + ")");
  }
  if (!mappings().empty() || access(("/dev/" + name_).c_str(), F_OK) == 0) {
    add("a volume group \"" + name_ + "\" is active on this machine");
  }
  if (reasons.empty()) return;
  throw Error(COWBENCH_BAD_CONFIG,
              "make volume group " + name_ + ": " + reasons +
                  "; nothing was changed; give other devices, or remove what "
                  "is there if nobody needs it");
}

double Group::make() const {
  make_devices();
  make_group();
  const DeviceExtents devices = device_extents();
  const Extents sizes = share_out(settings_, devices.data, devices.cache);
  run(commands_.make_base(sizes.volume));
  // Before anything stands on it: LVM returns when an array's first
  // synchronisation has only begun.
  double waited = wait_until_ready();
  for (const Argv& argv : commands_.make_upper(sizes)) run(argv);
  waited += wait_until_ready();
  if (settings_.sized_by_pool()) size_vdo_volume();
  return waited;
}

void Group::make_devices() const {
  const std::vector<std::string> devices = settings_.devices();
  for (std::size_t i = 0; i < devices.size(); ++i) {
    const std::string uuid = new_uuid();
    host_.set_state(key("pv_uuid", i).c_str(), uuid);
    const std::uint64_t ticket =
        host_.ledger_add("lvm-physical-volume", devices[i] + " " + uuid,
                         {"blkid", "--cache-file", "/dev/null", "--match-token",
                          "UUID=" + uuid, devices[i]},
                         commands_.remove_device(devices[i]));
    host_.set_state(key("ticket", i).c_str(), std::to_string(ticket));
    run(commands_.make_device(devices[i], uuid));
  }
}

void Group::make_group() const {
  const std::uint64_t ticket =
      host_.ledger_add("lvm-volume-group", name_, commands_.find_group(),
                       commands_.remove_group());
  host_.set_state("ticket.group", std::to_string(ticket));
  run(commands_.make_group());
}

// By uuid: LVM may prefer another of a device's names to the one given.
DeviceExtents Group::device_extents() const {
  const std::vector<Row> rows = device_rows();
  std::vector<std::uint64_t> counts;
  for (std::size_t i = 0; i < settings_.devices().size(); ++i) {
    counts.push_back(
        row_of(rows, "pv_uuid", host_.state(key("pv_uuid", i).c_str()))
            .number("pv_pe_count"));
  }
  const auto cache = counts.begin() +
                     static_cast<std::ptrdiff_t>(settings_.data_devices.size());
  return {{counts.begin(), cache}, {cache, counts.end()}};
}

std::vector<Target> Group::status() const {
  return parse_targets(host_.run_checked({"dmsetup", "status", "--noflush"}),
                       name_);
}

// Whether nothing is left to the background; adds up how far it has come.
bool Group::ready(Progress& total) const {
  for (const Target& target : status()) {
    Progress one;
    if (target.type == "raid" && settings_.redundant()) {
      one = raid_sync(target);
    } else if (target.type == "integrity") {
      one = integrity_init(target);
    } else if (target.type == "vdo") {
      one.idle = vdo_status(target).index != "opening";
    }
    total.done += one.done;
    total.all += one.all;
    total.idle = total.idle && one.complete();
  }
  return total.complete();
}

double Group::wait_until_ready() const {
  const std::uint64_t start = host_.now_ns();
  for (Progress total; !ready(total); total = {}) {
    host_.throw_if_stopped();
    host_.progress(total.all == 0 ? 0
                                  : static_cast<double>(total.done) /
                                        static_cast<double>(total.all),
                   "first synchronisation of " + name_);
    std::this_thread::sleep_for(milliseconds(200));
  }
  return static_cast<double>(host_.now_ns() - start) / 1e9;
}

void Group::size_vdo_volume() const {
  for (const Target& target : status()) {
    if (target.type != "vdo") continue;
    const VdoStatus pool = vdo_status(target);
    run(commands_.grow_volume(std::to_string(
        vdo_extents(settings_, pool.total_blocks - pool.used_blocks))));
  }
}

void Group::activate() const {
  run_patiently(commands_.activate());
  wait_until_ready();
}

void Group::deactivate() const {
  run_patiently(commands_.deactivate());
  const std::vector<std::string> left = mappings();
  if (left.empty()) return;
  throw Error(COWBENCH_TOOL_FAILED, "deactivate volume group " + name_ +
                                        ": vgchange says it did, but " +
                                        left.front() + " is still mapped");
}

void Group::remove() const {
  bool there = false;
  for (const Row& row : device_rows()) {
    there = there || row.text("vg_name") == name_;
  }
  if (there) run_patiently(commands_.remove_group());
  remove_mappings();
  strike("ticket.group");
  remove_devices();
}

// What a command that was killed in the middle of its work may leave: mappings
// that no metadata speak of.
void Group::remove_mappings() const {
  // Each stands on others; the topmost go first, in a few rounds.
  std::vector<std::string> left = mappings();
  for (int round = 0; !left.empty() && round < kPatience; ++round) {
    for (const std::string& name : left) {
      host_.run({"dmsetup", "remove", "--retry", name});
    }
    left = mappings();
  }
  if (left.empty()) return;
  throw Error(COWBENCH_TOOL_FAILED, "remove volume group " + name_ +
                                        ": mapping " + left.front() +
                                        " is in use and stays; see dmsetup "
                                        "info " +
                                        left.front());
}

void Group::remove_devices() const {
  const std::vector<std::string> devices = settings_.devices();
  const auto ours = [this](const std::vector<Row>& rows, std::size_t index) {
    const std::string uuid = host_.state(key("pv_uuid", index).c_str());
    for (const Row& row : rows) {
      if (!uuid.empty() && row.text("pv_uuid") == uuid) return true;
    }
    return false;
  };
  const std::vector<Row> before = device_rows();
  for (std::size_t i = 0; i < devices.size(); ++i) {
    if (ours(before, i)) run_patiently(commands_.remove_device(devices[i]));
  }
  const std::vector<Row> after = device_rows();
  for (std::size_t i = 0; i < devices.size(); ++i) {
    if (ours(after, i)) {
      throw Error(COWBENCH_TOOL_FAILED,
                  "remove the physical volume on " + devices[i] +
                      ": pvremove says it did, but it is still there");
    }
    strike(key("ticket", i));
  }
}

void Group::strike(const std::string& key) const {
  const std::string ticket = host_.state(key.c_str());
  if (ticket.empty()) return;
  host_.ledger_strike(std::stoull(ticket));
  host_.set_state(key.c_str(), "");
}

}  // namespace cowbench::lvm
