// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cowbench/host.hpp>
#include <optional>
#include <string>

namespace cowbench::mdraid {

// How far "sync_completed" says that a resync is, 0..1; nothing for "none".
std::optional<double> sync_fraction(const std::string& sync_completed);

// Waits until the array in `folder` (/sys/block/<array>/md) is in sync, with
// progress, as fast as it can go. Answers the nanoseconds that it took; 0:
// there was nothing to wait for. Throws COWBENCH_TIMEOUT as soon as it is
// clear that the time which is left will not do, and COWBENCH_DEVICE_LOST when
// a member fails.
std::uint64_t await_sync(const Host& host, const std::string& folder);

}  // namespace cowbench::mdraid
