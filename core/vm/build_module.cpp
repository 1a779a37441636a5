// SPDX-License-Identifier: Apache-2.0
// The stages of extra modules: each is compiled in a throw-away system with
// its compiler and the kernel's headers.
#include <unistd.h>

#include <algorithm>

#include "base/json.hpp"
#include "base/text.hpp"
#include "system/file.hpp"
#include "vm/builder.hpp"

namespace cowbench {

namespace {

constexpr char kModuleMethod[] = "module 1";

void replace_all(std::string& text, const std::string& what,
                 const std::string& by) {
  for (std::size_t at = text.find(what); at != std::string::npos;
       at = text.find(what, at + by.size())) {
    text.replace(at, what.size(), by);
  }
}

std::string packages_text(const PackageVersions& packages) {
  std::string text;
  for (const PackageVersion& package : packages) {
    text += package.name + " " + package.version + "\n";
  }
  return text;
}

std::string setting(const char* name, const std::string& value) {
  return std::string(name) + "=" + shell_quote({value}) + "\n";
}

// Sourced by the build script.
std::string settings_of(const ModulePart& part, const std::string& release) {
  std::vector<std::string> config;
  std::vector<std::string> defines;
  for (const auto& [key, value] : part.config) {
    config.push_back(key + "=" + value);
  }
  for (const std::string& define : part.defines) {
    defines.push_back("-D" + define);
  }
  return setting("release", release) + setting("keep", join(part.keep, " ")) +
         setting("path", part.path) + setting("config", join(config, " ")) +
         setting("defines", join(defines, " "));
}

}  // namespace

std::string fault_of_machine(std::string_view log) {
  for (const std::string& line : split(std::string(log), '\n')) {
    for (const char* sign :
         {"No space left on device", "Cannot allocate memory",
          "fatal error: Killed", "Killed signal terminated program",
          "virtual memory exhausted", "Input/output error"}) {
      if (line.find(sign) != std::string::npos) {
        return std::string(trim(line)).substr(0, 200);
      }
    }
  }
  return {};
}

std::string Builder::filled_in(std::string text) const {
  const auto numbers = split(kernel_.release, '.');
  replace_all(text, "{release}", kernel_.release);
  replace_all(
      text, "{version}",
      numbers.size() > 1 ? numbers[0] + "." + numbers[1] : kernel_.release);
  return text;
}

Status Builder::build_module(const ModulePart& part) {
  BuiltModule built;
  built.module.name = part.name;
  built.module.outcome = "not-available";
  Status done = build_module_stage(part, built);
  if (!done) return done;
  if (built.module.outcome != "ok" && request_.warn) {
    request_.warn("the module " + part.name + " is not available for kernel " +
                  kernel_.release + ": " + built.module.reason +
                  (built.module.log.empty() ? ""
                                            : "; all of it: " + store_.cache() +
                                                  "/" + built.module.log));
  }
  extra_.push_back(std::move(built));
  return {};
}

// What the throw-away system gets, and what is only unpacked in it: packages
// whose own scripts would build or install what is not wanted.
Result<Builder::ModulePackages> Builder::module_packages(
    const ModulePart& part, const std::vector<AptPin>& pins) const {
  const std::string source = filled_in(part.package);
  const std::string headers = filled_in(recipe_.kernel.headers);
  // The headers' package wants the kernel's installed too, which nothing here
  // needs: it is taken as there.
  auto all =
      apt_->resolve({"gcc", "make", "libc6-dev", "xz-utils", headers, source},
                    pins, kernel_.parts);
  if (!all) return all.error();
  ModulePackages packages;
  packages.text = packages_text(*all);
  for (const PackageVersion& package : *all) {
    if (package.name == source || package.name == headers) {
      packages.unpacked.push_back(package);
    } else {
      packages.installed.push_back(package.name);
    }
    if (package.name == source) packages.version = package.version;
  }
  return packages;
}

Status Builder::make_module(const ModulePackages& packages,
                            const std::vector<AptPin>& pins,
                            const std::string& settings,
                            const std::string& build_script,
                            const std::string& folder) const {
  Status got = apt_->download(packages.unpacked, folder + "/debs");
  if (!got) return got;
  const std::pair<const char*, std::string> files[] = {
      {"/preferences", apt_->preferences(pins)},
      {"/settings", settings + setting("jobs", std::to_string(request_.jobs))},
      {"/build.sh", build_script}};
  for (const auto& [file, text] : files) {
    if (Status put = write_file_durable(folder + file, text); !put) return put;
  }
  if (Status made = make_directories(folder + "/tmp"); !made) return made;
  Command command = debootstrap("apt", packages.installed, folder);
  for (const std::string& hook :
       {std::string("mkdir -p \"$1/build/out\""),
        "copy-in " +
            shell_quote({folder + "/debs", folder + "/settings",
                         folder + "/build.sh"}) +
            " /build",
        std::string("chroot \"$1\" sh /build/build.sh"),
        "copy-out /build/out " + shell_quote({folder})}) {
    command.argv.push_back("--customize-hook=" + hook);
  }
  command.argv.push_back(recipe_.suite);
  command.argv.emplace_back("/dev/null");
  for (std::string& line : apt_->source_lines(pins)) {
    command.argv.push_back(std::move(line));
  }
  Status ran = run_debootstrap(std::move(command), folder);
  if (!ran) return ran;
  const std::string outcome = read_trimmed(folder + "/out/outcome");
  if (outcome.empty()) {
    return Error(Category::kToolFailed, "the build script left no outcome");
  }
  // Kept, it would be believed for ever.
  const auto log = read_file(folder + "/out/log");
  if (const std::string fault = fault_of_machine(log ? *log : "");
      outcome != "ok" && !fault.empty()) {
    return Error(Category::kEnvironment,
                 "this machine failed, not the module: " + fault +
                     "; build again when there is room");
  }
  return remove_tree(folder + "/debs");
}

Status Builder::build_module_stage(const ModulePart& part, BuiltModule& built) {
  if (!kernel_.path.empty()) {
    built.module.reason = "modules are only built for packaged kernels";
    return {};
  }
  std::vector<AptPin> pins;
  for (const std::string& suite : {kernel_.suite, part.suite}) {
    if (!suite.empty() && suite != recipe_.suite) {
      pins.push_back({suite, {"*"}});
    }
  }
  auto packages = module_packages(part, pins);
  if (!packages) {
    built.module.reason = packages.error().message();
    return packages.error().category() == Category::kEnvironment
               ? Status()
               : Status(packages.error());
  }
  auto build_script = script("build/" + part.kind + ".sh");
  if (!build_script) return build_script.error();
  const std::string settings = settings_of(part, kernel_.release);
  built.module.version = packages->version;
  built.key =
      content_key({kModuleMethod, *build_script, settings, packages->text});
  const std::string name = "module-" + part.name;
  auto folder = stage(name, built.key, [&](const std::string& to) {
    return make_module(*packages, pins, settings, *build_script, to);
  });
  if (!folder) return folder.error();
  const std::string out = *folder + "/out";
  const std::string version = read_trimmed(out + "/version");
  if (!version.empty()) built.module.version = version;
  built.module.log = StageStore::relative(name, built.key) + "/out/log";
  if (read_trimmed(out + "/outcome") == "ok") {
    built.module.outcome = "ok";
    built.folder = out;
    return {};
  }
  auto log = read_file(out + "/log");
  built.module.reason = compiler_reason(log ? *log : "there is no log");
  return {};
}

}  // namespace cowbench
