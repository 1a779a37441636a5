// SPDX-License-Identifier: Apache-2.0
// Quiesce, cold caches, sections, counters, values and abilities.
#include <cmath>
#include <cstring>

#include "job/host_calls.hpp"
#include "job/stack_runtime.hpp"
#include "plugin/table.hpp"
#include "system/clock.hpp"
#include "system/filesystem.hpp"

namespace cowbench {

namespace {

// At rest: no member I/O for this long. Longer than the loop worker's latency
// and short enough to be paid before every section.
constexpr std::uint64_t kCalmNs = 150 * kNsPerMs;
constexpr std::uint64_t kQuiesceLimitNs = 15 * kNsPerSecond;
constexpr std::uint64_t kRequestLimitNs = 60 * kNsPerSecond;

const char* outcome_name(std::int32_t outcome) {
  switch (outcome) {
    case COWBENCH_OUTCOME_OK:
      return "ok";
    case COWBENCH_OUTCOME_NOT_APPLICABLE:
      return "not-applicable";
    case COWBENCH_OUTCOME_NOT_AVAILABLE:
      return "not-available";
    case COWBENCH_OUTCOME_NOT_REQUESTED:
      return "not-requested";
    case COWBENCH_OUTCOME_WITHHELD:
      return "withheld";
    default:
      return "failed";
  }
}

cowbench_io to_abi(const IoCounters& io, std::uint32_t members) {
  return {sizeof(cowbench_io), members,        io.read_ops,    io.read_bytes,
          io.write_ops,        io.write_bytes, io.discard_ops, io.discard_bytes,
          io.flush_ops,        io.busy_ns};
}

void give_io(const cowbench_io& io, cowbench_io* out) {
  const std::uint32_t theirs = out->struct_size;
  std::memcpy(out, &io, std::min<std::size_t>(theirs, sizeof io));
  out->struct_size = theirs;
}

void write_samples(JsonWriter& json, const cowbench_value& value) {
  json.key("samples").begin_array();
  for (std::uint32_t i = 0; i < value.sample_count; ++i) {
    json.value(value.samples[i]);
  }
  json.end_array();
}

void write_conditions(JsonWriter& json, const cowbench_value& value) {
  json.key("conditions").begin_object();
  for (std::uint32_t i = 0; i < value.condition_count; ++i) {
    json.field(value.conditions[i].key, value.conditions[i].value);
  }
  json.end_object();
}

}  // namespace

cowbench_status HostCalls::inside_section(Instance& instance,
                                          const char* call) {
  return instance.host_failed(
      Error(Category::kInternal,
            std::string(call) + ": belongs before a section, not inside"));
}

cowbench_status HostCalls::sync(void* context) {
  return guarded([&]() -> cowbench_status {
    Instance& instance = of(context);
    const std::string& where = instance.context_.stack == nullptr
                                   ? instance.places.directory
                                   : instance.mount_point_;
    if (where.empty()) return COWBENCH_OK;
    if (Status done = sync_filesystem(where); !done) {
      return instance.host_failed(done.error());
    }
    return COWBENCH_OK;
  });
}

cowbench_status HostCalls::quiesce(void* context) {
  return guarded([&]() -> cowbench_status {
    Instance& instance = of(context);
    StepContext& step = instance.context_;
    if (step.session.in_section()) return inside_section(instance, "quiesce");
    const std::uint64_t start = cowbench::now_ns();
    if (const cowbench_status synced = sync(context); synced != COWBENCH_OK) {
      return synced;
    }
    const bool idle =
        wait_until_idle(step.members, kCalmNs, kQuiesceLimitNs,
                        [&] { return step.session.should_stop(); });
    step.session.send("quiesce", [&](JsonWriter& json) {
      json.field("duration_ns", cowbench::now_ns() - start).field("idle", idle);
    });
    if (step.session.should_stop()) return COWBENCH_CANCELLED;
    return idle ? COWBENCH_OK : COWBENCH_TIMEOUT;
  });
}

cowbench_status HostCalls::make_cold(void* context) {
  return guarded([&]() -> cowbench_status {
    Instance& instance = of(context);
    StepContext& step = instance.context_;
    if (step.session.in_section()) return inside_section(instance, "make_cold");
    if (step.stack == nullptr) {
      return instance.host_failed(
          Error(Category::kUnsupported, "there is no stack to make cold"));
    }
    const std::uint64_t start = cowbench::now_ns();
    if (Status down = step.stack->deactivate(); !down) {
      return instance.host_failed(down.error());
    }
    auto dropped = step.session.request("drop-backing-cache", kRequestLimitNs);
    if (Status up = step.stack->activate(); !up) {
      return instance.host_failed(up.error());
    }
    step.session.send("cold", [&](JsonWriter& json) {
      json.field("duration_ns", cowbench::now_ns() - start);
      json.field("backing_dropped", dropped.ok());
      if (dropped) {
        json.field("backing_cached_bytes", uint_at(*dropped, "cached_bytes"));
      } else {
        json.field("reason", dropped.error().message());
      }
    });
    return COWBENCH_OK;
  });
}

std::uint64_t HostCalls::cold_metadata_bytes(void* context,
                                             std::uint64_t entries,
                                             std::uint8_t with_inodes) {
  std::uint64_t bytes = 1;
  guarded([&] {
    StepContext& step = of(context).context_;
    if (step.stack != nullptr) {
      bytes = step.stack->cold_metadata_bytes(entries, with_inodes != 0);
    }
    return COWBENCH_OK;
  });
  return bytes;
}

cowbench_status HostCalls::section_begin(void* context, const char* name) {
  return guarded([&]() -> cowbench_status {
    Instance& instance = of(context);
    StepContext& step = instance.context_;
    if (step.session.in_section()) {
      return instance.host_failed(Error(
          Category::kInternal,
          std::string("section ") + name + ": another one is still open"));
    }
    if (step.session.should_stop()) return COWBENCH_CANCELLED;
    step.session.open_section();
    instance.section_start_ = take_snapshot(step.members).members;
    return COWBENCH_OK;
  });
}

cowbench_status HostCalls::section_end(void* context, cowbench_io* io) {
  return guarded([&]() -> cowbench_status {
    Instance& instance = of(context);
    StepContext& step = instance.context_;
    if (!step.session.in_section()) {
      return instance.host_failed(
          Error(Category::kInternal, "end a section: none is open"));
    }
    const auto now = take_snapshot(step.members).members;
    step.session.close_section();
    IoCounters sum;
    std::uint32_t counted = 0;
    for (std::size_t i = 0; i < now.size(); ++i) {
      if (!now[i] || !instance.section_start_[i]) continue;
      sum = sum + (*now[i] - *instance.section_start_[i]);
      ++counted;
    }
    if (io != nullptr) give_io(to_abi(sum, counted), io);
    return COWBENCH_OK;
  });
}

cowbench_status HostCalls::member_io(void* context, std::uint32_t index,
                                     cowbench_io* io) {
  return guarded([&]() -> cowbench_status {
    Instance& instance = of(context);
    const auto& members = instance.context_.members;
    IoCounters sum;
    std::uint32_t counted = 0;
    for (std::uint32_t i = 0; i < members.size(); ++i) {
      if (index != UINT32_MAX && index != i) continue;
      auto counters = io_counters(members[i].facts.number);
      if (!counters) return instance.host_failed(counters.error());
      sum = sum + *counters;
      ++counted;
    }
    if (counted == 0) {
      return instance.host_failed(
          Error(Category::kInternal, "read I/O counters: no such member"));
    }
    give_io(to_abi(sum, counted), io);
    return COWBENCH_OK;
  });
}

cowbench_status HostCalls::declare_metric(void* context,
                                          const cowbench_metric* metric) {
  return guarded([&]() -> cowbench_status {
    Instance& instance = of(context);
    const auto raw = copy_table<cowbench_metric>(metric);
    if (raw.key == nullptr || raw.unit == nullptr) {
      return instance.host_failed(Error(
          Category::kInternal, "declare a metric: it has no key or no unit"));
    }
    MetricSpec spec;
    spec.key = raw.key;
    spec.unit = raw.unit;
    spec.label = raw.label == nullptr ? raw.key : raw.label;
    spec.definition = raw.definition == nullptr ? "" : raw.definition;
    spec.better = raw.better;
    spec.method_version = raw.method_version;
    spec.detail = raw.detail != 0;
    if (!instance.metrics_.emplace(spec.key, spec).second) {
      return instance.host_failed(Error(
          Category::kInternal, "metric " + spec.key + " is declared twice"));
    }
    instance.context_.session.send("metric-declared", [&](JsonWriter& json) {
      json.key("metric");
      write_metric(json, spec);
    });
    return COWBENCH_OK;
  });
}

cowbench_status HostCalls::emit(void* context, const cowbench_value* raw) {
  return guarded([&]() -> cowbench_status {
    Instance& instance = of(context);
    const auto value = copy_table<cowbench_value>(raw);
    const std::string key = value.key == nullptr ? "" : value.key;
    const auto refuse = [&](const std::string& why) {
      return instance.host_failed(
          Error(Category::kInternal, "emit \"" + key + "\": " + why));
    };
    if (!instance.metrics_.contains(key)) return refuse("not declared");
    if (instance.context_.session.in_section()) {
      return refuse("a section is open");
    }
    const bool ok = value.outcome == COWBENCH_OUTCOME_OK;
    const std::string reason = value.reason == nullptr ? "" : value.reason;
    if (!ok && reason.empty()) return refuse("no figure and no reason");
    if (ok && !std::isfinite(value.value)) {
      return refuse("the figure is not a number");
    }
    if (!instance.emitted_.emplace(key, true).second) {
      return refuse("emitted twice");
    }
    instance.context_.session.send("metric", [&](JsonWriter& json) {
      json.field("key", key)
          .field("outcome", outcome_name(value.outcome))
          .field("reason", ok ? "" : reason);
      if (ok || value.outcome == COWBENCH_OUTCOME_WITHHELD) {
        json.field("value", value.value);
      }
      write_samples(json, value);
      json.field("observations", value.observations);
      write_conditions(json, value);
    });
    return COWBENCH_OK;
  });
}

void HostCalls::mark(void* context, const char* name, const char* reason,
                     std::uint8_t end_job) {
  guarded([&] {
    of(context).context_.session.send("mark", [&](JsonWriter& json) {
      json.field("name", name)
          .field("reason", reason)
          .field("ends_job", end_job != 0);
    });
    return COWBENCH_OK;
  });
}

cowbench_status HostCalls::ability(void* context, const char* ability_id,
                                   const void** table, void** self,
                                   const char** reason) {
  return guarded([&]() -> cowbench_status {
    Instance& instance = of(context);
    StackRuntime* stack = instance.context_.stack;
    StackRuntime::Found found;
    if (stack == nullptr) {
      found.reason = "no stack exists yet";
    } else {
      found = stack->ability(ability_id);
    }
    instance.ability_reason_ = found.reason;
    *reason = instance.ability_reason_.c_str();
    if (found.table == nullptr) return COWBENCH_UNSUPPORTED;
    *table = found.table;
    *self = found.self;
    return COWBENCH_OK;
  });
}

const void* HostCalls::service(void*, const char*) { return nullptr; }

cowbench_host make_host_table(Instance& instance) {
  using H = HostCalls;
  return {sizeof(cowbench_host),
          0,
          &instance,
          H::log,
          H::fail,
          H::problem,
          H::progress,
          H::should_stop,
          H::now_ns,
          H::remaining_ns,
          H::has,
          H::text,
          H::integer,
          H::number,
          H::text_item,
          H::seed,
          H::device,
          H::mount_point,
          H::directory,
          H::memory_directory,
          H::artifact_directory,
          H::run,
          H::start,
          H::wait,
          H::stop,
          H::plan_command,
          H::mount,
          H::unmount,
          H::ledger_add,
          H::ledger_strike,
          H::state,
          H::set_state,
          H::add_output,
          H::effective,
          H::version,
          H::sync,
          H::quiesce,
          H::make_cold,
          H::cold_metadata_bytes,
          H::section_begin,
          H::section_end,
          H::member_io,
          H::declare_metric,
          H::emit,
          H::mark,
          H::ability,
          H::service,
          H::object_name};
}

}  // namespace cowbench
