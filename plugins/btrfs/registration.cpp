// SPDX-License-Identifier: Apache-2.0
#include "btrfs/registration.hpp"

#include <fcntl.h>
#include <linux/btrfs.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>

namespace cowbench::btrfs {

void forget_device(const std::string& device) {
  const auto fail = [&device](const char* what, int error) {
    throw std::system_error(error, std::generic_category(),
                            std::string(what) + " " + device);
  };
  btrfs_ioctl_vol_args request{};
  if (device.size() >= sizeof request.name) fail("forget", ENAMETOOLONG);
  std::memcpy(request.name, device.c_str(), device.size() + 1);
  const int control = open("/dev/btrfs-control", O_RDWR | O_CLOEXEC);
  if (control < 0) fail("open /dev/btrfs-control to forget", errno);
  const int outcome = ioctl(control, BTRFS_IOC_FORGET_DEV, &request);
  const int error = errno;
  close(control);
  if (outcome < 0 && error != ENOENT) fail("BTRFS_IOC_FORGET_DEV", error);
}

}  // namespace cowbench::btrfs
