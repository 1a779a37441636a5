// SPDX-License-Identifier: Apache-2.0
#include "job/instance.hpp"

#include <limits>

#include "base/hash.hpp"
#include "job/status.hpp"
#include "plugin/fence.hpp"
#include "system/clock.hpp"

namespace cowbench {

// Names of arrays have room for 32 characters; the job's id is longer, so its
// FNV-1a hash stands for it.
std::string object_name_of(const std::string& job_id, const std::string& name) {
  constexpr std::size_t kLongest = 31;
  constexpr char kDigits[] = "0123456789abcdef";
  const std::uint64_t hash = fnv1a(job_id);
  std::string text = "cb";
  for (int shift = 44; shift >= 0; shift -= 4) {
    text += kDigits[(hash >> shift) & 15U];
  }
  text += '-';
  for (const char c : name) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    text += plain ? c : '-';
  }
  return text.substr(0, kLongest);
}

Instance::Instance(StepContext& context, const Plugin& plugin, std::string name,
                   const std::map<std::string, ConfigValue>& options,
                   std::vector<DeviceView> devices)
    : context_(context),
      plugin_(plugin),
      name_(std::move(name)),
      options_(options),
      devices_(std::move(devices)),
      mount_point_(context.plan.mount_point()),
      artifact_folder_(context.plan.artifact_folder()) {
  if (plugin.kind == Plugin::Kind::kLayer) {
    object_name_ = object_name_of(context.plan.job_id, name_);
  }
  for (const DeviceView& device : devices_) {
    raw_devices_.push_back({sizeof(cowbench_device), device.index,
                            device.path.c_str(), device.group.c_str(),
                            device.size_bytes,
                            static_cast<std::uint8_t>(device.known_blank),
                            static_cast<std::uint8_t>(device.rotational)});
  }
  for (const MetricSpec& metric : plugin.metrics) {
    metrics_[metric.key] = metric;
  }
  host_ = make_host_table(*this);
}

Instance::~Instance() {
  if (self_ == nullptr) return;
  const auto destroy = plugin_.kind == Plugin::Kind::kPhase
                           ? plugin_.phase.destroy
                           : plugin_.layer.destroy;
  const Status status = call("destroy", [&] {
    destroy(self_);
    return COWBENCH_OK;
  });
  if (!status) context_.session.log("warning", status.error().message());
}

Status Instance::create() {
  const auto create = plugin_.kind == Plugin::Kind::kPhase
                          ? plugin_.phase.create
                          : plugin_.layer.create;
  return call("create", [&] { return create(&host_, &self_); });
}

Status Instance::call(const char* action, Callback callback) {
  if (callback == nullptr) return {};
  return call(action, [&] { return callback(self_); });
}

Status Instance::call(const char* action,
                      const std::function<cowbench_status()>& body) {
  failure_.clear();
  host_failure_.clear();
  const Result<cowbench_status> answer = fenced(action, body);
  const std::string who = plugin_.name + ": ";
  if (!answer)
    return Error(Category::kInternal, who + answer.error().message());
  if (*answer == COWBENCH_OK) return {};
  return Error(category_of(*answer),
               failure_.empty() ? who + action + " failed without a reason"
                                : who + failure_);
}

std::vector<std::string> Instance::take_problems() {
  return std::exchange(problems_, {});
}

std::uint64_t Instance::remaining_ns() const {
  if (context_.deadline_ns == 0) {
    return std::numeric_limits<std::uint64_t>::max();
  }
  const std::uint64_t now = now_ns();
  return context_.deadline_ns > now ? context_.deadline_ns - now : 0;
}

cowbench_status Instance::host_failed(const Error& error) {
  host_failure_ = error.message();
  return status_of(error.category());
}

}  // namespace cowbench
