// SPDX-License-Identifier: Apache-2.0
// Whether this machine can run guests by KVM. A device node that opens proves
// nothing (nested machines may offer one that boots no kernel), so a guest is
// really booted once, and the answer remembered until the next restart.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "vm/guest_image.hpp"

namespace cowbench {

struct Accelerator {
  std::string name;    // "kvm" or "tcg"
  std::string reason;  // why it is not kvm; empty for what was asked for
  bool emulated() const { return name != "kvm"; }
};

// What a probe depends on; another key asks for another probe.
struct ProbeKey {
  std::string emulator;      // version
  std::string guest_kernel;  // release
  std::string boot_id;       // of this machine: its kernel, its modules

  std::string text() const;
};

// The file of remembered answers. Pure.
struct ProbeAnswer {
  bool works = false;
  std::string reason;  // why not
};
// Nothing when `text` has none for the key, or is damaged.
std::optional<ProbeAnswer> remembered_answer(std::string_view text,
                                             const ProbeKey& key);
// `text` with this answer; answers of earlier boots are forgotten.
std::string with_answer(std::string_view text, const ProbeKey& key,
                        const ProbeAnswer& answer);

// `wanted`: "auto", "kvm" or "tcg". Boots `image` when nobody knows; the
// answer goes into `cache` when that can be written. kEnvironment: kvm was
// asked for and does not work.
Result<Accelerator> choose_accelerator(const std::string& wanted,
                                       const GuestImage& image,
                                       const std::string& emulator,
                                       const std::string& cache);

// As choose_accelerator(), but boots nothing: name is empty when a probe is
// needed first.
Accelerator known_accelerator(const std::string& wanted,
                              const GuestImage& image,
                              const std::string& emulator,
                              const std::string& cache);

}  // namespace cowbench
