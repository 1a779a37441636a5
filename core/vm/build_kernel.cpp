// SPDX-License-Identifier: Apache-2.0
// The stage of the kernel: its packages, unpacked and not installed.
#include <fnmatch.h>

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "base/text.hpp"
#include "system/file.hpp"
#include "vm/builder.hpp"

namespace cowbench {

namespace {

namespace fs = std::filesystem;

constexpr char kKernelMethod[] = "kernel 1";

bool matches_any(const std::vector<std::string>& patterns,
                 const std::string& name) {
  return std::any_of(patterns.begin(), patterns.end(), [&](const auto& glob) {
    return fnmatch(glob.c_str(), name.c_str(), 0) == 0;
  });
}

bool ends_in(const std::string& text, std::string_view end) {
  return text.size() >= end.size() &&
         text.compare(text.size() - end.size(), end.size(), end) == 0;
}

// The packages at a path: itself, or those in the folder.
std::vector<std::string> packages_at(const std::string& path) {
  if (ends_in(path, ".deb")) return {path};
  std::vector<std::string> found;
  for (const std::string& name : list_folder(path)) {
    if (ends_in(name, ".deb")) found.push_back(path + "/" + name);
  }
  return found;
}

// Where the modules of the one kernel below a tree lie.
Result<std::string> modules_folder(const std::string& tree) {
  std::vector<std::string> found;
  for (const char* place : {"/lib/modules", "/usr/lib/modules"}) {
    for (const std::string& release : list_folder(tree + place)) {
      const std::string folder = tree + place + "/" + release;
      if (path_exists(folder + "/kernel")) found.push_back(folder);
    }
  }
  if (found.size() == 1) return found.front();
  return Error(Category::kEnvironment,
               found.empty()
                   ? "there are no modules of a kernel (lib/modules/RELEASE) "
                     "in " +
                         tree
                   : "there are several kernels in " + tree + ": " +
                         join(found, ", ") + "; give one");
}

Status copy(const std::string& from, const std::string& to) {
  std::error_code error;
  fs::copy(from, to,
           fs::copy_options::recursive | fs::copy_options::skip_symlinks,
           error);
  if (!error) return {};
  return Error(error == std::errc::no_space_on_device ? Category::kNoSpace
                                                      : Category::kToolFailed,
               "copy " + from + " to " + to + ": " + error.message());
}

// Takes from a tree what guests need: vmlinuz, modules/ and release.
Status take_kernel(const std::string& tree, const std::string& folder) {
  auto modules = modules_folder(tree);
  if (!modules) return modules.error();
  const std::string release = fs::path(*modules).filename().string();
  std::string image = tree + "/boot/vmlinuz-" + release;
  if (!path_exists(image)) image = *modules + "/vmlinuz";
  if (!path_exists(image)) {
    return Error(Category::kEnvironment,
                 "there is no vmlinuz of kernel " + release + " in " + tree);
  }
  if (Status done = copy(image, folder + "/vmlinuz"); !done) return done;
  if (Status done = copy(*modules, folder + "/modules"); !done) return done;
  return write_file_durable(folder + "/release", release);
}

}  // namespace

Error Builder::no_such_kernel(const std::string& package) const {
  std::string message = "there is no kernel package " + package + " in " +
                        kernel_.suite + " of " + mirror_;
  if (auto names = apt_->names("linux-image-")) {
    std::vector<std::string> packaged;
    for (const std::string& name : *names) {
      if (!ends_in(name, "-dbg") && !ends_in(name, "-unsigned")) {
        packaged.push_back(name);
      }
    }
    message +=
        did_you_mean(package, packaged) + "; there is: " + join(packaged, ", ");
  }
  return Error(Category::kEnvironment, message);
}

Status Builder::find_packaged_kernel(const std::string& package) {
  if (Status opened = open_apt(); !opened) return opened;
  auto names = apt_->names(package);
  if (!names) return names.error();
  if (!std::binary_search(names->begin(), names->end(), package)) {
    return no_such_kernel(package);
  }
  auto all = apt_->resolve({package}, {{kernel_.suite, {"*"}}});
  if (!all) return all.error().within("the kernel " + package);
  std::string text;
  for (const PackageVersion& found : *all) {
    if (!matches_any(recipe_.kernel.parts, found.name)) continue;
    kernel_.parts.push_back(found);
    text += found.name + " " + found.version + "\n";
  }
  if (kernel_.parts.empty()) {
    return Error(Category::kEnvironment, "the package " + package +
                                             " brings no kernel; the recipe's "
                                             "patterns are " +
                                             join(recipe_.kernel.parts, ", "));
  }
  kernel_.package = package;
  kernel_.key = content_key({kKernelMethod, text});
  return {};
}

Status Builder::find_kernel_at_path() {
  if (!path_exists(kernel_.path)) {
    return Error(Category::kUsage, "--kernel " + kernel_.path +
                                       ": there is no such file or folder");
  }
  if (Status opened = open_apt(); !opened) return opened;
  kernel_.fingerprint = fingerprint_of(kernel_.path);
  kernel_.key = content_key({kKernelMethod, kernel_.fingerprint});
  return {};
}

Status Builder::find_kernel() {
  const std::string& asked = request_.kernel;
  kernel_.suite =
      recipe_.kernel.suite.empty() ? recipe_.suite : recipe_.kernel.suite;
  kernel_.source = asked.empty() ? kernel_.suite : asked;
  if (is_kernel_path(asked)) {
    kernel_.path = kernel_path(asked);
    kernel_.source = kernel_.path;
    return find_kernel_at_path();
  }
  if (asked.empty()) return find_packaged_kernel(recipe_.kernel.package);
  if (asked.rfind("linux-", 0) == 0) return find_packaged_kernel(asked);
  if (std::isdigit(static_cast<unsigned char>(asked.front())) != 0) {
    return find_packaged_kernel("linux-image-" + asked);
  }
  kernel_.suite = asked;
  return find_packaged_kernel(recipe_.kernel.package);
}

Status Builder::build_kernel() {
  const auto make = [&](const std::string& folder) -> Status {
    std::vector<std::string> packages = packages_at(kernel_.path);
    std::string tree = folder + "/tree";
    if (kernel_.path.empty()) {
      const std::string debs = folder + "/debs";
      if (Status got = apt_->download(kernel_.parts, debs); !got) return got;
      packages = packages_at(debs);
    } else if (packages.empty()) {
      return take_kernel(kernel_.path, folder);
    }
    for (const std::string& package : packages) {
      Command unpack;
      unpack.argv = {"dpkg-deb", "--extract", package, tree};
      if (auto ran = run_checked(unpack, request_.should_stop); !ran) {
        return ran.error();
      }
    }
    if (Status taken = take_kernel(tree, folder); !taken) return taken;
    if (Status gone = remove_tree(folder + "/debs"); !gone) return gone;
    return remove_tree(tree);
  };
  kernel_stage_ = StageStore::relative("kernel", kernel_.key);
  auto folder = stage("kernel", kernel_.key, make);
  if (!folder) return folder.error();
  kernel_.release = read_trimmed(*folder + "/release");
  return {};
}

}  // namespace cowbench
