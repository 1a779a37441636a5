// SPDX-License-Identifier: Apache-2.0
// How plugin code fails: it throws; the SDK turns that into a status.
#pragma once

#include <cowbench/abi/types.h>

#include <cerrno>
#include <new>
#include <stdexcept>
#include <string>
#include <system_error>

namespace cowbench {
inline namespace v0 {

// Thrown by plugin code and by Host. The message says what was tried, on
// what, and what happened. Never leaves the library: every call from the
// runner is fenced.
class Error : public std::runtime_error {
 public:
  Error(cowbench_status status, const std::string& message)
      : std::runtime_error(message), status_(status) {}
  cowbench_status status() const noexcept { return status_; }

 private:
  cowbench_status status_;
};

namespace detail {

inline cowbench_status status_of_errno(int error) noexcept {
  switch (error) {
    case ENOSPC:
    case EDQUOT:
      return COWBENCH_NO_SPACE;
    case EIO:
    case ENXIO:
    case ENODEV:
    case EROFS:
      return COWBENCH_DEVICE_LOST;
    case ECANCELED:
      return COWBENCH_CANCELLED;
    case ETIMEDOUT:
      return COWBENCH_TIMEOUT;
    default:
      return COWBENCH_TOOL_FAILED;
  }
}

// Runs `body`; whatever it throws becomes a status, with the text handed to
// `report(status, text)` while the exception object is still alive.
template <typename Report, typename Body>
cowbench_status fence(Report&& report, Body&& body) noexcept {
  try {
    body();
    return COWBENCH_OK;
  } catch (const Error& error) {
    report(error.status(), error.what());
    return error.status();
  } catch (const std::system_error& error) {
    const cowbench_status status = status_of_errno(error.code().value());
    report(status, error.what());
    return status;
  } catch (const std::exception& error) {
    report(COWBENCH_INTERNAL, error.what());
  } catch (...) {
    report(COWBENCH_INTERNAL, "an exception of unknown type");
  }
  return COWBENCH_INTERNAL;
}

}  // namespace detail
}  // namespace v0
}  // namespace cowbench
