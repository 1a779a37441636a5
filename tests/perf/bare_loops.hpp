// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

// The measuring stick: the system calls of the timed loops and nothing else,
// written without the workloads library. Any failure ends the program.
namespace bare {

struct File {
  std::string name;
  std::size_t bytes;
};
struct Directory {
  std::string name;
  std::vector<File> files;
};

// All in memory before a clock starts, like the workloads' own preparation.
void create_tree(const char* root, const std::vector<Directory>& directories,
                 const char* content);

void create_files(const char* path, const std::vector<std::string>& names);
std::size_t enumerate(const char* path, char* buffer, std::size_t bytes);
std::size_t enumerate_and_stat(const char* path, char* buffer,
                               std::size_t bytes);
std::size_t remove_files(const char* path, char* buffer, std::size_t bytes);

}  // namespace bare
