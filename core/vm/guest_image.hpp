// SPDX-License-Identifier: Apache-2.0
// Guests that have been built: where they lie and what is in them. Building
// is in build.hpp, booting in the files named after the emulator.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/result.hpp"

namespace cowbench {

// What the recipe wanted beside the kernel's own modules.
struct ExtraModule {
  std::string name;
  std::string version;  // empty when it never got so far
  std::string outcome;  // "ok" or "not-available"
  std::string reason;   // one line, of the compiler or the package tools
  std::string log;      // absolute path; empty: none
};

// One guest.json. Paths are absolute.
struct GuestImage {
  std::string cache;  // the folder it was found in
  std::string name;
  std::string key;  // changes with whatever it was built from
  std::string suite;
  std::string kernel_release;
  std::string kernel_source;       // a suite, a package or a path, as asked for
  std::string kernel_fingerprint;  // of a path, when it was built
  std::string vmlinuz;
  std::string initrd;
  std::string root;
  std::string modules;
  std::map<std::string, std::string> packages;  // of the root, with versions
  std::vector<ExtraModule> extra_modules;
  std::vector<std::string> command_line;  // what the kernel is told besides
  std::vector<std::string> modprobe;      // what the guest loads at its start
  std::vector<std::string> missing_modules;  // wanted; the kernel lacks them
  std::string built_at;                      // UTC
  std::uint64_t bytes = 0;                   // of all files together
};

// A guest.json that cannot be used, and why.
struct UnusableGuest {
  std::string path;
  std::string reason;
};

struct GuestList {
  std::vector<GuestImage> guests;  // by name; of two of one name the first
  std::vector<UnusableGuest> unusable;
};

// The cache that this user builds into: `given` unless empty, else
// $COWBENCH_CACHE_DIR, else /var/cache/cowbench for root and
// $XDG_CACHE_HOME/cowbench or ~/.cache/cowbench for others. Absolute.
std::string guest_cache_folder(const std::string& given);

// Where guests are looked for, in this order: the folder above, then (unless
// one was given, or named in the environment) what root has built.
std::vector<std::string> guest_cache_folders(const std::string& given);

// Of what --kernel says: whether that is a path of packages or of unpacked
// kernels, and its one spelling: absolute, without dots and a last slash.
bool is_kernel_path(const std::string& kernel);
std::string kernel_path(const std::string& kernel);

// Parses <cache>/guests/<name>/guest.json and sees that its files are there.
Result<GuestImage> read_guest(const std::string& cache,
                              const std::string& name);

GuestList list_guests(const std::vector<std::string>& caches);

// The guest of that name, else the one of that kernel release or kernel
// source. kEnvironment when there is none, or when the kernel at a path is not
// the one that it was built of: the message names those that there are, and how
// to build it.
Result<GuestImage> find_guest(const std::vector<std::string>& caches,
                              const std::string& wanted);

}  // namespace cowbench
