// SPDX-License-Identifier: Apache-2.0
#include "bcachefs/bcachefs.hpp"

#include <sys/random.h>
#include <sys/utsname.h>
#include <sys/vfs.h>

#include <algorithm>
#include <cerrno>
#include <cowbench/mounted.hpp>
#include <cowbench/text.hpp>
#include <csignal>
#include <cstring>
#include <set>

#include "bcachefs/directories.hpp"
#include "bcachefs/erasure.hpp"
#include "bcachefs/key.hpp"
#include "bcachefs/superblock_copies.hpp"
#include "bcachefs/sysfs.hpp"
#include "bcachefs/usage.hpp"

namespace cowbench::bcachefs {
namespace {

// Unmounting returns when the filesystem is down; a moment for its last user.
constexpr std::uint64_t kGoneLimitNs = 10'000'000'000;

constexpr int kFormatAttempts = 3;

// Of its own doing; nobody else sends these.
bool is_crash(int signal) {
  return signal == SIGSEGV || signal == SIGABRT || signal == SIGBUS;
}

// Chosen by us, so that it is in the state before the filesystem exists.
std::string new_uuid() {
  unsigned char bytes[16];
  if (getrandom(bytes, sizeof bytes, 0) != sizeof bytes) {
    throw std::system_error(errno, std::generic_category(), "get random bytes");
  }
  bytes[6] = static_cast<unsigned char>((bytes[6] & 0x0f) | 0x40);
  bytes[8] = static_cast<unsigned char>((bytes[8] & 0x3f) | 0x80);
  return uuid_text(bytes);
}

std::string kernel_name(const std::string& path) {
  return path.substr(path.rfind('/') + 1);
}

// bcachefs knows no ioctl for its UUID in Linux 6.12; what statfs(2) gives as
// the filesystem's id is made of it.
void require_uuid(const std::string& mount_point, const std::string& uuid) {
  struct statfs facts {};
  if (statfs(mount_point.c_str(), &facts) != 0) {
    throw std::system_error(errno, std::generic_category(),
                            "statfs " + mount_point);
  }
  std::uint64_t id = 0;
  std::memcpy(&id, &facts.f_fsid, sizeof id);
  require_effective("filesystem id of " + mount_point,
                    std::to_string(filesystem_id(uuid)), std::to_string(id));
}

std::string ending_of(const CommandResult& result) {
  if (result.timed_out) return "ran out of time";
  if (result.signal != 0) {
    return "was ended by signal " + std::to_string(result.signal);
  }
  return "exited with " + std::to_string(result.exit_status);
}

void require_members(const FormatOptions& options,
                     const Superblock& superblock) {
  require_effective("members", std::to_string(options.members.size()),
                    std::to_string(superblock.members.size()));
  for (std::size_t i = 0; i < options.members.size(); ++i) {
    const FormatMember& asked = options.members[i];
    const SuperblockMember& found = superblock.members[i];
    const std::string where = " of " + asked.path;
    // The superblock gives the last part of a label.
    require_effective("label" + where,
                      asked.label.substr(asked.label.rfind('.') + 1),
                      found.label.substr(found.label.rfind('.') + 1));
    require_effective("durability" + where, std::to_string(asked.durability),
                      std::to_string(found.durability));
    require_effective("discard" + where, options.discard ? "true" : "false",
                      found.discard ? "true" : "false");
    if (options.bucket_bytes != 0) {
      require_effective("bucket_size" + where,
                        std::to_string(options.bucket_bytes),
                        std::to_string(found.bucket_bytes));
    }
  }
}

}  // namespace

FormatOptions Bcachefs::options() const {
  return format_options(host(), host().state("uuid"));
}

void Bcachefs::check() {
  const auto count = static_cast<std::uint64_t>(host().devices().size());
  std::set<std::string> groups;
  for (const cowbench_device* device : host().devices()) {
    groups.insert(device->group);
  }
  const auto require_group = [&](const std::string& key,
                                 const std::string& group) {
    if (groups.count(group) != 0) return;
    host().problem(key + ": the layer does not stand on a group " + group);
  };
  for (const char* key : {"data_replicas", "metadata_replicas"}) {
    const std::uint64_t copies = replicas_of(host(), key);
    if (copies <= count) continue;
    host().problem(std::string(key) + ": " + std::to_string(copies) +
                   " copies need as many devices, there are " +
                   std::to_string(count));
  }
  const std::uint64_t copies = replicas_of(host(), "data_replicas");
  if (host().boolean("erasure_code") && (copies < 2 || count <= copies)) {
    host().problem(
        "erasure_code: needs data_replicas of 2 or more (one of them less is "
        "how many members may be lost), and more devices than data_replicas");
  }
  for (const char* key : {"foreground", "promote", "background", "metadata"}) {
    if (host().has(key)) require_group(key, host().text(key));
  }
  const auto report = [this](const auto& parse, const std::string& text) {
    try {
      return parse(text);
    } catch (const Error& error) {
      host().problem(error.what());
    }
  };
  for (const std::string& text : host().text_list("durability")) {
    report(
        [&](const std::string& one) {
          require_group("durability", parse_durability(one).first);
        },
        text);
  }
  for (const std::string& text : host().text_list("directories")) {
    report([](const std::string& one) { parse_directory(one); }, text);
  }
}

void Bcachefs::plan() {
  host().plan_command(format_command(format_options(host(), "UUID")));
}

void Bcachefs::versions() {
  host().version("bcachefs-tools",
                 parse_version(host().run_checked({"bcachefs", "version"})));
  host().version("bcachefs-module", module_version());
}

std::string Bcachefs::versions_text() const {
  utsname kernel{};
  uname(&kernel);
  return "bcachefs-tools " +
         parse_version(host().run_checked({"bcachefs", "version"})) +
         ", kernel " + kernel.release + ", module " + module_version();
}

void Bcachefs::assemble() {
  host().set_state("uuid", new_uuid());
  const FormatOptions asked = options();
  format(asked);
  const Superblock superblock = read_superblock(asked);
  require_options(expected_options(asked), superblock.options,
                  "bcachefs show-super");
  require_members(asked, superblock);
  require_effective("encryption", asked.encryption ? "true" : "false",
                    superblock.encrypted ? "true" : "false");
  mount(asked);
  require_mounted(asked);
  if (asked.erasure_code) prove_erasure(superblock);
  make_directories();
  report(asked, superblock);
}

void Bcachefs::format(const FormatOptions& options) const {
  Command command;
  command.argv = format_command(options);
  if (options.encryption) {
    command.input = make_passphrase(host().memory_directory());
  }
  CommandResult result;
  int attempt = 0;
  do {
    // A copy of an older superblock that the new ones do not cover would come
    // back when these are wiped.
    for (const FormatMember& member : options.members) {
      wipe_superblocks(member.path);
    }
    result = host().run(command);
    if (result.succeeded()) {
      host().effective("format_attempts", std::to_string(attempt + 1));
      return;
    }
    host().warn("bcachefs format " + ending_of(result));
    // The tool runs the filesystem's own code, and releases around 1.12 and
    // 1.13 now and then crash in it (a btree update that meets an error
    // pointer, a heap that glibc finds broken).
  } while (is_crash(result.signal) && ++attempt < kFormatAttempts);
  throw Error(result.stopped ? COWBENCH_CANCELLED : COWBENCH_TOOL_FAILED,
              "\"" + joined(command.argv) + "\" " + ending_of(result) + ": " +
                  (result.err.empty() ? result.out : result.err));
}

Superblock Bcachefs::read_superblock(const FormatOptions& options) const {
  Superblock superblock = parse_superblock(host().run_checked(
      {"bcachefs", "show-super", options.members.at(0).path}));
  require_effective("uuid", options.uuid, superblock.uuid);
  return superblock;
}

void Bcachefs::mount(const FormatOptions& options) const {
  const auto mount_it = [&] {
    host().mount(mount_source(options), "bcachefs",
                 host().text("mount_options"));
  };
  if (!options.encryption) return mount_it();
  const UnlockedKey key(host(), options.uuid, options.members.at(0).path);
  mount_it();
}

void Bcachefs::require_mounted(const FormatOptions& options) const {
  require_options(expected_options(options), read_options(options.uuid),
                  std::string(kSysfs) + "/" + options.uuid + "/options");
  std::vector<std::string> asked;
  for (const FormatMember& member : options.members) {
    asked.push_back(kernel_name(member.path));
  }
  std::sort(asked.begin(), asked.end());
  require_effective("devices", joined(asked),
                    joined(read_devices(options.uuid)));
  require_uuid(host().mount_point(), options.uuid);
}

void Bcachefs::prove_erasure(const Superblock& superblock) const {
  // A stripe takes a bucket of each device; some of them, so that one that is
  // in use already does no harm.
  std::uint64_t bytes = std::uint64_t{16} << 20;
  for (const SuperblockMember& member : superblock.members) {
    bytes =
        std::max(bytes, 8 * superblock.members.size() * member.bucket_bytes);
  }
  const std::string stripes =
      prove_erasure_coding(host(), bytes, versions_text());
  host().set_state("stripes", stripes);
  host().effective("stripes", stripes);
}

void Bcachefs::make_directories() const {
  const std::vector<Directory> directories = directories_of(host());
  if (directories.empty()) return;
  // Its help goes to either stream, with any exit status.
  const CommandResult help = host().run({"bcachefs", "--help"});
  const std::string subcommand = set_option_command(help.out + help.err);
  std::string all;
  for (const Directory& directory : directories) {
    make_directory(host(), directory, subcommand);
    require_directory(host().mount_point(), directory);
    std::string options;
    for (const auto& [name, value] : directory.options) {
      options += (options.empty() ? "" : ",") + name + "=" + value;
    }
    all += (all.empty() ? "" : "; ") + directory.name + ": " + options;
  }
  host().effective("directories", all);
}

void Bcachefs::report(const FormatOptions& options,
                      const Superblock& superblock) const {
  host().effective("uuid", options.uuid);
  host().effective("on_disk_version", superblock.version);
  const auto in_effect = read_options(options.uuid);
  for (const auto& [name, value] : in_effect) {
    // Those of the superblock, as the kernel has them now; the others concern
    // recovery and debugging.
    if (superblock.options.count(name) != 0) host().effective(name, value);
  }
  // Options of ours that the kernel has under other names.
  const auto report_as = [&](const char* option, const char* name) {
    const auto found = in_effect.find(name);
    if (found != in_effect.end()) host().effective(option, found->second);
  };
  report_as("replicas", "data_replicas");
  report_as("foreground", "foreground_target");
  report_as("promote", "promote_target");
  report_as("background", "background_target");
  host().effective("encryption", superblock.encrypted
                                     ? "chacha20/poly1305, key in memory"
                                     : "none");
  std::string members;
  for (std::size_t i = 0; i < superblock.members.size(); ++i) {
    const SuperblockMember& one = superblock.members[i];
    const std::string& label = options.members.at(i).label;
    members += (members.empty() ? "" : "; ") + std::to_string(i) + ": " +
               (label.empty() ? "no label" : label) + ", durability " +
               std::to_string(one.durability) + ", buckets of " +
               std::to_string(one.bucket_bytes) + ", discard " +
               (one.discard ? "on" : "off");
  }
  host().effective("members", members);
}

void Bcachefs::unmount() const {
  host().unmount();
  const std::string uuid = host().state("uuid");
  if (wait_until_gone(uuid, kGoneLimitNs)) return;
  throw Error(COWBENCH_TOOL_FAILED,
              "unmount bcachefs " + uuid + ": the mount is gone, but " +
                  std::string(kSysfs) + "/" + uuid +
                  " is still there after 10 s; something else has the "
                  "filesystem mounted or open");
}

void Bcachefs::deactivate() { unmount(); }

void Bcachefs::activate() {
  const FormatOptions asked = options();
  mount(asked);
  require_mounted(asked);
}

void Bcachefs::verify() {
  require_mounted(options());
  for (const Directory& directory : directories_of(host())) {
    require_directory(host().mount_point(), directory);
  }
}

void Bcachefs::disassemble() {
  // Nothing was made, so nothing on the devices is ours.
  if (host().state("uuid").empty()) return host().unmount();
  unmount();
  for (const FormatMember& member : options().members) {
    wipe_superblocks(member.path);
  }
  forget_passphrase(host().memory_directory());
}

void Bcachefs::usage(cowbench_usage& usage) {
  const Usage now = parse_usage(
      host().run_checked({"bcachefs", "fs", "usage", host().mount_point()}));
  for (const cowbench_device* device : host().devices()) {
    usage.raw_bytes += device->size_bytes;
  }
  usage.allocated_bytes = allocated_bytes(now);
  usage.used_bytes = content_bytes(now);
  const struct statvfs facts = MountedDirectory(host().mount_point()).space();
  const double available =
      static_cast<double>(facts.f_bavail) * static_cast<double>(facts.f_frsize);
  usage.usable_bytes = static_cast<std::uint64_t>(
      available / raw_factor(options(), host().state("stripes")));
  usage.source =
      "bcachefs fs usage; used: one copy, as stored; usable: statvfs, which "
      "counts raw bytes, by the copies or stripes of data";
}

// Btree nodes are read whole. In one, an entry of a directory takes a key of 8
// bytes at least and 16 for the inode's number and a name; an inode its key
// and 40 bytes.
std::uint64_t Bcachefs::cold_metadata_bytes(std::uint64_t entries,
                                            bool with_inodes) {
  constexpr std::uint64_t kEntryBytes = 24, kInodeBytes = 48;
  // Mounting reads the roots, and finding the directory a path of nodes, of
  // both trees, before the pass begins; small ones are all in there.
  constexpr std::uint64_t kLargestNodeBytes = std::uint64_t{256} << 10;
  const std::uint64_t read_before =
      4 * std::max(host().amount("btree_node_size"), kLargestNodeBytes);
  const std::uint64_t all =
      entries * (kEntryBytes + (with_inodes ? kInodeBytes : 0));
  return all > read_before ? all - read_before : 1;
}

}  // namespace cowbench::bcachefs
