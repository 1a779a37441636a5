// SPDX-License-Identifier: Apache-2.0
#include "system/proc.hpp"

#include <charconv>

#include "base/text.hpp"
#include "system/file.hpp"

namespace cowbench {

std::vector<pid_t> all_pids() {
  std::vector<pid_t> pids;
  for (const auto& name : list_folder("/proc")) {
    pid_t pid = 0;
    const char* end = name.data() + name.size();
    const auto parsed = std::from_chars(name.data(), end, pid);
    if (parsed.ec == std::errc() && parsed.ptr == end) pids.push_back(pid);
  }
  return pids;
}

std::string proc_path(pid_t pid, const std::string& name) {
  return "/proc/" + std::to_string(pid) + "/" + name;
}

std::string command_of(pid_t pid) {
  const auto text = read_file(proc_path(pid, "cmdline"));
  if (!text || text->empty()) {
    return "[" + read_trimmed(proc_path(pid, "comm")) + "]";
  }
  auto argv = split(*text, '\0');
  // Every argument ends in a zero byte, so the last piece is empty.
  if (argv.back().empty()) argv.pop_back();
  return shell_quote(argv);
}

}  // namespace cowbench
