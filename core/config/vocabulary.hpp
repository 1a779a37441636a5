// SPDX-License-Identifier: Apache-2.0
// What configuration files may say: the keys, types and bounds that the loaded
// plugins declare, as plain data. The plugin catalogue fills it; config checks
// against it, so checking needs no plugin code.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace cowbench {

enum class OptionType {
  kText,
  kBoolean,
  kInteger,
  kNumber,
  kSize,      // bytes
  kDuration,  // ns
  kTextList,
};

// A checked value. Sizes (bytes) and durations (ns) are integers.
using ConfigValue = std::variant<std::string, bool, std::int64_t, double,
                                 std::vector<std::string>>;

// One configuration key; see cowbench_option.
struct OptionSpec {
  OptionType type = OptionType::kText;
  std::string key;
  std::optional<std::string> default_value;
  std::string summary;
  std::vector<std::string> allowed;  // empty: anything
  // Bytes of a size, ns of a duration. Both 0: unbounded; a maximum of 0 over
  // a positive minimum: unbounded above.
  double minimum = 0;
  double maximum = 0;
  bool required = false;
};

struct LayerSpec {
  std::string name;
  bool output_is_mount = true;
  std::uint32_t minimum_devices = 1;
  std::uint32_t maximum_devices = 0;  // 0: any number
  std::vector<OptionSpec> options;
};

struct PhaseSpec {
  std::string name;
  bool before_stack = false;
  std::vector<OptionSpec> options;
};

// By name.
struct Vocabulary {
  std::map<std::string, LayerSpec> layers;
  std::map<std::string, PhaseSpec> phases;
};

}  // namespace cowbench
