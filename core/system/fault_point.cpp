// SPDX-License-Identifier: Apache-2.0
#include "system/fault_point.hpp"

#include <unistd.h>

#include <atomic>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <string>

namespace cowbench {
namespace {

struct Plan {
  std::string name;
  unsigned hit = 0;  // 0: no plan
  bool parent = false;
};

Plan read_plan() {
  Plan plan;
  const char* text = std::getenv("COWBENCH_FAULT_POINT");
  if (text == nullptr) return plan;
  const std::string_view all(text);
  const auto colon = all.find(':');
  if (colon == std::string_view::npos) return plan;
  plan.name = all.substr(0, colon);
  const char* end = all.data() + all.size();
  const auto parsed = std::from_chars(all.data() + colon + 1, end, plan.hit);
  plan.parent = std::string_view(parsed.ptr) == ":parent";
  if (parsed.ptr != end && !plan.parent) plan.hit = 0;
  return plan;
}

}  // namespace

void fault_point(std::string_view name) {
  static const Plan plan = read_plan();
  if (plan.hit == 0 || plan.name != name) return;
  static std::atomic<unsigned> hits{0};
  if (++hits != plan.hit) return;
  if (plan.parent) kill(getppid(), SIGKILL);
  kill(getpid(), SIGKILL);
}

}  // namespace cowbench
