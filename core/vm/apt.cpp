// SPDX-License-Identifier: Apache-2.0
#include "vm/apt.hpp"

#include <algorithm>
#include <filesystem>
#include <set>

#include "base/text.hpp"
#include "system/file.hpp"
#include "vm/stage.hpp"

namespace cowbench {

namespace {

// Packages of these priorities win over every other, or never come in.
constexpr int kWanted = 990;
constexpr int kNever = -1;

// A suite is known to some by its name and to others by its role.
void add_pin(std::string& text, const std::string& packages,
             const std::string& suite, int priority) {
  for (const char* by : {"a", "n"}) {
    text += "Package: " + packages + "\nPin: release " + by + "=" + suite +
            "\nPin-Priority: " + std::to_string(priority) + "\n\n";
  }
}

}  // namespace

PackageVersions parse_simulation(std::string_view text) {
  PackageVersions found;
  for (const std::string& line : split(text, '\n')) {
    if (line.rfind("Inst ", 0) != 0) continue;
    const auto words = split(line, ' ');
    if (words.size() < 3 || words[2].size() < 2 || words[2][0] != '(') continue;
    std::string version = words[2].substr(1);
    if (version.back() == ')') version.pop_back();
    found.push_back({words[1], version});
  }
  std::sort(found.begin(), found.end(),
            [](const auto& a, const auto& b) { return a.name < b.name; });
  return found;
}

std::string apt_reason(std::string_view said) {
  std::vector<std::string> reasons;
  for (const std::string& line : split(said, '\n')) {
    if (line.rfind("E: ", 0) == 0) reasons.push_back(line.substr(3));
  }
  if (reasons.size() > 3) reasons.resize(3);
  return join(reasons, "; ");
}

std::string parse_mirror(std::string_view targets) {
  std::string likely;
  for (const std::string& line : split(targets, '\n')) {
    const auto parts = split(line, '|');
    if (parts.size() != 3) continue;
    std::string uri = parts[0];
    while (!uri.empty() && uri.back() == '/') uri.pop_back();
    if (parts[1] == "Debian" && parts[2] == "Debian") return uri;
    // Before the first update nothing tells the origin.
    if (likely.empty() && parts[1].empty() && uri.size() > 7 &&
        uri.substr(uri.size() - 7) == "/debian") {
      likely = uri;
    }
  }
  return likely;
}

Result<std::string> host_mirror() {
  Command command;
  command.argv = {"apt-get", "indextargets", "--format",
                  "$(REPO_URI)|$(ORIGIN)|$(LABEL)", "Created-By: Packages"};
  auto said = run_checked(command);
  if (!said) return said.error();
  std::string mirror = parse_mirror(said->out);
  if (!mirror.empty()) return mirror;
  return Error(Category::kEnvironment,
               "this host's apt names no mirror of Debian; give one: --mirror "
               "http://deb.debian.org/debian");
}

Apt::Apt(std::string folder, std::string mirror, std::string keyring,
         std::vector<AptSource> sources, ShouldStop should_stop)
    : folder_(std::move(folder)),
      mirror_(std::move(mirror)),
      keyring_(std::move(keyring)),
      sources_(std::move(sources)),
      should_stop_(std::move(should_stop)) {}

std::string Apt::source_line(const AptSource& source) const {
  return "deb [signed-by=" + keyring_ + " target=Packages] " + mirror_ + " " +
         source.suite + " " + join(source.components, " ");
}

std::vector<std::string> Apt::source_lines(
    const std::vector<AptPin>& pins) const {
  std::vector<std::string> lines;
  for (const AptSource& source : sources_) {
    const bool wanted =
        lines.empty() ||
        std::any_of(pins.begin(), pins.end(), [&](const AptPin& pin) {
          return pin.suite == source.suite;
        });
    if (wanted) lines.push_back(source_line(source));
  }
  return lines;
}

std::string Apt::preferences(const std::vector<AptPin>& pins) const {
  std::string text;
  std::set<std::string> open;
  for (const AptPin& pin : pins) {
    if (pin.suite == sources_.front().suite) continue;
    for (const std::string& package : pin.packages) {
      if (package == "*") open.insert(pin.suite);
      add_pin(text, package, pin.suite, kWanted);
    }
  }
  for (std::size_t i = 1; i < sources_.size(); ++i) {
    if (open.count(sources_[i].suite) == 0) {
      add_pin(text, "*", sources_[i].suite, kNever);
    }
  }
  return text;
}

Status Apt::write_settings() const {
  for (const char* part :
       {"/lists/partial", "/cache/archives/partial", "/answers"}) {
    if (Status made = make_directories(folder_ + part); !made) return made;
  }
  std::string sources;
  for (const AptSource& source : sources_)
    sources += source_line(source) + "\n";
  // The host's settings are read before these (a proxy may stand there), but
  // what some hosts run after each command would tidy up the host's own.
  const std::string settings =
      "#clear APT::Update::Post-Invoke;\n#clear "
      "APT::Update::Post-Invoke-Success;\n#clear DPkg::Post-Invoke;\n"
      "Dir::State \"" +
      folder_ + "\";\nDir::State::lists \"" + folder_ +
      "/lists\";\nDir::State::status \"" + folder_ +
      "/status\";\nDir::Cache \"" + folder_ +
      "/cache\";\nDir::Cache::pkgcache \"pkgcache.bin\";\n"
      "Dir::Cache::srcpkgcache \"srcpkgcache.bin\";\nDir::Etc::sourcelist \"" +
      folder_ +
      "/sources.list\";\nDir::Etc::sourceparts \"/dev/null\";\n"
      "Dir::Etc::preferencesparts \"/dev/null\";\n"
      "APT::Sandbox::User \"root\";\nAcquire::Languages \"none\";\n"
      "Acquire::PDiffs \"false\";\nAcquire::Retries \"3\";\n"
      "APT::Update::Error-Mode \"any\";\nAPT::Install-Recommends \"false\";\n"
      "APT::Get::List-Cleanup \"false\";\nAPT::Cmd::Disable-Script-Warning "
      "\"true\";\n";
  const std::pair<const char*, std::string> files[] = {
      {"/status", ""}, {"/sources.list", sources}, {"/apt.conf", settings}};
  for (const auto& [name, text] : files) {
    auto old = read_file(folder_ + name);
    // Rewriting what is the same would make apt build its cache anew.
    if (old && *old == text) continue;
    if (Status done = write_file_durable(folder_ + name, text); !done) {
      return done;
    }
  }
  return {};
}

Command Apt::command(const char* program) const {
  Command command;
  command.argv = {program, "-c", folder_ + "/apt.conf", "-q"};
  return command;
}

Result<bool> Apt::update(std::string& why) {
  if (Status written = write_settings(); !written) return written.error();
  Command fetch = command("apt-get");
  fetch.argv.emplace_back("update");
  auto said = run_command(fetch, should_stop_);
  if (!said) return said.error();
  if (said->succeeded()) return true;
  if (said->stopped) return command_error(fetch, *said);
  why = apt_reason(said->err);
  if (why.empty()) why = command_error(fetch, *said).message();
  std::string lacking;
  const auto lists = list_folder(folder_ + "/lists");
  for (const AptSource& source : sources_) {
    const std::string mark = "_dists_" + source.suite + "_InRelease";
    const bool have =
        std::any_of(lists.begin(), lists.end(), [&](const std::string& name) {
          return name.size() > mark.size() &&
                 name.compare(name.size() - mark.size(), mark.size(), mark) ==
                     0;
        });
    if (!have) lacking += " " + source.suite;
  }
  if (lacking.empty()) return false;
  return Error(Category::kEnvironment,
               "fetch the package lists of" + lacking + " from " + mirror_ +
                   ": " + why +
                   "; check the suite's name and the network, or give another "
                   "mirror with --mirror");
}

std::string Apt::lists_state() const {
  std::string state;
  for (const std::string& name : list_folder(folder_ + "/lists")) {
    std::error_code error;
    const auto path = folder_ + "/lists/" + name;
    if (!std::filesystem::is_regular_file(path, error)) continue;
    const auto time = std::filesystem::last_write_time(path, error);
    state += name + " " +
             std::to_string(std::filesystem::file_size(path, error)) + " " +
             std::to_string(time.time_since_epoch().count()) + "\n";
  }
  return state;
}

Result<PackageVersions> Apt::resolve(const std::vector<std::string>& packages,
                                     const std::vector<AptPin>& pins,
                                     const PackageVersions& present) const {
  const std::string pinned = preferences(pins);
  std::string status;
  for (const PackageVersion& package : present) {
    status += "Package: " + package.name +
              "\nStatus: install ok installed\nArchitecture: amd64\n"
              "Maintainer: none\nDescription: none\nVersion: " +
              package.version + "\n\n";
  }
  // apt takes seconds for what it has worked out before.
  const std::string key =
      content_key({lists_state(), pinned, status, join(packages, "\n")});
  const std::string answer = folder_ + "/answers/" + key;
  if (auto known = read_file(answer)) return parse_simulation(*known);

  const std::string preferences_file = answer + ".preferences";
  const std::string status_file = answer + ".status";
  for (const auto& [path, text] :
       {std::pair(preferences_file, pinned), std::pair(status_file, status)}) {
    if (Status done = write_file_durable(path, text); !done) {
      return done.error();
    }
  }
  Command simulate = command("apt-get");
  for (std::string word :
       {std::string("-o"), "Dir::Etc::preferences=" + preferences_file,
        std::string("-o"), "Dir::State::status=" + status_file,
        std::string("--simulate"), std::string("install")}) {
    simulate.argv.push_back(std::move(word));
  }
  simulate.argv.insert(simulate.argv.end(), packages.begin(), packages.end());
  auto said = run_command(simulate, should_stop_);
  (void)remove_tree(preferences_file);
  (void)remove_tree(status_file);
  if (!said) return said.error();
  if (!said->succeeded()) {
    const std::string why = apt_reason(said->err);
    if (said->stopped || why.empty()) return command_error(simulate, *said);
    return Error(Category::kEnvironment, why);
  }
  if (Status kept = write_file_durable(answer, said->out); !kept) {
    return kept.error();
  }
  return parse_simulation(said->out);
}

Result<std::vector<std::string>> Apt::names(const std::string& prefix) const {
  Command ask;
  ask.argv = {"apt-cache", "-c", folder_ + "/apt.conf", "pkgnames", prefix};
  auto said = run_checked(ask, should_stop_);
  if (!said) return said.error();
  std::vector<std::string> names;
  for (std::string& name : split(said->out, '\n')) {
    if (!name.empty()) names.push_back(std::move(name));
  }
  std::sort(names.begin(), names.end());
  return names;
}

Status Apt::download(const PackageVersions& packages,
                     const std::string& folder) const {
  if (Status made = make_directories(folder); !made) return made;
  Command fetch = command("apt-get");
  fetch.cwd = folder;
  fetch.argv.emplace_back("download");
  for (const PackageVersion& package : packages) {
    fetch.argv.push_back(package.name + "=" + package.version);
  }
  auto said = run_command(fetch, should_stop_);
  if (!said) return said.error();
  if (said->succeeded()) return {};
  const std::string why = apt_reason(said->err);
  if (said->stopped || why.empty()) return command_error(fetch, *said);
  return Error(Category::kEnvironment, "download from " + mirror_ + ": " + why);
}

}  // namespace cowbench
