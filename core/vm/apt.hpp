// SPDX-License-Identifier: Apache-2.0
// The package tools of a Debian host, with lists and settings of their own:
// what the host has installed and which suites it uses is neither read nor
// changed.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "system/process.hpp"

namespace cowbench {

struct PackageVersion {
  std::string name;
  std::string version;
};
using PackageVersions = std::vector<PackageVersion>;

struct AptSource {
  std::string suite;
  std::vector<std::string> components;
};

// Which packages may come from which further suite: those that match, and no
// others. Every package of the first suite may.
struct AptPin {
  std::string suite;
  std::vector<std::string> packages;  // names or glob patterns
};

// An apt that knows only these suites of this mirror. One thread.
class Apt {
 public:
  // Its lists lie below `folder`, which may be made by this.
  Apt(std::string folder, std::string mirror, std::string keyring,
      std::vector<AptSource> sources, ShouldStop should_stop);

  const std::string& mirror() const { return mirror_; }

  // Fetches the lists. False: the mirror did not answer, but there are lists
  // of an earlier time, and `why` tells what happened.
  Result<bool> update(std::string& why);

  // Everything that an installation of `packages` into an empty system
  // brings, sorted by name. `present`: packages taken as installed already.
  // kEnvironment when one does not exist.
  Result<PackageVersions> resolve(const std::vector<std::string>& packages,
                                  const std::vector<AptPin>& pins,
                                  const PackageVersions& present = {}) const;

  // Names that begin so, sorted.
  Result<std::vector<std::string>> names(const std::string& prefix) const;

  // Fetches exactly these packages into a folder.
  Status download(const PackageVersions& packages,
                  const std::string& folder) const;

  // "deb [...] MIRROR SUITE COMPONENT..." for the first suite and those that
  // the pins name.
  std::vector<std::string> source_lines(const std::vector<AptPin>& pins) const;
  // The text of a preferences file.
  std::string preferences(const std::vector<AptPin>& pins) const;

 private:
  Status write_settings() const;
  Command command(const char* program) const;
  // Changes with the lists.
  std::string lists_state() const;
  std::string source_line(const AptSource& source) const;

  std::string folder_;
  std::string mirror_;
  std::string keyring_;
  std::vector<AptSource> sources_;
  ShouldStop should_stop_;
};

// The packages of apt's "Inst NAME (VERSION ...)" lines, sorted by name.
PackageVersions parse_simulation(std::string_view text);
// apt's own words for why it refused, one line; empty when it gave none.
std::string apt_reason(std::string_view said);
// The mirror of Debian that the host's apt uses, empty when it has none.
// `targets` is what `apt-get indextargets` said, a line "URI|ORIGIN|LABEL"
// each.
std::string parse_mirror(std::string_view targets);
Result<std::string> host_mirror();

}  // namespace cowbench
