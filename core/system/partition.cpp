// SPDX-License-Identifier: Apache-2.0
#include "system/partition.hpp"

#include <fcntl.h>
#include <linux/blkpg.h>
#include <sys/ioctl.h>

#include <cctype>
#include <cerrno>

#include "system/block.hpp"
#include "system/clock.hpp"
#include "system/file.hpp"
#include "system/process_list.hpp"
#include "system/sysfs.hpp"
#include "system/system_error.hpp"
#include "system/unique_fd.hpp"

namespace cowbench {
namespace {

constexpr std::uint64_t kNodeWaitNs = 5 * kNsPerSecond;
constexpr std::uint64_t kBusyWaitNs = 10 * kNsPerSecond;
constexpr std::uint64_t kPauseNs = 50 * kNsPerMs;

// 0 or an errno value.
int change_partition(const std::string& disk, int operation,
                     blkpg_partition partition) {
  const UniqueFd fd(open(disk.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd.valid()) return errno;
  blkpg_ioctl_arg argument{};
  argument.op = operation;
  argument.datalen = sizeof partition;
  argument.data = &partition;
  return ioctl(fd.get(), BLKPG, &argument) == 0 ? 0 : errno;
}

}  // namespace

std::string partition_path(const std::string& disk, int number) {
  const bool digit =
      !disk.empty() && std::isdigit(static_cast<unsigned char>(disk.back()));
  return disk + (digit ? "p" : "") + std::to_string(number);
}

Result<std::string> add_partition(const std::string& disk, int number,
                                  std::uint64_t start_bytes,
                                  std::uint64_t length_bytes) {
  const auto facts = block_facts(disk);
  if (!facts) return facts.error();
  const std::string path = partition_path(facts->path, number);
  const std::string action = "add partition " + path;
  blkpg_partition partition{};
  partition.start = static_cast<long long>(start_bytes);
  partition.length = static_cast<long long>(length_bytes);
  partition.pno = number;
  const int error =
      change_partition(facts->path, BLKPG_ADD_PARTITION, partition);
  if (error != 0) return system_error(action, "", error);
  const std::uint64_t deadline = now_ns() + kNodeWaitNs;
  for (;;) {
    const auto made = block_facts(path);
    if (made && made->size_bytes == length_bytes) return path;
    if (now_ns() >= deadline) {
      change_partition(facts->path, BLKPG_DEL_PARTITION, partition);
      return Error(Category::kToolFailed,
                   action + ": the kernel took it, but " +
                       (made ? "its size is " +
                                   std::to_string(made->size_bytes) + " bytes"
                             : "its node did not appear"));
    }
    sleep_ns(kPauseNs);
  }
}

bool is_kernel_only_partition(const std::string& disk, int number) {
  const auto facts = block_facts(partition_path(canonical_path(disk), number));
  if (!facts || !facts->partition) return false;
  const auto name = facts->path.substr(facts->path.rfind('/') + 1);
  return sysfs_number("/sys/class/block/" + name + "/start") == 0;
}

Status delete_partition(const std::string& disk, int number) {
  const auto facts = block_facts(disk);
  if (!facts) return facts.error();
  blkpg_partition partition{};
  partition.pno = number;
  const std::uint64_t deadline = now_ns() + kBusyWaitNs;
  for (;;) {
    const int error =
        change_partition(facts->path, BLKPG_DEL_PARTITION, partition);
    if (error == 0 || error == ENXIO) return {};
    if (error != EBUSY || now_ns() >= deadline) {
      const std::string path = partition_path(facts->path, number);
      const auto failure = system_error("delete partition", path, error);
      return Error(failure.category(), failure.message() + "; " +
                                           describe_holders(holders_of(path)));
    }
    sleep_ns(kPauseNs);
  }
}

}  // namespace cowbench
