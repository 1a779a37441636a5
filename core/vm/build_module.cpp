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

Status Builder::build_module_stage(const ModulePart& part, BuiltModule& built) {
  const std::string source = filled_in(part.package);
  const std::string headers = filled_in(recipe_.kernel.headers);
  std::vector<AptPin> pins;
  for (const std::string& suite : {kernel_.suite, part.suite}) {
    if (!suite.empty() && suite != recipe_.suite)
      pins.push_back({suite, {"*"}});
  }
  if (!kernel_.path.empty()) {
    built.module.reason = "modules are only built for packaged kernels";
    return {};
  }
  // The headers' package wants the kernel's installed too, which nothing here
  // needs: it is taken as there.
  std::vector<std::string> wanted = {"gcc",      "make",  "libc6-dev",
                                     "xz-utils", headers, source};
  auto all = apt_->resolve(wanted, pins, kernel_.parts);
  if (!all) {
    built.module.reason = all.error().message();
    return all.error().category() == Category::kEnvironment
               ? Status()
               : Status(all.error());
  }
  // Unpacked by the build script, as their own scripts would build or install
  // what is not wanted.
  PackageVersions unpacked;
  std::vector<std::string> installed;
  for (const PackageVersion& package : *all) {
    if (package.name == source || package.name == headers) {
      unpacked.push_back(package);
    } else {
      installed.push_back(package.name);
    }
    if (package.name == source) built.module.version = package.version;
  }
  auto build_script = script("build/" + part.kind + ".sh");
  if (!build_script) return build_script.error();
  const std::string settings = settings_of(part, kernel_.release);
  built.key = content_key(
      {kModuleMethod, *build_script, settings, packages_text(*all)});
  const std::string name = "module-" + part.name;
  const auto make = [&](const std::string& folder) -> Status {
    if (Status got = apt_->download(unpacked, folder + "/debs"); !got) {
      return got;
    }
    const std::pair<const char*, std::string> files[] = {
        {"/preferences", apt_->preferences(pins)},
        {"/settings",
         settings + setting("jobs", std::to_string(request_.jobs))},
        {"/build.sh", *build_script}};
    for (const auto& [file, text] : files) {
      if (Status put = write_file_durable(folder + file, text); !put) {
        return put;
      }
    }
    if (Status made = make_directories(folder + "/tmp"); !made) return made;
    Command command = debootstrap("apt", installed, folder);
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
    if (Status ran = run_debootstrap(std::move(command), folder); !ran) {
      return ran;
    }
    if (read_trimmed(folder + "/out/outcome").empty()) {
      return Error(Category::kToolFailed, "the build script left no outcome");
    }
    return remove_tree(folder + "/debs");
  };
  auto folder = stage(name, built.key, make);
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
