// SPDX-License-Identifier: Apache-2.0
// The stage of the root: a minimal system and the recipe's packages, as one
// read-only image.
#include <unistd.h>

#include <algorithm>

#include "base/text.hpp"
#include "system/file.hpp"
#include "vm/builder.hpp"

namespace cowbench {

namespace {

// Changed when what the code below does to a root changes.
constexpr char kRootMethod[] = "root 1";

std::vector<AptPin> root_pins(const Recipe& recipe) {
  std::vector<AptPin> pins;
  for (const AlsoFrom& also : recipe.root_also) {
    pins.push_back({also.suite, also.packages});
  }
  return pins;
}

// What the host's apt needs to be told for its mirror; mmdebstrap does not read
// its settings. (A mirror that is frozen has lists past their date.)
std::vector<std::string> host_settings() {
  Command ask;
  ask.argv = {"apt-config",
              "dump",
              "--format",
              "%F \"%v\";%n",
              "Acquire::http::Proxy",
              "Acquire::https::Proxy",
              "Acquire::Check-Valid-Until"};
  auto said = run_checked(ask);
  std::vector<std::string> settings;
  if (!said) return settings;
  for (const std::string& line : split(said->out, '\n')) {
    if (line.find("\"\"") == std::string::npos && !trim(line).empty()) {
      settings.push_back(line);
    }
  }
  return settings;
}

std::string packages_text(const PackageVersions& packages) {
  std::string text;
  for (const PackageVersion& package : packages) {
    text += package.name + " " + package.version + "\n";
  }
  return text;
}

}  // namespace

std::string Builder::image_name(const char* stem) const {
  return std::string(stem) + "." + recipe_.image.suffix;
}

Command Builder::debootstrap(const char* variant,
                             const std::vector<std::string>& packages,
                             const std::string& folder) const {
  const bool root = geteuid() == 0;
  Command command;
  command.argv = {"mmdebstrap",
                  root ? "--mode=root" : "--mode=unshare",
                  std::string("--variant=") + variant,
                  "--format=null",
                  "--aptopt=APT::Install-Recommends \"false\"",
                  "--aptopt=Acquire::Retries \"3\"",
                  "--dpkgopt=force-unsafe-io",
                  "--include=" + join(packages, ",")};
  for (const std::string& setting : host_settings()) {
    command.argv.push_back("--aptopt=" + setting);
  }
  command.argv.push_back("--setup-hook=upload " +
                         shell_quote({folder + "/preferences"}) +
                         " /etc/apt/preferences.d/cowbench");
  // With root's powers the system grows where it is thrown away with the
  // stage.
  command.environment.emplace_back("TMPDIR",
                                   root ? folder + "/tmp" : store_.scratch());
  command.error_path = folder + "/log";
  command.output_path = folder + "/output";
  return command;
}

Status Builder::run_debootstrap(Command command,
                                const std::string& folder) const {
  const bool root = geteuid() == 0;
  if (!root) {
    if (Status made = make_directories(store_.scratch(), 0755); !made) {
      return made;
    }
  }
  auto ran = run_command(command, request_.should_stop);
  if (!ran) return ran.error();
  if (root) {
    if (Status gone = remove_tree(folder + "/tmp"); !gone) return gone;
  } else {
    // It has emptied that itself, unless it was killed.
    (void)rmdir(store_.scratch().c_str());
  }
  if (ran->succeeded()) return {};
  if (ran->stopped) {
    return Error(Category::kCancelled, "stopped before it was done");
  }
  std::string said;
  auto log = read_file(folder + "/log");
  const auto all = split(log ? *log : "", '\n');
  // What went wrong stands before the end, where it tells of its tidying up.
  for (auto line = all.rbegin(); line != all.rend() && said.size() < 600;
       ++line) {
    if (line->rfind("E: ", 0) == 0 || line->rfind("dpkg: error", 0) == 0) {
      said = *line + (said.empty() ? "" : "; " + said);
    }
  }
  if (said.empty()) said = all.size() > 1 ? all[all.size() - 2] : "no message";
  return Error(Category::kToolFailed,
               "mmdebstrap (" + ran->ending() + "): " + said);
}

namespace {

// A mirror that changes meanwhile would give a root that its key belies.
Status check_planned(const std::string& folder, const std::string& planned) {
  auto found = read_file(folder + "/packages");
  if (!found) return found.error();
  const auto have = split(*found, '\n');
  for (const std::string& line : split(planned, '\n')) {
    if (line.empty() ||
        std::find(have.begin(), have.end(), line) != have.end()) {
      continue;
    }
    return Error(Category::kEnvironment,
                 "the root was to have " + line +
                     ", and has not: the mirror changed meanwhile; build "
                     "again");
  }
  return {};
}

}  // namespace

Status Builder::build_root() {
  const auto pins = root_pins(recipe_);
  std::vector<std::string> packages = {"apt", "?essential"};
  packages.insert(packages.end(), recipe_.root_packages.begin(),
                  recipe_.root_packages.end());
  auto wanted = apt_->resolve(packages, pins);
  if (!wanted) return wanted.error().within("the packages of the root");
  auto hook = script("build/root.sh");
  if (!hook) return hook.error();
  const ImageTool& image = recipe_.image;
  root_key_ = content_key(
      {kRootMethod, *hook, recipe_.suite, join(recipe_.root_packages, " "),
       join(recipe_.leave_out, " "), image.program, image.suffix,
       join(image.arguments, " "), packages_text(*wanted)});
  root_stage_ = StageStore::relative("root", root_key_);
  const auto make = [&](const std::string& folder) -> Status {
    for (const auto& [name, text] :
         {std::pair("/preferences", apt_->preferences(pins)),
          std::pair("/packages.planned", packages_text(*wanted))}) {
      if (Status put = write_file_durable(folder + name, text); !put) {
        return put;
      }
    }
    if (Status made = make_directories(folder + "/tmp"); !made) return made;
    Command command = debootstrap("minbase", recipe_.root_packages, folder);
    for (const std::string& pattern : recipe_.leave_out) {
      command.argv.push_back("--dpkgopt=path-exclude=" + pattern);
    }
    // The script goes along as text: who builds without root cannot be read
    // by the namespace's root everywhere.
    std::vector<std::string> words = {"sh", "-c", *hook, "root.sh"};
    std::string call = shell_quote(words) + " \"$1\" ";
    words = {image.program};
    words.insert(words.end(), image.arguments.begin(), image.arguments.end());
    command.argv.push_back("--customize-hook=" + call + shell_quote(words));
    command.argv.push_back("--customize-hook=download /root.packages " +
                           shell_quote({folder + "/packages"}));
    command.argv.push_back("--customize-hook=download /root.image " +
                           shell_quote({folder + "/" + image_name("root")}));
    command.argv.push_back(recipe_.suite);
    command.argv.emplace_back("/dev/null");
    for (std::string& line : apt_->source_lines(pins)) {
      command.argv.push_back(std::move(line));
    }
    if (Status ran = run_debootstrap(std::move(command), folder); !ran) {
      return ran;
    }
    return check_planned(folder, packages_text(*wanted));
  };
  auto folder = stage("root", root_key_, make);
  if (!folder) return folder.error();
  return {};
}

}  // namespace cowbench
