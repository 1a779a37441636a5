// SPDX-License-Identifier: Apache-2.0
// Talking, time, configuration, devices and places.
#include <algorithm>
#include <cstring>

#include "job/host_calls.hpp"
#include "system/clock.hpp"

namespace cowbench {

namespace {

const char* level_name(std::int32_t level) {
  switch (level) {
    case COWBENCH_LOG_DEBUG:
      return "debug";
    case COWBENCH_LOG_WARNING:
      return "warning";
    case COWBENCH_LOG_ERROR:
      return "error";
    default:
      return "info";
  }
}

std::string as_text(const ConfigValue& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  return config_value_json(value);
}

const char* or_null(const std::string& text) {
  return text.empty() ? nullptr : text.c_str();
}

}  // namespace

void HostCalls::log(void* context, std::int32_t level, const char* text) {
  guarded([&] {
    of(context).context_.session.log(level_name(level),
                                     of(context).name_ + ": " + text);
    return COWBENCH_OK;
  });
}

void HostCalls::fail(void* context, cowbench_status, const char* message) {
  guarded([&] {
    Instance& instance = of(context);
    // The host's own reason (a command that is not there, a mount that was
    // refused) is more precise than the action the SDK throws for it.
    const std::string own = std::exchange(instance.host_failure_, {});
    instance.failure_ = message;
    if (!own.empty()) instance.failure_ += ": " + own;
    return COWBENCH_OK;
  });
}

void HostCalls::problem(void* context, const char* message) {
  guarded([&] {
    of(context).problems_.emplace_back(message);
    return COWBENCH_OK;
  });
}

void HostCalls::progress(void* context, double fraction, const char* text) {
  guarded([&] {
    of(context).context_.session.progress(std::clamp(fraction, 0.0, 1.0), text);
    return COWBENCH_OK;
  });
}

std::int32_t HostCalls::should_stop(void* context) {
  return of(context).context_.session.should_stop() ? 1 : 0;
}

std::uint64_t HostCalls::now_ns(void*) { return cowbench::now_ns(); }

std::uint64_t HostCalls::remaining_ns(void* context) {
  return of(context).remaining_ns();
}

std::int32_t HostCalls::has(void* context, const char* key) {
  return of(context).options_.contains(key) ? 1 : 0;
}

const char* HostCalls::text(void* context, const char* key) {
  const char* answer = nullptr;
  guarded([&] {
    Instance& instance = of(context);
    const auto found = instance.options_.find(key);
    if (found == instance.options_.end()) return COWBENCH_OK;
    std::string& lent = instance.texts_[key];
    lent = as_text(found->second);
    answer = lent.c_str();
    return COWBENCH_OK;
  });
  return answer;
}

std::int64_t HostCalls::integer(void* context, const char* key) {
  const Instance& instance = of(context);
  const auto found = instance.options_.find(key);
  if (found == instance.options_.end()) return 0;
  if (const auto* value = std::get_if<std::int64_t>(&found->second)) {
    return *value;
  }
  if (const auto* truth = std::get_if<bool>(&found->second)) return *truth;
  return 0;
}

double HostCalls::number(void* context, const char* key) {
  const Instance& instance = of(context);
  const auto found = instance.options_.find(key);
  if (found == instance.options_.end()) return 0;
  if (const auto* value = std::get_if<double>(&found->second)) return *value;
  return static_cast<double>(integer(context, key));
}

const char* HostCalls::text_item(void* context, const char* key,
                                 std::uint32_t index) {
  const Instance& instance = of(context);
  const auto found = instance.options_.find(key);
  if (found == instance.options_.end()) return nullptr;
  const auto* list = std::get_if<std::vector<std::string>>(&found->second);
  if (list == nullptr || index >= list->size()) return nullptr;
  return (*list)[index].c_str();
}

std::uint64_t HostCalls::seed(void* context) {
  return of(context).context_.plan.seed;
}

const cowbench_device* HostCalls::device(void* context, std::uint32_t index) {
  const Instance& instance = of(context);
  return index < instance.raw_devices_.size() ? &instance.raw_devices_[index]
                                              : nullptr;
}

const char* HostCalls::mount_point(void* context) {
  return of(context).mount_point_.c_str();
}

const char* HostCalls::directory(void* context) {
  return or_null(of(context).places.directory);
}

const char* HostCalls::memory_directory(void* context) {
  return or_null(of(context).places.memory_directory);
}

const char* HostCalls::object_name(void* context) {
  return or_null(of(context).object_name_);
}

const char* HostCalls::artifact_directory(void* context) {
  return or_null(of(context).artifact_folder_);
}

}  // namespace cowbench
