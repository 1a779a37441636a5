// SPDX-License-Identifier: Apache-2.0
#include <sys/stat.h>

#include <algorithm>
#include <charconv>

#include "base/text.hpp"
#include "system/file.hpp"
#include "system/mount.hpp"

namespace cowbench {
namespace {

bool is_octal(char c) { return c >= '0' && c <= '7'; }

// The kernel writes blanks and backslashes as \040 and so on.
std::string unescape(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 3 < text.size() && is_octal(text[i + 1]) &&
        is_octal(text[i + 2]) && is_octal(text[i + 3])) {
      plain += static_cast<char>((text[i + 1] - '0') * 64 +
                                 (text[i + 2] - '0') * 8 + text[i + 3] - '0');
      i += 3;
    } else {
      plain += text[i];
    }
  }
  return plain;
}

int to_int(const std::string& text) {
  int number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

// id parent major:minor root target options [tags...] - type source fs_options
std::optional<MountEntry> parse_line(std::string_view line) {
  const auto fields = split(line, ' ');
  const auto dash = std::find(fields.begin(), fields.end(), "-");
  if (dash - fields.begin() < 6 || fields.end() - dash < 4) {
    return std::nullopt;
  }
  const auto device = parse_device_number(fields[2]);
  if (!device) return std::nullopt;
  MountEntry entry;
  entry.id = to_int(fields[0]);
  entry.parent_id = to_int(fields[1]);
  entry.device = *device;
  entry.root = unescape(fields[3]);
  entry.target = unescape(fields[4]);
  entry.options = fields[5];
  entry.type = dash[1];
  entry.source = unescape(dash[2]);
  entry.fs_options = unescape(dash[3]);
  return entry;
}

bool is_below(const std::string& path, const std::string& folder) {
  if (folder == "/" || path == folder) return true;
  return path.size() > folder.size() && path.starts_with(folder) &&
         path[folder.size()] == '/';
}

std::vector<MountEntry> entries() {
  auto table = mount_table();
  return table ? std::move(*table) : std::vector<MountEntry>();
}

}  // namespace

std::vector<MountEntry> parse_mountinfo(std::string_view text) {
  std::vector<MountEntry> table;
  for (const auto& line : split(text, '\n')) {
    if (auto entry = parse_line(line)) table.push_back(std::move(*entry));
  }
  return table;
}

Result<std::vector<MountEntry>> mount_table() {
  const auto text = read_file("/proc/self/mountinfo");
  if (!text) return text.error().within("read the mount table");
  return parse_mountinfo(*text);
}

std::optional<MountEntry> find_mount(const std::string& target) {
  const auto table = entries();
  const auto topmost = [&table](const std::string& wanted) {
    return std::find_if(table.rbegin(), table.rend(), [&](const auto& entry) {
      return entry.target == wanted;
    });
  };
  // As written first: resolving a path can hang where a filesystem is stuck.
  auto found = topmost(target);
  if (found == table.rend()) found = topmost(canonical_path(target));
  if (found == table.rend()) return std::nullopt;
  return *found;
}

std::optional<MountEntry> mount_containing(const std::string& path) {
  const std::string wanted = canonical_path(path);
  std::optional<MountEntry> found;
  for (auto& entry : entries()) {
    // Of two mounts on one target the later one covers the earlier.
    if (is_below(wanted, entry.target) &&
        (!found || entry.target.size() >= found->target.size())) {
      found = std::move(entry);
    }
  }
  return found;
}

std::vector<MountEntry> mounts_of_device(const std::string& path) {
  const std::string wanted = canonical_path(path);
  struct stat facts {};
  const bool block =
      stat(wanted.c_str(), &facts) == 0 && S_ISBLK(facts.st_mode);
  std::vector<MountEntry> found;
  for (auto& entry : entries()) {
    const bool by_number =
        block && entry.device == device_number(facts.st_rdev);
    const bool by_source = entry.source.starts_with("/dev/") &&
                           canonical_path(entry.source) == wanted;
    if (by_number || by_source) {
      found.push_back(std::move(entry));
    }
  }
  return found;
}

std::vector<MountEntry> mounts_below(const std::string& folder) {
  const std::string wanted = canonical_path(folder);
  std::vector<MountEntry> found;
  for (auto& entry : entries()) {
    if (is_below(entry.target, wanted)) found.push_back(std::move(entry));
  }
  // Later mounts may lie on earlier ones, never the other way round.
  std::reverse(found.begin(), found.end());
  std::stable_sort(found.begin(), found.end(),
                   [](const MountEntry& a, const MountEntry& b) {
                     return a.target.size() > b.target.size();
                   });
  return found;
}

}  // namespace cowbench
