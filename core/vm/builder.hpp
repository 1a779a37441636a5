// SPDX-License-Identifier: Apache-2.0
// The stages of a build; only build*.cpp use this.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "vm/apt.hpp"
#include "vm/build.hpp"
#include "vm/stage.hpp"

namespace cowbench {

// A kernel that has been found, packaged or not.
struct Kernel {
  std::string key;
  std::string source;       // as asked for, for people
  PackageVersions parts;    // packages to fetch; empty for one at a path
  std::string path;         // empty for packages
  std::string fingerprint;  // of what lies at the path
  std::string package;      // that pulls it in
  std::string suite;
  std::string release;  // known once its stage is there
};

class Builder {
 public:
  explicit Builder(const BuildRequest& request);

  Result<BuildResult> build();

 private:
  using Stage = std::pair<std::string, std::string>;  // name and key
  struct BuiltModule {
    ExtraModule module;
    std::string key;
    std::string folder;  // with the modules; empty when there are none
  };
  // Makes a stage's content in the folder given.
  using Make = std::function<Status(const std::string& folder)>;

  // build.cpp
  Status check_tools() const;
  Status check_space() const;
  Status open_apt();
  // Runs `make` unless the stage is there; reports either. Answers its folder.
  Result<std::string> stage(const std::string& name, const std::string& key,
                            const Make& make, const std::string& note = {});
  Result<std::string> script(const std::string& name) const;
  Status write_guest(const std::string& key);
  Result<BuildResult> conclude();

  // build_root.cpp
  Status build_root();
  // The part of an mmdebstrap call that all have in common.
  Command debootstrap(const char* variant,
                      const std::vector<std::string>& packages,
                      const std::string& folder) const;
  Status run_debootstrap(Command command, const std::string& folder) const;

  // build_kernel.cpp
  Status find_kernel();
  Status find_packaged_kernel(const std::string& package);
  Status find_kernel_at_path();
  Status build_kernel();
  Error no_such_kernel(const std::string& package) const;

  // build_module.cpp
  Status build_module(const ModulePart& part);
  struct ModulePackages {
    PackageVersions unpacked;
    std::vector<std::string> installed;
    std::string version;  // of the package with the sources
    std::string text;     // all of them, for the key
  };
  Result<ModulePackages> module_packages(const ModulePart& part,
                                         const std::vector<AptPin>& pins) const;
  Status make_module(const ModulePackages& packages,
                     const std::vector<AptPin>& pins,
                     const std::string& settings,
                     const std::string& build_script,
                     const std::string& folder) const;
  Status build_module_stage(const ModulePart& part, BuiltModule& built);
  std::string filled_in(std::string text) const;

  // build_images.cpp
  Status build_modules();
  Status make_modules(const std::string& folder);
  Status copy_modules(const std::string& to,
                      std::vector<std::string>& missing) const;
  Status copy_extra_modules(const std::string& to) const;
  Status take_initrd_modules(const std::string& tree,
                             const std::string& folder) const;
  Status build_initrd();
  Status make_initrd(const std::string& folder);
  Status make_image(const std::string& from, const std::string& image,
                    bool owned_by_root) const;
  std::string image_name(const char* stem) const;

  const BuildRequest& request_;
  const Recipe& recipe_;
  StageStore store_;
  std::optional<Apt> apt_;
  std::string mirror_;
  Kernel kernel_;
  std::string root_stage_;  // relative paths of the stages
  std::string kernel_stage_;
  std::string modules_stage_;
  std::string initrd_stage_;
  std::string modules_key_;
  std::string initrd_key_;
  std::string root_key_;
  std::vector<BuiltModule> extra_;
  std::vector<StageReport> reports_;
  bool all_cached_ = true;
};

}  // namespace cowbench
