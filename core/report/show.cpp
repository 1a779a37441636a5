// SPDX-License-Identifier: Apache-2.0
#include "report/show.hpp"

#include <string_view>
#include <vector>

#include "base/text.hpp"
#include "base/units.hpp"
#include "report/conditions.hpp"
#include "report/figure.hpp"
#include "report/table.hpp"

namespace cowbench {

namespace {

std::string outcome_with_reason(Outcome outcome, const std::string& reason) {
  const std::string text(outcome_text(outcome));
  return outcome == Outcome::kOk || reason.empty() ? text
                                                   : text + ": " + reason;
}

// "a=1, b=x"; empty for anything but an object.
std::string pairs_text(const JsonValue& object) {
  if (!object.IsObject()) return {};
  std::vector<std::string> parts;
  for (const auto& member : object.GetObject()) {
    parts.push_back(std::string(member.name.GetString()) + "=" +
                    plain_text(member.value));
  }
  return join(parts, ", ");
}

// In words and units that the name of the fact tells; "-" when not known.
std::string fact(const JsonValue& object, std::string_view key) {
  const JsonValue* found = member_at(object, std::string(key).c_str());
  if (found == nullptr || found->IsNull()) return "-";
  if (found->IsBool()) return found->GetBool() ? "yes" : "no";
  if (key.ends_with("_bytes") && found->IsUint64()) {
    return format_size(found->GetUint64());
  }
  if (key.ends_with("_ns") && found->IsUint64()) {
    return format_duration(found->GetUint64());
  }
  return found->IsObject() ? pairs_text(*found) : plain_text(*found);
}

std::string spread_text(const Metric& metric) {
  if (!metric.spread) return {};
  return rounded_figure(metric.spread->minimum) + " to " +
         rounded_figure(metric.spread->maximum) + ", MAD " +
         rounded_figure(metric.spread->mad);
}

class Show {
 public:
  Show(const ResultDocument& document, std::size_t width)
      : document_(document), width_(width) {}

  std::string text() {
    add_job();
    add_machine();
    add_stack();
    add_members();
    for (const PhaseRecord& phase : document_.phases) add_phase(phase);
    add_time();
    add_log();
    return std::move(out_);
  }

 private:
  void title(const std::string& text) { out_ += "\n" + printable(text) + "\n"; }

  void line(const std::string& name, const std::string& value,
            std::size_t indent = 2) {
    constexpr std::size_t kNameWidth = 25;
    if (value.empty()) return;
    std::string text(indent, ' ');
    text += printable(name);
    if (text.size() < kNameWidth) text.resize(kNameWidth, ' ');
    out_ += text + "  " + printable(value) + "\n";
  }

  // Each member of an object on a line of its own.
  void lines(const JsonValue& object, std::size_t indent) {
    if (!object.IsObject()) return;
    for (const auto& member : object.GetObject()) {
      const std::string key = member.name.GetString();
      line(key, fact(object, key), indent);
    }
  }

  void table(const Table& table) { out_ += table_text(table, width_, 4); }

  void add_job() {
    const JobRecord& job = document_.job;
    const RunRecord& run = document_.run;
    out_ += printable(job_name(document_) + ": " +
                      outcome_with_reason(job.outcome, job.reason)) +
            "\n";
    line("run", run.label.empty() ? run.id : run.id + " (" + run.label + ")");
    line("job", job.id + ", " + std::to_string(run.order + 1) + " of " +
                    std::to_string(run.jobs) + " in the run, seed " +
                    std::to_string(run.seed));
    line("stack", job.stack + " (family " + job.family + ", class " +
                      job.stack_class + ")");
    line("profile", profile_text(document_));
    line("started", job.started_at);
    line("took", format_duration(job.duration_ns));
    for (const Mark& mark : job.marks) {
      line("mark", mark.name + ": " + mark.reason);
    }
    for (const std::string& object : document_.left_over) {
      line("left over", object);
    }
  }

  void add_machine() {
    title("Machine");
    if (document_.environment->IsObject()) {
      lines(*document_.environment, 2);
    } else {
      line("environment", "not recorded");
    }
    if (document_.guest->IsObject()) {
      title("Guest");
      lines(*document_.guest, 2);
    }
    title("Versions");
    line("cowbench", document_.cowbench_version);
    lines(*document_.versions, 2);
  }

  void add_stack() {
    title("Stack");
    for (const LayerRecord& layer : document_.layers) {
      line("layer " + layer.name, layer.plugin + " " + layer.version);
      line("requested", pairs_text(*layer.options), 4);
      line("in effect", pairs_text(*layer.effective), 4);
    }
    const JsonValue& mount = *document_.mount;
    if (mount.IsObject()) {
      line("mount", fact(mount, "source") + " on " + fact(mount, "target") +
                        ", type " + fact(mount, "fstype"));
      line("mount options", fact(mount, "options"));
    }
  }

  void add_members() {
    title("Members");
    const JsonValue& members = *document_.members;
    if (!members.IsArray() || members.Empty()) {
      line("members", "not recorded");
      return;
    }
    line("in short", members_text(document_));
    for (const JsonValue& member : members.GetArray()) {
      line(string_at(member, "name"), fact(member, "path") + ", " +
                                          fact(member, "size_bytes") + ", " +
                                          fact(member, "kind"));
      if (!member.IsObject()) continue;
      for (const auto& detail : member.GetObject()) {
        const std::string key = detail.name.GetString();
        if (key == "name" || key == "path" || key == "size_bytes" ||
            key == "kind" || detail.value.IsNull()) {
          continue;
        }
        line(key, fact(member, key), 4);
      }
    }
  }

  void add_phase(const PhaseRecord& phase) {
    title("Phase " + phase.name + ": " +
          outcome_with_reason(phase.outcome, phase.reason));
    if (phase.outcome == Outcome::kNotRequested) return;
    line("plugin", phase.plugin + " " + phase.version);
    line("options", pairs_text(*phase.options));
    if (phase.duration_ns > 0) {
      line("took", format_duration(phase.duration_ns) + ", of it quiescing " +
                       format_duration(phase.quiesce_ns));
    }
    add_metrics(phase);
    add_accounting(phase);
    if (phase.usage->IsObject()) {
      line("usage", "raw " + fact(*phase.usage, "raw_bytes") + ", allocated " +
                        fact(*phase.usage, "allocated_bytes") + ", used " +
                        fact(*phase.usage, "used_bytes") + ", usable " +
                        fact(*phase.usage, "usable_bytes") + " (" +
                        fact(*phase.usage, "source") + ")");
    }
    if (phase.write_amplification) {
      line("write amplification", rounded_figure(*phase.write_amplification));
    }
  }

  void add_metrics(const PhaseRecord& phase) {
    if (phase.metrics.empty()) return;
    Table metrics;
    metrics.columns = {{"metric"},
                       {"value", Align::kRight},
                       {"unit"},
                       {"n", Align::kRight},
                       {"spread"},
                       {"observations", Align::kRight},
                       {"method", Align::kRight}};
    metrics.fixed = metrics.columns.size();
    for (const Metric& metric : phase.metrics) {
      metrics.rows.push_back(
          {{metric.label, metric.value ? rounded_figure(*metric.value) : "-",
            metric.unit, std::to_string(metric.n), spread_text(metric),
            std::to_string(metric.observations),
            std::to_string(metric.method)}});
    }
    table(metrics);
    for (const Metric& metric : phase.metrics) {
      std::vector<std::string> remarks;
      // What a phase's own outcome explains is not said again.
      if (metric.outcome != Outcome::kOk &&
          (metric.outcome != phase.outcome || metric.reason != phase.reason)) {
        remarks.push_back(outcome_with_reason(metric.outcome, metric.reason));
      }
      for (const auto& [key, value] : metric.conditions) {
        remarks.push_back(key + "=" + value);
      }
      if (const auto bytes = written_bytes(metric)) {
        remarks.push_back(
            "write amplification " +
            rounded_figure(static_cast<double>(bytes->by_members) /
                           static_cast<double>(bytes->by_workload)));
      }
      line(metric.label, join(remarks, ", "), 4);
    }
  }

  void add_accounting(const PhaseRecord& phase) {
    const JsonValue* members = member_at(*phase.accounting, "members");
    if (members != nullptr && members->IsArray() && !members->Empty()) {
      Table io;
      io.columns = {{"member"},
                    {"reads", Align::kRight},
                    {"read", Align::kRight},
                    {"writes", Align::kRight},
                    {"written", Align::kRight},
                    {"discards", Align::kRight},
                    {"discarded", Align::kRight},
                    {"flushes", Align::kRight},
                    {"busy", Align::kRight}};
      io.fixed = io.columns.size();
      for (const JsonValue& member : members->GetArray()) {
        io.rows.push_back(
            {{fact(member, "name"), fact(member, "read_ops"),
              fact(member, "read_bytes"), fact(member, "write_ops"),
              fact(member, "write_bytes"), fact(member, "discard_ops"),
              fact(member, "discard_bytes"), fact(member, "flush_ops"),
              format_duration(uint_at(member, "busy_ns"))}});
      }
      table(io);
    }
    if (const JsonValue* cpu = member_at(*phase.accounting, "cpu")) {
      line("processor",
           "user " + format_duration(uint_at(*cpu, "user_ns")) + ", system " +
               format_duration(uint_at(*cpu, "system_ns")) +
               ", waiting for I/O " +
               format_duration(uint_at(*cpu, "iowait_ns")) + ", stolen " +
               format_duration(uint_at(*cpu, "steal_ns")));
    }
    if (const JsonValue* memory = member_at(*phase.accounting, "memory")) {
      line("memory", "available " + fact(*memory, "available_bytes") +
                         ", dirty " + fact(*memory, "dirty_bytes") +
                         ", cached " + fact(*memory, "cached_bytes"));
    }
    const JsonValue* warnings = member_at(*phase.accounting, "kernel_warnings");
    if (warnings != nullptr && warnings->IsArray()) {
      for (const JsonValue& warning : warnings->GetArray()) {
        line("kernel warning", plain_text(warning));
      }
    }
    const std::string log = string_at(*phase.accounting, "kernel_log", "ok");
    if (log != "ok") line("kernel log", log);
  }

  void add_time() {
    title("Time");
    const TimeSplit& time = document_.time;
    line("prepare", format_duration(time.prepare_ns));
    line("assemble", format_duration(time.assemble_ns));
    line("phases", format_duration(time.phases_ns));
    line("quiesce", format_duration(time.quiesce_ns));
    line("teardown", format_duration(time.teardown_ns));
    line("other", format_duration(time.other_ns));
  }

  void add_log() {
    if (document_.log.empty()) return;
    title("Warnings and errors");
    for (const LogLine& entry : document_.log) {
      line(entry.level,
           entry.where.empty() ? entry.text : entry.where + ": " + entry.text);
    }
  }

  const ResultDocument& document_;
  std::size_t width_;
  std::string out_;
};

}  // namespace

std::string show_text(const ResultDocument& document, std::size_t width) {
  return Show(document, width).text();
}

}  // namespace cowbench
