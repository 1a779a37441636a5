// SPDX-License-Identifier: Apache-2.0
#include "report/conditions.hpp"

#include <algorithm>
#include <map>

#include "base/text.hpp"
#include "base/units.hpp"

namespace cowbench {

namespace {

class Facts {
 public:
  void add(FactScope scope, std::string name, std::string value) {
    if (value.empty()) return;
    all_.push_back({scope, std::move(name), std::move(value)});
  }
  // Each member of an object, named <prefix><key>.
  void add_members(FactScope scope, const std::string& prefix,
                   const JsonValue& object) {
    if (!object.IsObject()) return;
    for (const auto& member : object.GetObject()) {
      add(scope, prefix + member.name.GetString(), plain_text(member.value));
    }
  }
  std::vector<Fact> take() { return std::move(all_); }

 private:
  std::vector<Fact> all_;
};

// Empty for what is null or absent.
std::string fact_text(const JsonValue& object, const char* key) {
  const JsonValue* found = member_at(object, key);
  return found == nullptr || found->IsNull() ? "" : plain_text(*found);
}

// Of a limit, where 0 stands for none.
std::string limit_text(const JsonValue& object, const char* key) {
  return double_at(object, key) > 0.0 ? fact_text(object, key) : "";
}

// Rounded: two boots of one machine differ by some pages.
std::string size_text(const JsonValue& object, const char* key) {
  const std::uint64_t bytes = uint_at(object, key);
  return bytes == 0 ? "" : format_size(bytes);
}

std::string yes_no(const JsonValue& object, const char* key, const char* yes,
                   const char* no) {
  const JsonValue* found = member_at(object, key);
  if (found == nullptr || !found->IsBool()) return "";
  return found->GetBool() ? yes : no;
}

void add_if(std::vector<std::string>& parts, std::string text,
            const std::string& before = "", const std::string& after = "") {
  if (!text.empty()) parts.push_back(before + std::move(text) + after);
}

// "as hdd throttled to 150 IOPS and 100 MB/s"; empty when it imitates nothing.
std::string limits_text(const JsonValue& member) {
  const JsonValue* disk = member_at(member, "disk_of_guest");
  if (disk == nullptr) return {};
  std::vector<std::string> limits;
  if (const std::uint64_t iops = uint_at(*disk, "iops"); iops != 0) {
    limits.push_back(std::to_string(iops) + " IOPS");
  }
  if (const std::uint64_t rate = uint_at(*disk, "bytes_per_second");
      rate != 0) {
    limits.push_back(std::to_string(rate / 1000000) + " MB/s");
  }
  const std::string model = string_at(*disk, "model");
  if (model.empty()) return {};
  return "as " + model +
         (limits.empty() ? ", not throttled"
                         : " throttled to " + join(limits, " and "));
}

// What members of one group share, in words.
std::string member_kind(const JsonValue& member) {
  std::vector<std::string> details;
  // A loop device only repeats what the kernel believes of its backing store,
  // and of a virtual disk it knows nothing.
  const std::string kind = string_at(member, "kind");
  if (kind != "loop" && kind != "virtual") {
    add_if(details, yes_no(member, "rotational", "HDD", "SSD"));
  }
  add_if(details, fact_text(member, "model"));
  add_if(details, limits_text(member));
  if (const JsonValue* backing = member_at(member, "backing")) {
    add_if(details, fact_text(*backing, "filesystem"), "on ");
    if (bool_at(*backing, "memory_backed")) {
      details.emplace_back("in memory");
    }
  }
  add_if(details, yes_no(member, "direct_io", "on", "off"), "direct I/O ");
  const std::string size = size_text(member, "size_bytes");
  const std::string what =
      (size.empty() ? "" : size + " ") + string_at(member, "kind", "member");
  return details.empty() ? what : what + " (" + join(details, ", ") + ")";
}

void add_machine(Facts& facts, const ResultDocument& document) {
  const JsonValue& machine = *document.environment;
  const auto add = [&](const char* name, std::string value) {
    facts.add(FactScope::kMachine, name, std::move(value));
  };
  add("processor", fact_text(machine, "cpu_model"));
  add("cores", fact_text(machine, "cpu_cores"));
  add("memory", size_text(machine, "memory_bytes"));
  add("memory limit", size_text(machine, "cgroup_memory_bytes"));
  add("processor limit", limit_text(machine, "cgroup_cpus"));
  add("kernel", fact_text(machine, "kernel"));
  add("architecture", fact_text(machine, "architecture"));
  add("virtualisation", fact_text(machine, "virtualisation"));
  add("emulated", fact_text(machine, "emulated"));
  add("governor", fact_text(machine, "governor"));
  if (!document.guest->IsObject()) return;
  const JsonValue& guest = *document.guest;
  add("accelerator", fact_text(guest, "accelerator"));
  add("emulator", fact_text(guest, "emulator"));
  add("cache mode of the guest's disks", fact_text(guest, "cache_mode"));
}

void add_phase(Facts& facts, const PhaseRecord& phase) {
  facts.add_members(FactScope::kSettings, phase.name + ".", *phase.options);
  for (const Metric& metric : phase.metrics) {
    if (!metric.value) continue;
    const std::string name = phase.name + "." + metric.key;
    facts.add(FactScope::kMethod, "method of " + name,
              std::to_string(metric.method));
    facts.add(FactScope::kMethod, "unit of " + name, metric.unit);
  }
}

}  // namespace

std::string machine_text(const ResultDocument& document) {
  const JsonValue& machine = *document.environment;
  std::vector<std::string> parts;
  add_if(parts, fact_text(machine, "cpu_model"));
  const std::string cores = fact_text(machine, "cpu_cores");
  add_if(parts, cores, "", cores == "1" ? " core" : " cores");
  add_if(parts, size_text(machine, "memory_bytes"), "", " of memory");
  add_if(parts, size_text(machine, "cgroup_memory_bytes"), "limited to ");
  add_if(parts, limit_text(machine, "cgroup_cpus"), "limited to ",
         " processors");
  add_if(parts, fact_text(machine, "kernel"), "kernel ");
  add_if(parts, fact_text(machine, "distribution"));
  add_if(parts, fact_text(machine, "architecture"));
  add_if(parts, fact_text(machine, "virtualisation"), "virtualisation ");
  add_if(parts, fact_text(machine, "governor"), "governor ");
  if (bool_at(machine, "emulated")) {
    parts.emplace_back("emulated, so that times are not for comparing");
  }
  if (document.guest->IsObject()) {
    add_if(parts, fact_text(*document.guest, "name"), "guest ");
    add_if(parts, fact_text(*document.guest, "emulator"));
    add_if(parts, fact_text(*document.guest, "accelerator"), "by ");
  }
  return parts.empty() ? "unknown" : join(parts, ", ");
}

std::string members_text(const ResultDocument& document) {
  if (!document.members->IsArray()) return "unknown";
  // One entry for each kind within a group, in order of appearance.
  struct Kind {
    std::string group;
    std::string text;
    std::size_t count;
  };
  std::vector<Kind> kinds;
  for (const JsonValue& member : document.members->GetArray()) {
    const std::string group = string_at(member, "group");
    const std::string text = member_kind(member);
    const auto found =
        std::find_if(kinds.begin(), kinds.end(), [&](const Kind& kind) {
          return kind.group == group && kind.text == text;
        });
    if (found == kinds.end()) {
      kinds.push_back({group, text, 1});
    } else {
      ++found->count;
    }
  }
  std::vector<std::string> parts;
  for (const Kind& kind : kinds) {
    parts.push_back(kind.group + ": " + std::to_string(kind.count) + " x " +
                    kind.text);
  }
  return parts.empty() ? "unknown" : join(parts, "; ");
}

std::string profile_text(const ResultDocument& document) {
  std::vector<std::string> settings;
  if (document.overrides->IsObject()) {
    for (const auto& one : document.overrides->GetObject()) {
      settings.push_back(std::string(one.name.GetString()) + "=" +
                         plain_text(one.value));
    }
  }
  return settings.empty()
             ? document.job.profile
             : document.job.profile + " (" + join(settings, ", ") + ")";
}

std::string job_name(const ResultDocument& document) {
  return document.job.stack + " r" + std::to_string(document.job.repetition);
}

std::vector<Fact> facts_of(const ResultDocument& document) {
  Facts facts;
  add_machine(facts, document);
  facts.add_members(FactScope::kMethod, "version of ", *document.versions);
  facts.add(FactScope::kSettings, "profile", document.job.profile);
  // A phase meets the filesystem as the phases before it left it.
  std::vector<std::string> before;
  for (const PhaseRecord& phase : document.phases) {
    if (phase.outcome == Outcome::kNotRequested) continue;
    add_phase(facts, phase);
    if (phase.stage == "before-stack") continue;
    facts.add(FactScope::kSettings, "phases before " + phase.name,
              before.empty() ? "none" : join(before, ", "));
    before.push_back(phase.name);
  }
  if (document.stack_document->IsObject()) {
    facts.add(FactScope::kStack, "stack file",
              plain_text(*document.stack_document));
  }
  for (const LayerRecord& layer : document.layers) {
    facts.add_members(FactScope::kStack, layer.name + ".", *layer.options);
  }
  if (document.members->IsArray() && !document.members->Empty()) {
    facts.add(FactScope::kStack, "members", members_text(document));
  }
  return facts.take();
}

}  // namespace cowbench
