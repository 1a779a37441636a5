// SPDX-License-Identifier: Apache-2.0
// Under what a result came to be: as text for people, and as facts that decide
// whether two results may be put together.
#pragma once

#include <string>
#include <vector>

#include "result/document.hpp"

namespace cowbench {

// "Example CPU, 2 cores, 23.5 GiB of memory, kernel 6.1.0, Debian 12, x86_64,
// kvm guest". Parts that are not known are left out.
std::string machine_text(const ResultDocument& document);

// "data: 4 x 1 GiB loop (SSD, on overlay, direct I/O on)", groups joined with
// "; ".
std::string members_text(const ResultDocument& document);

// "smoke", or "smoke (member_size=512MiB)" with the user's own settings.
std::string profile_text(const ResultDocument& document);

// "stack rN", as people call a job.
std::string job_name(const ResultDocument& document);

enum class FactScope {
  kMachine,   // of the machine
  kSettings,  // of the profile: sizes, times, what ran before
  kMethod,    // how a metric was measured, and by which tools
  kStack,     // what was measured: its file, its options, its members
};

struct Fact {
  FactScope scope = FactScope::kMachine;
  std::string name;
  std::string value;
};

// Two results with a fact of the same name and another value must not share a
// figure. Conditions of metrics are no facts: they tell what happened, bytes
// and seeds, and differ from job to job. What a user can choose is an option
// of the phase, what the phase changes is its method, and tools have versions;
// these three count. What is not known is left out and prevents nothing.
std::vector<Fact> facts_of(const ResultDocument& document);

}  // namespace cowbench
