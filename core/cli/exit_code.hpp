// SPDX-License-Identifier: Apache-2.0
// The program's exit codes, as documented in the help and the man page.
#pragma once

#include "base/result.hpp"

namespace cowbench {

enum ExitCode : int {
  kExitOk = 0,
  kExitJobFailed = 1,    // a job, or a check, failed
  kExitUsage = 2,        // the request is wrong
  kExitEnvironment = 3,  // this machine lacks something
  kExitRegression = 4,   // compare --fail-on: proven worse
  kExitInternal = 70,    // a bug in cowbench
  // Only with --bisect, as `git bisect run` understands them.
  kExitCannotTest = 125,  // neither good nor bad
  kExitStopBisect = 129,  // the command itself is wrong
  kExitInterrupted = 130,
  kExitTerminated = 143,
};

inline ExitCode exit_code_of(const Error& error) {
  switch (error.category()) {
    case Category::kUsage:
      return kExitUsage;
    case Category::kEnvironment:
    case Category::kNotAvailable:
    case Category::kNoSpace:
      return kExitEnvironment;
    case Category::kCancelled:
      return kExitInterrupted;
    case Category::kInternal:
      return kExitInternal;
    default:
      return kExitJobFailed;
  }
}

}  // namespace cowbench
