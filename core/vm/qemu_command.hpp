// SPDX-License-Identifier: Apache-2.0
// The emulator's command line. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace cowbench {

inline constexpr char kEmulator[] = "qemu-system-x86_64";
// Of every member's image, the same for all; as results name it.
inline constexpr char kCacheMode[] = "writeback";

struct GuestDisk {
  std::string serial;  // at most 20 bytes
  std::string image;   // raw, on this machine
  bool read_only = false;
  // 0: no limit.
  std::uint64_t iops = 0;
  std::uint64_t bytes_per_second = 0;
};

// A folder of this machine that the guest mounts.
struct GuestShare {
  std::string tag;
  std::string folder;        // on this machine
  std::string guest_folder;  // where the guest puts it
  bool read_only = true;
};

// Everything that a virtual machine is made of.
struct GuestMachine {
  std::string accelerator = "tcg";  // or "kvm"
  std::uint32_t memory_mib = 0;
  std::uint32_t cpus = 1;
  std::string vmlinuz;
  std::string initrd;
  std::vector<std::string> command_line;  // words for the kernel
  // Disks of the guest itself (root, modules), then those of the members.
  std::vector<GuestDisk> own_disks;
  std::vector<GuestDisk> member_disks;
  std::vector<GuestShare> shares;
  std::string console_path;  // the serial console goes into this file,
  int console_fd = -1;       // or to and from this socket
  int control_fd = -1;       // QMP; -1: none
  int port_fd = -1;          // the virtio port "cowbench"; -1: none

  bool emulated() const { return accelerator != "kvm"; }
};

// The whole argument vector.
std::vector<std::string> qemu_command(const GuestMachine& machine);

// The most disks of members that one machine has slots for.
inline constexpr std::size_t kMaximumMemberDisks = 20;

}  // namespace cowbench
