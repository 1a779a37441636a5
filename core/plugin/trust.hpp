// SPDX-License-Identifier: Apache-2.0
// Who may provide code that the runner, often root, is about to run.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <vector>

#include "base/result.hpp"

namespace cowbench {

// Root and the invoking user: SUDO_UID when running as root under sudo, the
// effective user otherwise.
std::vector<uid_t> trusted_owners();

// Whether this process has privileges that its caller does not have: root by
// way of sudo, or set-user-ID. Then the caller's environment names no code.
bool privileges_raised();

// Refuses `real_path` (absolute, without symbolic links) unless it and every
// directory above it belong to one of `owners` and can be written by nobody
// else. A directory with the sticky bit may be writable: there only owners
// replace their entries, and the entry is checked too. The message names what
// is wrong and the command that puts it right.
Status check_trusted(const std::filesystem::path& real_path,
                     const std::vector<uid_t>& owners);

}  // namespace cowbench
