// SPDX-License-Identifier: Apache-2.0
// The parts of a virtual machine that come from a built guest. Pure.
#pragma once

#include <string>
#include <vector>

#include "vm/guest_image.hpp"
#include "vm/qemu_command.hpp"

namespace cowbench {

// Kernel, root, modules and the kernel's command line, `words` at its end.
// What is left to say: accelerator, memory, console, shares, members.
GuestMachine guest_machine(const GuestImage& image,
                           const std::vector<std::string>& words);

}  // namespace cowbench
