// SPDX-License-Identifier: Apache-2.0
// What a timed section of a phase looks like. The one header of this folder
// that needs the SDK.
#pragma once

#include <cowbench/host.hpp>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace cowbench::workloads {

// What a section took, and what the members did meanwhile.
struct Timed {
  std::uint64_t elapsed_ns = 0;
  cowbench_io io{};

  double ms() const { return static_cast<double>(elapsed_ns) / 1e6; }
};

// Brings the members to rest, then opens a section and runs `work` in it,
// which returns its own span in ns. Members that don't come to rest are noted
// in the result by the runner. Throws Error(COWBENCH_CANCELLED) instead when
// an end is wanted; what `work` throws goes through.
template <typename Work>
Timed run_section(const Host& host, const char* name, Work&& work) {
  host.throw_if_stopped();
  host.quiesce();
  Host::Section section(host, name);
  const std::uint64_t elapsed_ns = work();
  return {elapsed_ns, section.close()};
}

// The same with the caches of the tested filesystem emptied before. `work`
// must not use descriptors opened earlier.
template <typename Work>
Timed run_cold_section(const Host& host, const char* name, Work&& work) {
  host.make_cold();
  return run_section(host, name, std::forward<Work>(work));
}

using Conditions = std::vector<std::pair<std::string, std::string>>;

// A time in ms under its conditions.
inline Value value_of(const char* key, const Timed& timed,
                      const Conditions& conditions) {
  Value value;
  value.key = key;
  value.value = timed.ms();
  value.conditions = conditions;
  return value;
}

// A time that counts only when `proof` says that the pass was cold.
inline Value cold_value_of(const char* key, const Timed& timed,
                           const ColdProof& proof,
                           const Conditions& conditions) {
  Value value = value_of(key, timed, conditions);
  value.conditions.emplace_back("member_read_bytes",
                                std::to_string(timed.io.read_bytes));
  if (!proof.cold) {
    value.outcome = COWBENCH_OUTCOME_WITHHELD;
    value.reason = proof.reason;
  }
  return value;
}

}  // namespace cowbench::workloads
