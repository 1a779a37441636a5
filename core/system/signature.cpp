// SPDX-License-Identifier: Apache-2.0
#include "system/signature.hpp"

#include <blkid/blkid.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <memory>
#include <set>
#include <string_view>

#include "base/text.hpp"
#include "system/block.hpp"
#include "system/partition.hpp"
#include "system/sysfs.hpp"
#include "system/system_error.hpp"
#include "system/unique_fd.hpp"

namespace cowbench {
namespace {

// Some filesystems keep a second superblock behind the first MiB, which no
// probe looks for and their own tools believe.
constexpr std::uint64_t kEndBytes = 2U << 20;
// More signatures than any device can carry: a bound on a probe that never
// moves on.
constexpr int kMaxSignatures = 4096;

struct FreeProbe {
  void operator()(blkid_struct_probe* probe) const { blkid_free_probe(probe); }
};
using Probe = std::unique_ptr<blkid_struct_probe, FreeProbe>;

Result<Probe> make_probe(int fd, const std::string& path) {
  Probe probe(blkid_new_probe());
  errno = 0;
  if (!probe || blkid_probe_set_device(probe.get(), fd, 0, 0) != 0) {
    return system_error("look for signatures on", path,
                        errno == 0 ? EIO : errno);
  }
  blkid_probe_enable_superblocks(probe.get(), 1);
  // A damaged signature is one too: somebody's data may be behind it.
  blkid_probe_set_superblocks_flags(
      probe.get(), BLKID_SUBLKS_LABEL | BLKID_SUBLKS_UUID | BLKID_SUBLKS_TYPE |
                       BLKID_SUBLKS_USAGE | BLKID_SUBLKS_MAGIC |
                       BLKID_SUBLKS_BADCSUM);
  blkid_probe_enable_partitions(probe.get(), 1);
  // A GPT counts even where its protective table is gone.
  blkid_probe_set_partitions_flags(probe.get(),
                                   BLKID_PARTS_MAGIC | BLKID_PARTS_FORCE_GPT);
  return probe;
}

std::string value_of(blkid_probe probe, const char* name) {
  const char* data = nullptr;
  std::size_t size = 0;
  if (blkid_probe_lookup_value(probe, name, &data, &size) != 0) return {};
  // The size counts the zero byte of a text.
  return std::string(data, strnlen(data, size));
}

std::size_t value_size(blkid_probe probe, const char* name) {
  std::size_t size = 0;
  blkid_probe_lookup_value(probe, name, nullptr, &size);
  return size;
}

// What the probe stands on now. A hit without magic bytes has no place on
// the device and is left out.
struct Hit {
  Signature signature;
  std::size_t magic_bytes = 0;
};

Hit current_hit(blkid_probe probe) {
  Hit hit;
  const bool table = blkid_probe_has_value(probe, "PTMAGIC_OFFSET") != 0;
  const auto offset =
      value_of(probe, table ? "PTMAGIC_OFFSET" : "SBMAGIC_OFFSET");
  std::from_chars(offset.data(), offset.data() + offset.size(),
                  hit.signature.offset_bytes);
  hit.magic_bytes = value_size(probe, table ? "PTMAGIC" : "SBMAGIC");
  hit.signature.type = value_of(probe, table ? "PTTYPE" : "TYPE");
  hit.signature.usage = table ? "partition-table" : value_of(probe, "USAGE");
  hit.signature.label = value_of(probe, "LABEL");
  hit.signature.uuid = value_of(probe, table ? "PTUUID" : "UUID");
  return hit;
}

// Every signature on fd. Each hit is hidden from the probe (in memory), so
// that the same prober finds the copies behind it.
Result<std::vector<Signature>> probe_all(int fd, const std::string& path) {
  auto probe = make_probe(fd, path);
  if (!probe) return probe.error();
  std::vector<Signature> found;
  std::set<std::pair<std::string, std::uint64_t>> seen;
  for (int i = 0; i < kMaxSignatures; ++i) {
    const int outcome = blkid_do_probe(probe->get());
    if (outcome == 1) return found;
    if (outcome < 0) {
      return system_error("look for signatures on", path,
                          errno == 0 ? EIO : errno);
    }
    auto hit = current_hit(probe->get());
    const auto place =
        std::pair(hit.signature.type, hit.signature.offset_bytes);
    if (hit.magic_bytes == 0 || !seen.insert(place).second) continue;
    blkid_probe_hide_range(probe->get(), hit.signature.offset_bytes,
                           hit.magic_bytes);
    blkid_probe_step_back(probe->get());
    found.push_back(std::move(hit.signature));
  }
  return found;
}

Status wipe_found(int fd, const std::string& path) {
  auto probe = make_probe(fd, path);
  if (!probe) return probe.error();
  for (int i = 0; i < kMaxSignatures; ++i) {
    const int outcome = blkid_do_probe(probe->get());
    if (outcome == 1) return {};
    if (outcome < 0 || blkid_do_wipe(probe->get(), 0) != 0) {
      return system_error("wipe a signature of", path,
                          errno == 0 ? EIO : errno);
    }
  }
  return Error(Category::kToolFailed,
               "wipe " + path + ": its signatures do not end");
}

Status zero_range(int fd, std::uint64_t offset, std::uint64_t length,
                  const std::string& path) {
  const std::string zeroes(length, '\0');
  std::size_t done = 0;
  while (done < length) {
    const ssize_t count = pwrite(fd, zeroes.data() + done, length - done,
                                 static_cast<off_t>(offset + done));
    if (count > 0) {
      done += static_cast<std::size_t>(count);
    } else if (count == 0 || errno != EINTR) {
      return system_error("write zeroes to", path, count == 0 ? EIO : errno);
    }
  }
  return {};
}

Status zero_ends(int fd, const std::string& path) {
  const off_t end = lseek(fd, 0, SEEK_END);
  if (end < 0) return system_error("find the size of", path, errno);
  const auto size = static_cast<std::uint64_t>(end);
  const auto length = std::min(kEndBytes, size);
  auto status = zero_range(fd, 0, length, path);
  if (status) status = zero_range(fd, size - length, length, path);
  if (status && fsync(fd) != 0) status = system_error("fsync", path, errno);
  return status;
}

// Lets the kernel forget the partitions of a table that is gone, also where
// it would not read the table again.
Status forget_partitions(const std::string& path) {
  const auto facts = block_facts(path);
  if (!facts) return facts.error();
  for (const auto& name : facts->partitions) {
    const auto number = sysfs_number("/sys/class/block/" + name + "/partition");
    auto deleted = delete_partition(path, static_cast<int>(number));
    if (!deleted) return deleted;
  }
  return {};
}

std::string describe(const Signature& signature) {
  return signature.type + " at " + std::to_string(signature.offset_bytes);
}

}  // namespace

Result<std::vector<Signature>> find_signatures(const std::string& path) {
  const UniqueFd fd(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd.valid()) return system_error("open", path, errno);
  return probe_all(fd.get(), path);
}

Status wipe_signatures(const std::string& path) {
  struct stat facts {};
  if (stat(path.c_str(), &facts) != 0) {
    return system_error("inspect", path, errno);
  }
  const bool block = S_ISBLK(facts.st_mode);
  const UniqueFd fd(
      open(path.c_str(), O_RDWR | O_CLOEXEC | (block ? O_EXCL : 0)));
  if (!fd.valid()) return system_error("open for wiping", path, errno);
  auto status = wipe_found(fd.get(), path);
  if (status) status = zero_ends(fd.get(), path);
  if (!status) return status;
  if (block) {
    ioctl(fd.get(), BLKFLSBUF, 0);
    if (status = forget_partitions(path); !status) return status;
  }
  posix_fadvise(fd.get(), 0, 0, POSIX_FADV_DONTNEED);
  const auto left = probe_all(fd.get(), path);
  if (!left) return left.error();
  if (left->empty()) return {};
  std::vector<std::string> names;
  for (const auto& signature : *left) names.push_back(describe(signature));
  return Error(Category::kToolFailed,
               "wipe " + path + ": still found " + join(names, ", "));
}

}  // namespace cowbench
