// SPDX-License-Identifier: Apache-2.0
#include "zfs/zvol.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cowbench/mounted.hpp>
#include <cstring>
#include <limits>
#include <thread>

namespace cowbench::zfs {
namespace {

constexpr auto kPause = std::chrono::milliseconds(100);
const std::string kLinks = "/dev/zvol/";

bool is_link(const std::string& path) {
  struct stat facts {};
  return lstat(path.c_str(), &facts) == 0;
}

// The size of a block device; 0 when it cannot be opened.
std::uint64_t device_bytes(const std::string& path) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return 0;
  const off_t end = lseek(fd, 0, SEEK_END);
  close(fd);
  return end < 0 ? 0 : static_cast<std::uint64_t>(end);
}

// The name of the volume behind a device of zfs, as udev's helper asks for it;
// empty for other devices.
std::string volume_behind(const std::string& path) {
  constexpr unsigned long kGetName = _IOR(0x12, 125, char[256]);
  char name[256] = "";
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return {};
  const int outcome = ioctl(fd, kGetName, name);
  close(fd);
  return outcome == 0 ? std::string(name, strnlen(name, sizeof name)) : "";
}

bool is_volume(const std::string& path, const std::string& volume,
               std::uint64_t size_bytes) {
  return volume_behind(path) == volume && device_bytes(path) == size_bytes;
}

// The kernel's own name of the volume's device, for where no udev makes links.
std::string find_kernel_device(const std::string& volume) {
  DIR* const directory = opendir("/sys/class/block");
  if (directory == nullptr) return {};
  std::string found;
  while (const dirent* entry = readdir(directory)) {
    if (std::strncmp(entry->d_name, "zd", 2) != 0) continue;
    const std::string path = std::string("/dev/") + entry->d_name;
    if (volume_behind(path) == volume) found = path;
  }
  closedir(directory);
  return found;
}

}  // namespace

// In whole MiB, a multiple of every block size up to that.
std::uint64_t Zvol::size_within_pool() const {
  constexpr std::uint64_t kMib = std::uint64_t{1} << 20;
  const Properties root = parse_properties(
      host().run_checked({"zfs", "get", "-Hp", "-o", "property,value",
                          "available", pool().name()}));
  const std::uint64_t part =
      number(root, "available") / 100 * host().amount("percent_of_pool");
  const std::uint64_t unit = std::max(kMib, host().amount("volblocksize"));
  return part / unit * unit;
}

std::vector<std::string> Zvol::arguments(std::uint64_t size_bytes) const {
  std::vector<std::string> all;
  if (host().boolean("sparse")) all.emplace_back("-s");
  all.emplace_back("-V");
  all.push_back(size_bytes == 0
                    ? host().text("percent_of_pool") + "%-of-the-pool"
                    : std::to_string(size_bytes));
  return all;
}

std::vector<std::string> Zvol::properties() const {
  return {"volblocksize=" + std::to_string(host().amount("volblocksize")),
          "volmode=" + host().text("volmode")};
}

void Zvol::check() {
  for (const std::string& problem : layout_problems(host())) {
    host().problem(problem);
  }
  const std::uint64_t bytes = host().amount("volblocksize");
  if ((bytes & (bytes - 1)) != 0) {
    host().problem("volblocksize: " + std::to_string(bytes) +
                   " is not a power of two");
  }
}

void Zvol::plan() {
  host().plan_command(pool().create_command());
  // How much the pool will hold only the pool can tell.
  host().plan_command(pool().dataset_command(arguments(0), properties()));
}

void Zvol::versions() { pool().report_versions(); }

void Zvol::assemble() {
  pool().create();
  const std::uint64_t size = size_within_pool();
  pool().create_dataset(arguments(size), properties());
  const Properties found = pool().dataset_properties();
  require_effective("volsize", std::to_string(size),
                    property(found, "volsize"));
  const bool reserved = number(found, "refreservation") != 0;
  require_effective("sparse", host().boolean("sparse") ? "true" : "false",
                    reserved ? "false" : "true");
  host().effective("sparse", reserved ? "false" : "true");
  host().effective("percent_of_pool", host().text("percent_of_pool") + ": " +
                                          property(found, "volsize") +
                                          " bytes");
  pool().report_tunables();
  const std::string path = wait_for_device(size);
  host().set_state("path", path);
  host().effective("device", path);
  host().add_output(path, size);
}

// The kernel makes the device some time after the volume, and udev the link
// some time after that. The link is preferred: it says the same after another
// import, where the kernel's name may be another.
std::string Zvol::wait_for_device(std::uint64_t size_bytes) const {
  constexpr std::uint64_t kLinkLimitNs = 20'000'000'000;
  std::string link = kLinks + pool().dataset();
  const std::uint64_t begin = host().now_ns();
  for (;;) {
    host().throw_if_stopped();
    if (is_volume(link, pool().dataset(), size_bytes)) return link;
    if (host().now_ns() - begin > kLinkLimitNs) break;
    std::this_thread::sleep_for(kPause);
  }
  std::string device = find_kernel_device(pool().dataset());
  if (!device.empty() && device_bytes(device) == size_bytes) return device;
  throw Error(COWBENCH_TOOL_FAILED, "the device of volume " + pool().dataset() +
                                        " does not appear: " + "neither " +
                                        link + " nor a /dev/zd* of " +
                                        std::to_string(size_bytes) +
                                        " bytes; is udev running?");
}

void Zvol::disassemble() { pool().remove(); }

// udev takes the link away some time after the device is gone. It must not do
// so after the next import, whose link it would be.
void Zvol::deactivate() {
  pool().stop();
  constexpr int kRounds = 100;
  for (int i = 0; i < kRounds && is_link(kLinks + pool().dataset()); ++i) {
    std::this_thread::sleep_for(kPause);
  }
}

void Zvol::activate() {
  pool().start();
  verify();
}

std::uint64_t Zvol::cold_metadata_bytes(std::uint64_t entries,
                                        bool /*with_inodes*/) {
  // Whatever stands on the volume, an entry has 8 bytes at least, and a block
  // that is not empty takes a sector at least.
  constexpr std::uint64_t kEntryBytes = 8;
  const std::uint64_t block = host().amount("volblocksize");
  const std::uint64_t sector = std::uint64_t{1} << host().integer("ashift");
  if (host().text("compression") == "off") {
    return std::numeric_limits<std::uint64_t>::max();
  }
  return std::max<std::uint64_t>(1, entries * kEntryBytes / block * sector);
}

void Zvol::verify() {
  pool().verify();
  const std::uint64_t size = number(pool().dataset_properties(), "volsize");
  const std::string path = host().state("path");
  if (is_volume(path, pool().dataset(), size)) return;
  require_effective("device", path, wait_for_device(size));
}

}  // namespace cowbench::zfs
