// SPDX-License-Identifier: Apache-2.0
// The two spellings of failure: the core's categories, the ABI's statuses.
#pragma once

#include <cowbench/abi/types.h>

#include "base/result.hpp"

namespace cowbench {

inline cowbench_status status_of(Category category) {
  switch (category) {
    case Category::kUsage:
      return COWBENCH_BAD_CONFIG;
    case Category::kEnvironment:
    case Category::kNotAvailable:
      return COWBENCH_NOT_AVAILABLE;
    case Category::kUnsupported:
      return COWBENCH_UNSUPPORTED;
    case Category::kToolFailed:
      return COWBENCH_TOOL_FAILED;
    case Category::kTimeout:
      return COWBENCH_TIMEOUT;
    case Category::kCancelled:
      return COWBENCH_CANCELLED;
    case Category::kNoSpace:
      return COWBENCH_NO_SPACE;
    case Category::kDeviceLost:
      return COWBENCH_DEVICE_LOST;
    case Category::kInternal:
      break;
  }
  return COWBENCH_INTERNAL;
}

inline Category category_of(cowbench_status status) {
  switch (status) {
    case COWBENCH_UNSUPPORTED:
      return Category::kUnsupported;
    case COWBENCH_NOT_AVAILABLE:
      return Category::kNotAvailable;
    case COWBENCH_BAD_CONFIG:
      return Category::kUsage;
    case COWBENCH_TOOL_FAILED:
      return Category::kToolFailed;
    case COWBENCH_TIMEOUT:
      return Category::kTimeout;
    case COWBENCH_CANCELLED:
      return Category::kCancelled;
    case COWBENCH_NO_SPACE:
      return Category::kNoSpace;
    case COWBENCH_DEVICE_LOST:
      return Category::kDeviceLost;
    default:  // also a status that a newer plugin knows
      return Category::kInternal;
  }
}

}  // namespace cowbench
