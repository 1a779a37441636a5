// SPDX-License-Identifier: Apache-2.0
// Whether real devices may be destroyed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace cowbench {

// A device that the user gave for a member.
struct DeviceRequest {
  std::string group;
  std::string path;                 // as given
  std::uint64_t minimum_bytes = 0;  // that the member needs
};

// Every reason, over all devices, why they may not be used: not a block
// device, in use, read-only, too small, given twice under two names, carrying
// a signature at either end without being named in `wipe`. Also a `wipe` that
// names none of them. Empty: they may be used. Touches nothing.
std::vector<std::string> device_refusals(
    const std::vector<DeviceRequest>& requests,
    const std::vector<std::string>& wipe);

// Whether `path` is one of `list`, compared as devices, not as names.
bool names_device(const std::vector<std::string>& list,
                  const std::string& path);

}  // namespace cowbench
