// SPDX-License-Identifier: Apache-2.0
// The archive that a Linux kernel unpacks into its first root ("newc").
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace cowbench {

// Collects folders and files, all of root and of no time, so that the same
// content gives the same bytes. One thread.
class CpioArchive {
 public:
  // Paths without a leading slash; a folder before what lies in it.
  void add_folder(const std::string& path, std::uint32_t mode = 0755);
  void add_file(const std::string& path, std::string_view content,
                std::uint32_t mode = 0644);
  // The whole archive. Nothing can be added after that.
  std::string finish() &&;

 private:
  void add(const std::string& path, std::uint32_t mode,
           std::string_view content);

  std::string bytes_;
  std::uint32_t number_ = 0;
};

}  // namespace cowbench
