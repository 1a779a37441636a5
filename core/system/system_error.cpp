// SPDX-License-Identifier: Apache-2.0
#include "system/system_error.hpp"

#include <cerrno>
#include <system_error>

namespace cowbench {
namespace {

Category category_of(int error) {
  switch (error) {
    case ENOSPC:
    case EDQUOT:
      return Category::kNoSpace;
    case EPERM:
    case EACCES:
    case ENOSYS:
      return Category::kNotAvailable;
    case ENXIO:
    case ENODEV:
      return Category::kDeviceLost;
    default:
      return Category::kToolFailed;
  }
}

}  // namespace

std::string errno_text(int error) {
  return std::generic_category().message(error);
}

Error system_error(std::string_view action, std::string_view subject,
                   int error) {
  std::string message(action);
  if (!subject.empty()) {
    message += ' ';
    message += subject;
  }
  return Error(category_of(error), message + ": " + errno_text(error));
}

}  // namespace cowbench
