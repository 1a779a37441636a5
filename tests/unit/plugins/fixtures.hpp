// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>

namespace cowbench::testing {

// The text of a stored tool output; throws when it isn't there.
inline std::string fixture(const std::string& name) {
  std::ifstream file(std::string(COWBENCH_FIXTURES) + "/" + name);
  if (!file) throw std::runtime_error("no fixture " + name);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace cowbench::testing
