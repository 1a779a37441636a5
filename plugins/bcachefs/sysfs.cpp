// SPDX-License-Identifier: Apache-2.0
#include "bcachefs/sysfs.hpp"

#include <dirent.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cowbench/error.hpp>
#include <fstream>
#include <memory>
#include <sstream>

#include "bcachefs/words.hpp"

namespace cowbench::bcachefs {
namespace {

struct CloseDirectory {
  void operator()(DIR* directory) const { closedir(directory); }
};

std::vector<std::string> names_in(const std::string& path) {
  std::vector<std::string> names;
  const std::unique_ptr<DIR, CloseDirectory> directory(opendir(path.c_str()));
  if (!directory) return names;
  while (const dirent* entry = readdir(directory.get())) {
    if (entry->d_name[0] != '.') names.emplace_back(entry->d_name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

// Empty when it cannot be read: some attributes may only be written.
std::string read_text(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return trimmed(text.str());
}

}  // namespace

bool is_up(const std::string& uuid, const std::string& root) {
  struct stat facts {};
  return !uuid.empty() && stat((root + "/" + uuid).c_str(), &facts) == 0;
}

std::map<std::string, std::string> read_options(const std::string& uuid,
                                                const std::string& root) {
  const std::string folder = root + "/" + uuid + "/options";
  std::map<std::string, std::string> options;
  for (const std::string& name : names_in(folder)) {
    options[name] = selected(read_text(folder + "/" + name));
  }
  if (options.empty()) {
    throw Error(COWBENCH_DEVICE_LOST, "the kernel has no bcachefs " + uuid +
                                          " up: " + folder + " is not there");
  }
  return options;
}

std::vector<std::string> read_devices(const std::string& uuid,
                                      const std::string& root) {
  std::vector<std::string> devices;
  const std::string folder = root + "/" + uuid;
  for (const std::string& name : names_in(folder)) {
    if (name.rfind("dev-", 0) != 0) continue;
    char target[4096];
    const std::string link = folder + "/" + name + "/block";
    const ssize_t length = readlink(link.c_str(), target, sizeof target);
    if (length <= 0) continue;
    const std::string path(target, static_cast<std::size_t>(length));
    devices.push_back(path.substr(path.rfind('/') + 1));
  }
  std::sort(devices.begin(), devices.end());
  return devices;
}

bool wait_until_gone(const std::string& uuid, std::uint64_t timeout_ns,
                     const std::string& root) {
  constexpr std::uint64_t kPauseNs = 50'000'000;
  for (std::uint64_t waited = 0; is_up(uuid, root); waited += kPauseNs) {
    if (waited >= timeout_ns) return false;
    const timespec pause = {0, static_cast<long>(kPauseNs)};
    nanosleep(&pause, nullptr);
  }
  return true;
}

std::string module_version(const std::string& root) {
  const auto number = number_of(read_text(root + "/parameters/version"));
  std::string text;
  if (number) {
    // The major number stands above ten bits of the minor one.
    text = "on-disk format " + std::to_string(*number >> 10) + "." +
           std::to_string(*number & 1023) + ", ";
  }
  const bool foreign =
      read_text(root + "/taint").find('O') != std::string::npos;
  return text + (foreign ? "out of tree" : "the kernel's own");
}

}  // namespace cowbench::bcachefs
