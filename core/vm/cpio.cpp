// SPDX-License-Identifier: Apache-2.0
#include "vm/cpio.hpp"

#include <sys/stat.h>

#include <cstdio>
#include <utility>

namespace cowbench {

namespace {

void append_hex(std::string& bytes, std::uint64_t number) {
  char digits[9];
  std::snprintf(digits, sizeof digits, "%08x",
                static_cast<unsigned>(number & 0xffffffffU));
  bytes += digits;
}

void pad(std::string& bytes) { bytes.resize((bytes.size() + 3) / 4 * 4, '\0'); }

}  // namespace

void CpioArchive::add(const std::string& path, std::uint32_t mode,
                      std::string_view content) {
  bytes_ += "070701";
  const std::uint32_t links = S_ISDIR(mode) ? 2 : 1;
  // inode, mode, uid, gid, links, time, size, four numbers of devices, length
  // of the name with its end, checksum (not used).
  for (const std::uint64_t field :
       {std::uint64_t{++number_}, std::uint64_t{mode}, std::uint64_t{0},
        std::uint64_t{0}, std::uint64_t{links}, std::uint64_t{0},
        std::uint64_t{content.size()}, std::uint64_t{0}, std::uint64_t{0},
        std::uint64_t{0}, std::uint64_t{0}, std::uint64_t{path.size() + 1},
        std::uint64_t{0}}) {
    append_hex(bytes_, field);
  }
  bytes_ += path;
  bytes_ += '\0';
  pad(bytes_);
  bytes_ += content;
  pad(bytes_);
}

void CpioArchive::add_folder(const std::string& path, std::uint32_t mode) {
  add(path, S_IFDIR | mode, "");
}

void CpioArchive::add_file(const std::string& path, std::string_view content,
                           std::uint32_t mode) {
  add(path, S_IFREG | mode, content);
}

std::string CpioArchive::finish() && {
  add("TRAILER!!!", 0, "");
  return std::move(bytes_);
}

}  // namespace cowbench
