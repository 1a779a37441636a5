// SPDX-License-Identifier: Apache-2.0
#include "cli/plan_text.hpp"

#include "base/json.hpp"
#include "base/units.hpp"

namespace cowbench {

namespace {

std::string member_text(const MemberPlan& member) {
  const std::string size = format_size(member.size_bytes);
  if (!member.device.empty()) {
    return member.device + ", " + size + " of it" +
           (member.wipe ? ", WIPED before and after" : ", wiped afterwards");
  }
  if (!member.disk) return "loop device over a sparse image of " + size;
  std::string text = "disk of the guest over a sparse image of " + size;
  const VirtualDisk& disk = *member.disk;
  if (!disk.model.empty()) text += ", as " + disk.model;
  if (disk.iops != 0) text += ", " + std::to_string(disk.iops) + " IOPS";
  if (disk.bytes_per_second != 0) {
    text += ", " + std::to_string(disk.bytes_per_second / 1000000) + " MB/s";
  }
  return text;
}

std::string preview_text(const StackPreview& preview) {
  std::string text = "\nStack " + preview.stack + "\n  members\n";
  for (const MemberPlan& member : preview.members) {
    text += "    " + member.name() + ": " + member_text(member) + "\n";
  }
  text += "  commands to set it up\n";
  for (const std::string& command : preview.commands) {
    text += "    " + command + "\n";
  }
  text += "  phases\n";
  for (const PhaseEstimate& phase : preview.phases) {
    text += "    " + phase.phase + ": writes about " +
            format_size(phase.written_bytes) + ", takes about " +
            format_duration(phase.duration_ns) +
            (phase.before_stack ? " (before the stack is built)" : "") + "\n";
  }
  return text + "  bytes to be written by the workloads: " +
         format_size(preview.written_bytes) +
         "\n  space the images can take up: " +
         format_size(preview.worst_case_bytes) + " of " +
         format_size(preview.image_bytes) + "\n  time: about " +
         format_duration(preview.duration_ns) + "\n";
}

}  // namespace

std::string plan_text(const RunPlan& plan, const std::string& guests) {
  std::string text =
      "Run " + plan.run_id + ", seed " + std::to_string(plan.seed) + ", " +
      std::to_string(plan.jobs.size()) + " jobs in this order:\n";
  for (const JobPlan& job : plan.jobs) {
    text += "  " + job.stack.name + ", repetition " +
            std::to_string(job.repetition) +
            (job.in_guest() ? ", in guest " + job.guest.name : "") + "\n";
  }
  if (!guests.empty()) text += "\nGuests: " + guests + "\n";
  for (const StackPreview& preview : plan.previews) {
    text += preview_text(preview);
  }
  if (!plan.store_path.empty()) {
    text += "\nImages lie on " + plan.store_path + " (" + plan.store_type +
            (plan.store_in_memory ? ", IN MEMORY: figures say nothing about "
                                    "disks"
                                  : "") +
            "), " + format_size(plan.store_available_bytes) + " free\n";
  }
  return text + "Time: about " + format_duration(plan.duration_ns) + "\n";
}

std::string plan_json(const RunPlan& plan) {
  JsonWriter json;
  json.begin_object()
      .field("run_id", plan.run_id)
      .field("label", plan.label)
      .field("seed", plan.seed)
      .field("runnable", plan.runnable())
      .field("duration_ns", plan.duration_ns);
  json.key("store")
      .begin_object()
      .field("path", plan.store_path)
      .field("filesystem", plan.store_type)
      .field("memory_backed", plan.store_in_memory)
      .field("available_bytes", plan.store_available_bytes)
      .end_object();
  json.key("jobs").begin_array();
  for (const JobPlan& job : plan.jobs) {
    json.begin_object()
        .field("job_id", job.job_id)
        .field("stack", job.stack.name)
        .field("repetition", job.repetition)
        .field("guest", job.guest.name)
        .field("seed", job.seed)
        .field("results", job.result_folder)
        .end_object();
  }
  json.end_array().key("stacks").begin_array();
  for (const StackPreview& preview : plan.previews) {
    json.begin_object().field("stack", preview.stack);
    json.key("members").begin_array();
    for (const MemberPlan& member : preview.members) {
      json.begin_object()
          .field("name", member.name())
          .field("device", member.device)
          .field("size_bytes", member.size_bytes)
          .field("wipe", member.wipe);
      if (member.disk) {
        json.field("model", member.disk->model)
            .field("iops", member.disk->iops)
            .field("bytes_per_second", member.disk->bytes_per_second);
      }
      json.end_object();
    }
    json.end_array().key("commands").begin_array();
    for (const std::string& command : preview.commands) json.value(command);
    json.end_array().key("phases").begin_array();
    for (const PhaseEstimate& phase : preview.phases) {
      json.begin_object()
          .field("phase", phase.phase)
          .field("before_stack", phase.before_stack)
          .field("written_bytes", phase.written_bytes)
          .field("peak_bytes", phase.peak_bytes)
          .field("duration_ns", phase.duration_ns)
          .end_object();
    }
    json.end_array()
        .field("written_bytes", preview.written_bytes)
        .field("image_bytes", preview.image_bytes)
        .field("worst_case_bytes", preview.worst_case_bytes)
        .field("duration_ns", preview.duration_ns)
        .end_object();
  }
  json.end_array().key("problems").begin_array();
  for (const Problem& problem : plan.usage) json.value(problem.text());
  for (const std::string& text : plan.environment) json.value(text);
  return json.end_array().end_object().text() + "\n";
}

}  // namespace cowbench
