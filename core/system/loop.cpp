// SPDX-License-Identifier: Apache-2.0
#include "system/loop.hpp"

#include <fcntl.h>
#include <linux/loop.h>
#include <linux/major.h>
#include <sys/ioctl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <optional>
#include <string_view>

#include "system/clock.hpp"
#include "system/file.hpp"
#include "system/process_list.hpp"
#include "system/sysfs.hpp"
#include "system/system_error.hpp"
#include "system/unique_fd.hpp"

namespace cowbench {
namespace {

constexpr char kControl[] = "/dev/loop-control";
constexpr std::uint64_t kNodeWaitNs = 3 * kNsPerSecond;
constexpr std::uint64_t kAttachWaitNs = 10 * kNsPerSecond;
constexpr std::uint64_t kMaxPauseNs = 200 * kNsPerMs;

// Sleeps longer each time.
class Backoff {
 public:
  void pause() {
    sleep_ns(pause_ns_);
    pause_ns_ = std::min(pause_ns_ * 2, kMaxPauseNs);
  }

 private:
  std::uint64_t pause_ns_ = 5 * kNsPerMs;
};

Error control_error(int error) {
  std::string remedy;
  if (error == ENOENT || error == ENXIO || error == ENODEV) {
    remedy =
        "; load the module with \"modprobe loop\", or in a container pass "
        "the node in";
  } else if (error == EACCES || error == EPERM) {
    remedy = "; run as root";
  }
  return Error(Category::kNotAvailable, std::string("use loop devices: ") +
                                            kControl + ": " +
                                            errno_text(error) + remedy);
}

Result<std::string> free_device() {
  const UniqueFd control(open(kControl, O_RDWR | O_CLOEXEC));
  if (!control.valid()) return control_error(errno);
  const int number = ioctl(control.get(), LOOP_CTL_GET_FREE);
  if (number < 0) return control_error(errno);
  return "/dev/loop" + std::to_string(number);
}

// Opens a device that may just have been made.
Result<UniqueFd> open_device(const std::string& path, int flags) {
  const std::uint64_t deadline = now_ns() + kNodeWaitNs;
  for (;;) {
    UniqueFd fd(open(path.c_str(), flags | O_CLOEXEC));
    if (fd.valid()) return fd;
    const int error = errno;
    if (error != ENOENT && error != EINTR) {
      return system_error("open", path, error);
    }
    if (now_ns() >= deadline) {
      return Error(Category::kNotAvailable,
                   "open " + path +
                       ": the kernel made the device but its node did not "
                       "appear; this is a container with a frozen /dev: make "
                       "the loop nodes outside (\"mknod " +
                       path + " b 7 N\") or mount the host's /dev");
    }
    sleep_ns(20 * kNsPerMs);
  }
}

loop_config configuration(int image, const std::string& path,
                          const LoopOptions& options) {
  loop_config config{};
  config.fd = static_cast<__u32>(image);
  config.block_size = options.block_size;
  config.info.lo_sizelimit = options.size_limit;
  if (options.read_only) config.info.lo_flags |= LO_FLAGS_READ_ONLY;
  if (options.direct_io) config.info.lo_flags |= LO_FLAGS_DIRECT_IO;
  if (options.partscan) config.info.lo_flags |= LO_FLAGS_PARTSCAN;
  auto* name = reinterpret_cast<char*>(config.info.lo_file_name);
  path.copy(name, LO_NAME_SIZE - 1);
  return config;
}

// Finds a free device and attaches the image: its path.
Result<std::string> configure(int image, const std::string& path,
                              LoopOptions options) {
  const std::uint64_t deadline = now_ns() + kAttachWaitNs;
  Backoff backoff;
  for (;;) {
    const auto device = free_device();
    if (!device) return device.error();
    const auto fd = open_device(*device, options.read_only ? O_RDONLY : O_RDWR);
    if (!fd) return fd.error();
    const auto config = configuration(image, path, options);
    if (ioctl(fd->get(), LOOP_CONFIGURE, &config) == 0) return *device;
    const int error = errno;
    if (error == EINVAL && options.direct_io) {
      // Some kernels refuse the whole call for a store without direct I/O.
      options.direct_io = false;
      continue;
    }
    // Busy: somebody else took the same free device first.
    if ((error != EBUSY && error != EAGAIN) || now_ns() >= deadline) {
      return system_error("attach", path + " to " + *device, error);
    }
    backoff.pause();
  }
}

// Asks once more; what came of it is read back from the kernel.
void try_direct_io(const std::string& device) {
  const auto fd = open_device(device, O_RDONLY);
  if (fd) ioctl(fd->get(), LOOP_SET_DIRECT_IO, 1UL);
}

Result<LoopDevice> checked_status(const std::string& path,
                                  const LoopOptions& options) {
  auto device = loop_status(path);
  if (device && options.direct_io && !device->direct_io) {
    try_direct_io(path);
    device = loop_status(path);
  }
  if (!device) return device;
  if (options.block_size != 0 && device->block_size != options.block_size) {
    return Error(Category::kToolFailed,
                 "attach " + device->backing_file + ": asked for blocks of " +
                     std::to_string(options.block_size) + " bytes, got " +
                     std::to_string(device->block_size));
  }
  return device;
}

// Whether the device is over the very file, by device and inode number.
// Nothing when the device cannot be asked.
std::optional<bool> backs_inode(const std::string& device,
                                const struct stat& image) {
  const UniqueFd fd(open(device.c_str(), O_RDONLY | O_CLOEXEC));
  loop_info64 info{};
  if (!fd.valid() || ioctl(fd.get(), LOOP_GET_STATUS64, &info) != 0) {
    return std::nullopt;
  }
  return info.lo_device == image.st_dev && info.lo_inode == image.st_ino;
}

bool is_backed_by(const LoopDevice& device, const std::string& image) {
  if (device.backing_file == image + " (deleted)") return true;
  struct stat facts {};
  if (stat(image.c_str(), &facts) == 0) {
    const auto same = backs_inode(device.path, facts);
    if (same) return *same;
  }
  return device.backing_file == image;
}

bool still_backs(const std::string& device, const std::string& image) {
  const auto devices = loops_backed_by(image);
  return std::any_of(
      devices.begin(), devices.end(),
      [&device](const LoopDevice& other) { return other.path == device; });
}

}  // namespace

Status loop_support() {
  const auto device = free_device();
  if (!device) return device.error();
  const auto fd = open_device(*device, O_RDWR);
  return fd ? Status() : Status(fd.error().within("use loop devices"));
}

Result<LoopDevice> attach_loop(const std::string& image,
                               const LoopOptions& options) {
  UniqueFd file(
      open(image.c_str(), (options.read_only ? O_RDONLY : O_RDWR) | O_CLOEXEC));
  if (!file.valid()) return system_error("open the image", image, errno);
  const auto path = configure(file.get(), image, options);
  if (!path) return path.error();
  auto device = checked_status(*path, options);
  if (!device) {
    const auto detached = detach_loop(*path, image);
    if (!detached) {
      return Error(
          device.error().category(),
          device.error().message() + "; and " + detached.error().message());
    }
  }
  return device;
}

Status detach_loop(const std::string& device, const std::string& image,
                   std::uint64_t timeout_ns) {
  const std::string node = canonical_path(device);
  const std::uint64_t deadline = now_ns() + timeout_ns;
  Backoff backoff;
  while (still_backs(node, image)) {
    int error = 0;
    {
      const UniqueFd fd(open(node.c_str(), O_RDONLY | O_CLOEXEC));
      if (!fd.valid() || ioctl(fd.get(), LOOP_CLR_FD, 0) != 0) error = errno;
    }
    // With success the kernel may still wait for the last user to close it.
    if (!still_backs(node, image)) break;
    if (now_ns() >= deadline) {
      const std::string what = "detach " + node + " from " + image;
      return Error(Category::kToolFailed,
                   what + ": " +
                       (error == 0 ? "still attached" : errno_text(error)) +
                       "; " + describe_holders(holders_of(node)));
    }
    backoff.pause();
  }
  return {};
}

std::vector<LoopDevice> loops_backed_by(const std::string& image) {
  const std::string wanted = canonical_path(image);
  std::vector<LoopDevice> found;
  for (const auto& name : list_folder("/sys/block")) {
    if (!path_exists("/sys/block/" + name + "/loop")) continue;
    auto device = loop_status("/dev/" + name);
    if (device && is_backed_by(*device, wanted)) {
      found.push_back(std::move(*device));
    }
  }
  return found;
}

Result<LoopDevice> loop_status(const std::string& path) {
  const auto number = block_device_number(path);
  if (!number) return number.error();
  const auto folder = sysfs_folder(*number);
  if (!folder) return folder.error();
  const auto name = std::filesystem::path(*folder).filename().string();
  constexpr std::string_view kPrefix = "loop";
  if (number->major != LOOP_MAJOR || !name.starts_with(kPrefix) ||
      path_exists(*folder + "/partition")) {
    return Error(Category::kUsage, path + " is not a loop device");
  }
  const auto backing = read_file(*folder + "/loop/backing_file");
  if (!backing) {
    return Error(Category::kDeviceLost, path + " has no file attached");
  }
  LoopDevice device;
  device.path = "/dev/" + name;
  device.number = std::stoi(name.substr(kPrefix.size()));
  device.backing_file = backing->substr(0, backing->rfind('\n'));
  device.direct_io = sysfs_number(*folder + "/loop/dio") != 0;
  device.partscan = sysfs_number(*folder + "/loop/partscan") != 0;
  device.read_only = sysfs_number(*folder + "/ro") != 0;
  device.block_size = static_cast<std::uint32_t>(
      sysfs_number(*folder + "/queue/logical_block_size"));
  device.size_bytes = sysfs_number(*folder + "/size") * 512;
  return device;
}

}  // namespace cowbench
