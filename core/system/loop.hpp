// SPDX-License-Identifier: Apache-2.0
// Loop devices.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.hpp"

namespace cowbench {

struct LoopOptions {
  bool read_only = false;
  bool direct_io = false;        // asked for; see LoopDevice::direct_io
  bool partscan = false;         // look for partitions
  std::uint64_t size_limit = 0;  // bytes; 0: the whole file
  std::uint32_t block_size = 0;  // bytes; 0: the kernel's choice
};

// A loop device in use, as the kernel describes it.
struct LoopDevice {
  std::string path;  // /dev/loop3
  int number = -1;
  std::string backing_file;  // as the kernel prints it
  bool direct_io = false;    // really in effect
  bool read_only = false;
  bool partscan = false;
  std::uint32_t block_size = 0;  // logical, bytes
  std::uint64_t size_bytes = 0;
};

// Whether this user can make loop devices here. The error (kNotAvailable)
// names the missing module, node or permission and its remedy.
Status loop_support();

// Attaches an image file to a free loop device. Direct I/O that the backing
// store refuses is no error: read it from the result. A block size that is
// not in effect afterwards is one. On error no device stays attached.
Result<LoopDevice> attach_loop(const std::string& image,
                               const LoopOptions& options);

// Detaches `device` if it (still) backs `image` and waits until the kernel
// has really let go. A device that backs something else, or nothing, is left
// alone: success. The error lists the holders.
Status detach_loop(const std::string& device, const std::string& image,
                   std::uint64_t timeout_ns = 10'000'000'000);

// All loop devices over this image file, also when it has been deleted.
std::vector<LoopDevice> loops_backed_by(const std::string& image);

// kUsage when path is no loop device, kDeviceLost when nothing is attached.
Result<LoopDevice> loop_status(const std::string& path);

}  // namespace cowbench
