// SPDX-License-Identifier: Apache-2.0
// Static descriptions of plugins: who they are, what they take and need.
// Everything here is constexpr, so describing a plugin runs no code of it.
#pragma once

#include <cowbench/abi/plugin.h>

#include <cstddef>
#include <cstdint>

namespace cowbench {
inline namespace v0 {

// A view of a static array; C++17 has no std::span.
template <typename T>
struct List {
  const T* items = nullptr;
  std::uint32_t count = 0;

  constexpr List() = default;
  template <std::size_t N>
  constexpr List(const T (&array)[N])  // NOLINT: meant to be implicit
      : items(array), count(static_cast<std::uint32_t>(N)) {}
  constexpr const T* at(std::uint32_t index) const {
    return index < count ? items + index : nullptr;
  }
};

// Who a plugin is; see cowbench_plugin.
struct Identity {
  const char* id;
  const char* name;
  const char* version;
  const char* summary;
  const char* licence = "Apache-2.0";
  const char* home_page = nullptr;
};

struct LayerInfo {
  Identity identity;
  std::int32_t output = COWBENCH_OUTPUT_MOUNT;
  std::uint32_t minimum_devices = 1;
  std::uint32_t maximum_devices = 0;  // 0: any number
  List<cowbench_option> options{};
  List<cowbench_requirement> requirements{};
};

struct PhaseInfo {
  Identity identity;
  std::int32_t stage = COWBENCH_STAGE_ON_STACK;
  List<cowbench_metric> metrics{};
  List<cowbench_option> options{};
  List<cowbench_requirement> requirements{};
  List<const char*> abilities{};
};

// Builders, so that a table of options reads as one line each. `fallback` is
// the default as text; nullptr: the key may be absent.
constexpr cowbench_option option(std::int32_t type, const char* key,
                                 const char* fallback, const char* summary,
                                 double minimum = 0, double maximum = 0) {
  return {sizeof(cowbench_option),
          type,
          key,
          fallback,
          summary,
          nullptr,
          minimum,
          maximum,
          0};
}
constexpr cowbench_option choice(const char* key, const char* fallback,
                                 const char* allowed, const char* summary) {
  return {sizeof(cowbench_option),
          COWBENCH_TYPE_TEXT,
          key,
          fallback,
          summary,
          allowed,
          0,
          0,
          0};
}
constexpr cowbench_requirement tool(const char* name, const char* package) {
  return {sizeof(cowbench_requirement), COWBENCH_NEEDS_TOOL, name, package};
}
constexpr cowbench_requirement filesystem(const char* name,
                                          const char* package = nullptr) {
  return {sizeof(cowbench_requirement), COWBENCH_NEEDS_FILESYSTEM, name,
          package};
}
constexpr cowbench_requirement module(const char* name,
                                      const char* package = nullptr) {
  return {sizeof(cowbench_requirement), COWBENCH_NEEDS_MODULE, name, package};
}
constexpr cowbench_metric metric(const char* key, const char* unit,
                                 std::int32_t better, const char* label,
                                 const char* definition,
                                 std::uint32_t method_version = 1,
                                 bool detail = false) {
  return {
      sizeof(cowbench_metric), better,          key, unit, label, definition,
      method_version,          detail ? 1U : 0U};
}

}  // namespace v0
}  // namespace cowbench
