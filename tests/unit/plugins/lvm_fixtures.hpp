// SPDX-License-Identifier: Apache-2.0
// What the tests of LVM share: captured outputs, and a layer to try them on.
#pragma once

#include <cowbench/testing/fake_host.hpp>
#include <cstdint>
#include <string>

#include "fixtures.hpp"
#include "lvm/lvm.hpp"

namespace cowbench::testing {

inline constexpr std::uint64_t kGib = std::uint64_t{1} << 30;
// The groups of the machines on which the outputs were captured.
inline constexpr const char* kGroup = "cb0123456789ab-lvm";
inline constexpr const char* kOther = "cb6329a7642860-lvm";

inline std::string report(const std::string& what) {
  return fixture("lvm/lvm-2.03.31-" + what);
}

inline std::string mappings(const std::string& what) {
  return fixture("lvm/dmsetup-1.02.205-" + what);
}

// A layer over `count` devices of 1 GiB, with LVM's own defaults.
inline void describe(FakeHost& fake, int count) {
  fake.describe<lvm::Lvm>();
  for (int i = 0; i < count; ++i) {
    fake.add_device("/dev/vd" + std::string(1, static_cast<char>('c' + i)),
                    kGib);
  }
}

}  // namespace cowbench::testing
