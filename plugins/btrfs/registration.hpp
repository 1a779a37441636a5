// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace cowbench::btrfs {

// Makes the kernel forget that `device` was seen as part of a btrfs, as
// `btrfs device scan --forget` does: a registration that outlives its device
// would point at whatever gets the device number next. One it doesn't know is
// success. Throws std::system_error, EBUSY while the filesystem is mounted.
void forget_device(const std::string& device);

}  // namespace cowbench::btrfs
