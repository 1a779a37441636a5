// SPDX-License-Identifier: Apache-2.0
#include "vm/guest_image.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "base/json.hpp"
#include "base/text.hpp"
#include "system/file.hpp"
#include "vm/stage.hpp"

namespace cowbench {

namespace {

constexpr char kRootsCache[] = "/var/cache/cowbench";
// Raised when older programs would misread a guest.json.
constexpr std::int64_t kFormat = 1;

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::string absolute(const std::string& path) {
  return std::filesystem::absolute(path).lexically_normal().string();
}

std::vector<std::string> texts_at(const JsonValue& object, const char* key) {
  std::vector<std::string> texts;
  const JsonValue* list = member_at(object, key);
  if (list == nullptr || !list->IsArray()) return texts;
  for (const JsonValue& item : list->GetArray()) {
    if (item.IsString()) texts.emplace_back(item.GetString());
  }
  return texts;
}

std::vector<ExtraModule> extra_modules_of(const JsonValue& guest,
                                          const std::string& cache) {
  std::vector<ExtraModule> modules;
  const JsonValue* list = member_at(guest, "extra_modules");
  if (list == nullptr || !list->IsArray()) return modules;
  for (const JsonValue& item : list->GetArray()) {
    if (!item.IsObject()) continue;
    ExtraModule module;
    module.name = string_at(item, "name");
    module.version = string_at(item, "version");
    module.outcome = string_at(item, "outcome");
    module.reason = string_at(item, "reason");
    module.log = string_at(item, "log");
    if (!module.log.empty()) module.log = cache + "/" + module.log;
    modules.push_back(std::move(module));
  }
  return modules;
}

void read_packages(const JsonValue& guest, GuestImage& image) {
  const JsonValue* packages = member_at(guest, "packages");
  if (packages == nullptr || !packages->IsObject()) return;
  for (const auto& package : packages->GetObject()) {
    if (package.value.IsString()) {
      image.packages[package.name.GetString()] = package.value.GetString();
    }
  }
}

// The files that a guest boots from; adds up their sizes.
Status read_files(const JsonValue& guest, GuestImage& image) {
  const std::pair<const char*, std::string*> files[] = {
      {"vmlinuz", &image.vmlinuz},
      {"initrd", &image.initrd},
      {"root", &image.root},
      {"modules", &image.modules}};
  for (const auto& [key, path] : files) {
    const std::string relative = string_at(guest, key);
    if (relative.empty()) {
      return Error(Category::kEnvironment,
                   std::string("names no file for \"") + key + "\"");
    }
    *path = image.cache + "/" + relative;
    struct stat facts = {};
    if (stat(path->c_str(), &facts) != 0) {
      return Error(Category::kEnvironment, *path + " is not there any more");
    }
    image.bytes += static_cast<std::uint64_t>(facts.st_size);
  }
  return {};
}

Result<GuestImage> guest_of(const JsonValue& guest, const std::string& cache) {
  if (!guest.IsObject() || int_at(guest, "format") != kFormat) {
    return Error(Category::kEnvironment,
                 "was written by another version of cowbench");
  }
  GuestImage image;
  image.cache = cache;
  image.name = string_at(guest, "name");
  image.key = string_at(guest, "key");
  image.suite = string_at(guest, "suite");
  image.kernel_release = string_at(guest, "kernel_release");
  image.kernel_source = string_at(guest, "kernel_source");
  image.kernel_fingerprint = string_at(guest, "kernel_fingerprint");
  image.built_at = string_at(guest, "built_at");
  image.missing_modules = texts_at(guest, "missing_modules");
  image.extra_modules = extra_modules_of(guest, cache);
  read_packages(guest, image);
  if (const JsonValue* recipe = member_at(guest, "recipe")) {
    image.command_line = texts_at(*recipe, "command_line");
    image.modprobe = texts_at(*recipe, "modprobe");
  }
  if (Status files = read_files(guest, image); !files) return files.error();
  return image;
}

bool has_guest(const std::vector<GuestImage>& guests, const std::string& name) {
  for (const GuestImage& guest : guests) {
    if (guest.name == name) return true;
  }
  return false;
}

}  // namespace

std::string guest_cache_folder(const std::string& given) {
  if (!given.empty()) return absolute(given);
  const std::string set = environment("COWBENCH_CACHE_DIR");
  if (!set.empty()) return absolute(set);
  if (geteuid() == 0) return kRootsCache;
  const std::string xdg = environment("XDG_CACHE_HOME");
  if (!xdg.empty()) return absolute(xdg + "/cowbench");
  const std::string home = environment("HOME");
  return absolute((home.empty() ? "/var/tmp" : home) + "/.cache/cowbench");
}

std::vector<std::string> guest_cache_folders(const std::string& given) {
  std::vector<std::string> folders = {guest_cache_folder(given)};
  const bool chosen =
      !given.empty() || !environment("COWBENCH_CACHE_DIR").empty();
  if (!chosen && folders.front() != kRootsCache) {
    folders.emplace_back(kRootsCache);
  }
  return folders;
}

bool is_kernel_path(const std::string& kernel) {
  return kernel.find('/') != std::string::npos || kernel.ends_with(".deb");
}

std::string kernel_path(const std::string& kernel) {
  std::string path = absolute(kernel);
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  return path;
}

Result<GuestImage> read_guest(const std::string& cache,
                              const std::string& name) {
  const std::string path = cache + "/guests/" + name + "/guest.json";
  auto text = read_file(path);
  if (!text) return text.error();
  auto json = parse_json(*text);
  if (!json) return json.error().within(path);
  auto image = guest_of(*json, cache);
  if (!image) return image.error().within(path);
  return image;
}

GuestList list_guests(const std::vector<std::string>& caches) {
  GuestList found;
  for (const std::string& cache : caches) {
    for (const std::string& name : list_folder(cache + "/guests")) {
      const std::string path = cache + "/guests/" + name + "/guest.json";
      if (!path_exists(path) || has_guest(found.guests, name)) continue;
      auto image = read_guest(cache, name);
      if (image) {
        found.guests.push_back(*std::move(image));
      } else {
        found.unusable.push_back({path, image.error().message()});
      }
    }
  }
  return found;
}

Result<GuestImage> find_guest(const std::vector<std::string>& caches,
                              const std::string& wanted) {
  GuestList found = list_guests(caches);
  std::vector<std::string> known;
  for (GuestImage& guest : found.guests) {
    if (guest.name == wanted) return std::move(guest);
    known.push_back(guest.name);
  }
  const std::string source =
      is_kernel_path(wanted) ? kernel_path(wanted) : wanted;
  for (GuestImage& guest : found.guests) {
    if (guest.kernel_release == wanted) return std::move(guest);
    if (guest.kernel_source != source) continue;
    if (is_kernel_path(wanted) &&
        fingerprint_of(source) != guest.kernel_fingerprint) {
      return Error(Category::kEnvironment,
                   "the kernel at " + source + " has changed since guest " +
                       guest.name +
                       " was built of it; build it again: cowbench vm build "
                       "--kernel " +
                       source);
    }
    return std::move(guest);
  }
  std::string message = "there is no guest \"" + wanted + "\"" +
                        did_you_mean(wanted, known) + " in " +
                        join(caches, " or ");
  for (const UnusableGuest& guest : found.unusable) {
    message += "; " + guest.reason;
  }
  message += known.empty() ? "; there is none at all"
                           : "; there is: " + join(known, ", ");
  return Error(Category::kEnvironment,
               message + "; build it: cowbench vm build");
}

}  // namespace cowbench
