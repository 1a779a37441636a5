// SPDX-License-Identifier: Apache-2.0
// The passphrase of an encrypted filesystem and the kernel's key made of it.
#pragma once

#include <cowbench/host.hpp>
#include <string>

namespace cowbench::bcachefs {

// Makes a passphrase of 32 random bytes, written in hexadecimal, in a file of
// mode 0600 in the layer's memory directory, and answers it. Throws
// std::system_error.
std::string make_passphrase(const std::string& memory_directory);

// Throws Error(COWBENCH_NOT_AVAILABLE) when the file isn't there any more.
std::string read_passphrase(const std::string& memory_directory);

void forget_passphrase(const std::string& memory_directory);

// A session keyring that only this process and its children see, with the key
// of a filesystem in it: mount(2) looks for the key there. The key is gone
// with the object, at the latest with the process; nothing has to be undone.
class UnlockedKey {
 public:
  // Lets `bcachefs unlock` put the key of the filesystem on `device` there and
  // checks that it is. Throws Error(COWBENCH_TOOL_FAILED).
  UnlockedKey(const Host& host, const std::string& uuid,
              const std::string& device);
  UnlockedKey(const UnlockedKey&) = delete;
  UnlockedKey& operator=(const UnlockedKey&) = delete;
  ~UnlockedKey();
};

}  // namespace cowbench::bcachefs
