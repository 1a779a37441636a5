// SPDX-License-Identifier: Apache-2.0
#include "vm/guest_machine.hpp"

#include "base/text.hpp"

namespace cowbench {

GuestMachine guest_machine(const GuestImage& image,
                           const std::vector<std::string>& words) {
  GuestMachine machine;
  machine.vmlinuz = image.vmlinuz;
  machine.initrd = image.initrd;
  machine.own_disks = {{"root", image.root, true, 0, 0},
                       {"modules", image.modules, true, 0, 0}};
  // A kernel in trouble must end, at once and saying so: panic=-1 restarts,
  // which the emulator takes for its end.
  machine.command_line = {"console=ttyS0", "quiet",          "panic=-1",
                          "oops=panic",    "no_timer_check", "tsc=reliable"};
  machine.command_line.insert(machine.command_line.end(),
                              image.command_line.begin(),
                              image.command_line.end());
  if (!image.modprobe.empty()) {
    machine.command_line.push_back("cowbench.modprobe=" +
                                   join(image.modprobe, ","));
  }
  machine.command_line.insert(machine.command_line.end(), words.begin(),
                              words.end());
  return machine;
}

}  // namespace cowbench
