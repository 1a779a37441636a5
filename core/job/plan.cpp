// SPDX-License-Identifier: Apache-2.0
#include "job/plan.hpp"

#include <algorithm>

#include "base/json.hpp"

namespace cowbench {

namespace {

constexpr int kPlanVersion = 1;
constexpr int kEventsVersion = 1;

void write_texts(JsonWriter& json, const char* key,
                 const std::vector<std::string>& texts) {
  json.key(key).begin_array();
  for (const std::string& text : texts) json.value(text);
  json.end_array();
}

std::vector<std::string> read_texts(const JsonValue& object, const char* key) {
  std::vector<std::string> texts;
  const JsonValue* array = member_at(object, key);
  if (array == nullptr || !array->IsArray()) return texts;
  for (const JsonValue& item : array->GetArray()) {
    if (item.IsString()) texts.emplace_back(item.GetString());
  }
  return texts;
}

std::vector<std::string> path_texts(
    const std::vector<std::filesystem::path>& paths) {
  std::vector<std::string> texts;
  for (const auto& path : paths) texts.push_back(path.string());
  return texts;
}

void write_member_plan(JsonWriter& json, const MemberPlan& member) {
  json.begin_object()
      .field("group", member.group)
      .field("index", member.index)
      .field("size_bytes", member.size_bytes)
      .field("device", member.device)
      .field("wipe", member.wipe);
  if (member.disk) {
    json.key("disk");
    member.disk->write(json);
  }
  json.end_object();
}

void write_guest(JsonWriter& json, const GuestPlan& guest) {
  json.key("guest")
      .begin_object()
      .field("name", guest.name)
      .field("emulated", guest.emulated);
  json.key("not_built").begin_object();
  for (const auto& [module, reason] : guest.not_built) {
    json.field(module, reason);
  }
  json.end_object().end_object();
}

GuestPlan read_guest(const JsonValue& plan) {
  GuestPlan guest;
  const JsonValue* json = member_at(plan, "guest");
  if (json == nullptr) return guest;
  guest.name = string_at(*json, "name");
  guest.emulated = bool_at(*json, "emulated");
  const JsonValue* modules = member_at(*json, "not_built");
  if (modules == nullptr || !modules->IsObject()) return guest;
  for (const auto& one : modules->GetObject()) {
    guest.not_built[one.name.GetString()] =
        string_at(*modules, one.name.GetString());
  }
  return guest;
}

MemberPlan read_member_plan(const JsonValue& json) {
  MemberPlan member;
  member.group = string_at(json, "group");
  member.index = static_cast<std::uint32_t>(uint_at(json, "index"));
  member.size_bytes = uint_at(json, "size_bytes");
  member.device = string_at(json, "device");
  member.wipe = bool_at(json, "wipe");
  if (const JsonValue* disk = member_at(json, "disk")) {
    member.disk = VirtualDisk::read(*disk);
  }
  return member;
}

std::string first_problem(const Problems& problems) {
  return problems.empty() ? "" : problems.front().text();
}

// Scalars shared by the plan and the job-start event.
void write_identity(JsonWriter& json, const JobPlan& plan) {
  json.field("run_id", plan.run_id)
      .field("run_label", plan.run_label)
      .field("job_id", plan.job_id)
      .field("started_at", plan.started_at)
      .field("seed", plan.seed)
      .field("repetition", plan.repetition)
      .field("order", plan.order)
      .field("jobs", plan.jobs);
}

void write_options(JsonWriter& json,
                   const std::map<std::string, ConfigValue>& options) {
  json.key("options").begin_object();
  for (const auto& [key, value] : options) {
    json.key(key).raw(config_value_json(value));
  }
  json.end_object();
}

void write_phase(JsonWriter& json, const Plugin* plugin,
                 const std::string& name,
                 const std::map<std::string, ConfigValue>& options,
                 bool requested) {
  json.begin_object().field("name", name).field("requested", requested);
  if (plugin != nullptr) {
    json.field("plugin", plugin->id)
        .field("version", plugin->version)
        .field("stage", plugin->phase.stage == COWBENCH_STAGE_BEFORE_STACK
                            ? "before-stack"
                            : "on-stack");
    json.key("metrics").begin_array();
    for (const MetricSpec& metric : plugin->metrics) write_metric(json, metric);
    json.end_array();
  }
  write_options(json, options);
  json.end_object();
}

}  // namespace

void write_metric(JsonWriter& json, const MetricSpec& metric) {
  json.begin_object()
      .field("key", metric.key)
      .field("unit", metric.unit)
      .field("better", metric.better > 0   ? "higher"
                       : metric.better < 0 ? "lower"
                                           : "neither")
      .field("label", metric.label)
      .field("definition", metric.definition)
      .field("method", metric.method_version)
      .field("detail", metric.detail)
      .end_object();
}

std::string JobPlan::json() const {
  JsonWriter json;
  json.begin_object().field("plan_version", kPlanVersion);
  write_identity(json, *this);
  json.field("stack_path", stack.path)
      .field("stack_text", stack.json)
      .field("profile_path", profile.path)
      .field("profile_text", profile.json);
  json.key("overrides").begin_array();
  for (const auto& [key, value] : overrides) {
    json.begin_array().value(key).value(value).end_array();
  }
  json.end_array();
  json.key("phases").begin_array();
  for (const PhaseUse& phase : profile.phases) json.value(phase.name);
  json.end_array();
  write_texts(json, "skipped_phases", skipped_phases);
  json.key("members").begin_array();
  for (const MemberPlan& member : members) write_member_plan(json, member);
  json.end_array();
  json.field("ledger_path", ledger_path)
      .field("image_folder", image_folder)
      .field("run_folder", run_folder)
      .field("result_folder", result_folder);
  write_texts(json, "plugin_files", path_texts(plugins.files));
  write_texts(json, "plugin_directories", path_texts(plugins.directories));
  if (in_guest()) write_guest(json, guest);
  return json.end_object().text();
}

Result<PluginSearch> JobPlan::read_search(std::string_view text) {
  auto json = parse_json(text);
  if (!json) return json.error().within("read the job's plan");
  PluginSearch search;
  // By the supervisor, before it made this plan.
  search.examined = true;
  // And there the owners of files mean nothing.
  search.trusted = member_at(*json, "guest") != nullptr;
  for (auto& file : read_texts(*json, "plugin_files")) {
    search.files.emplace_back(file);
  }
  for (auto& folder : read_texts(*json, "plugin_directories")) {
    search.directories.emplace_back(folder);
  }
  return search;
}

Result<JobPlan> JobPlan::read(std::string_view text, const Catalog& catalog) {
  auto json = parse_json(text);
  if (!json) return json.error().within("read the job's plan");
  if (int_at(*json, "plan_version") != kPlanVersion) {
    return Error(Category::kInternal,
                 "the job's plan was made by another version of cowbench");
  }
  JobPlan plan;
  plan.run_id = string_at(*json, "run_id");
  plan.run_label = string_at(*json, "run_label");
  plan.job_id = string_at(*json, "job_id");
  plan.started_at = string_at(*json, "started_at");
  plan.seed = uint_at(*json, "seed");
  plan.repetition = static_cast<std::uint32_t>(uint_at(*json, "repetition"));
  plan.order = static_cast<std::uint32_t>(uint_at(*json, "order"));
  plan.jobs = static_cast<std::uint32_t>(uint_at(*json, "jobs"));
  if (const JsonValue* pairs = member_at(*json, "overrides")) {
    for (const JsonValue& pair : pairs->GetArray()) {
      plan.overrides.emplace_back(pair[0].GetString(), pair[1].GetString());
    }
  }

  const Vocabulary vocabulary = catalog.vocabulary();
  auto stack = check_stack(string_at(*json, "stack_text"),
                           string_at(*json, "stack_path"), vocabulary);
  auto profile = check_profile(string_at(*json, "profile_text"),
                               string_at(*json, "profile_path"), vocabulary,
                               plan.overrides);
  for (const Problems* problems :
       {std::get_if<Problems>(&stack), std::get_if<Problems>(&profile)}) {
    if (problems != nullptr) {
      return Error(Category::kInternal, "the job's plan no longer checks: " +
                                            first_problem(*problems));
    }
  }
  plan.stack = std::get<Stack>(std::move(stack));
  plan.profile = std::get<Profile>(std::move(profile));
  const auto phases = read_texts(*json, "phases");
  if (const Problems problems = choose_phases(plan, phases, {});
      !problems.empty()) {
    return Error(Category::kInternal, first_problem(problems));
  }
  plan.skipped_phases = read_texts(*json, "skipped_phases");
  if (const JsonValue* members = member_at(*json, "members")) {
    for (const JsonValue& member : members->GetArray()) {
      plan.members.push_back(read_member_plan(member));
    }
  }
  plan.ledger_path = string_at(*json, "ledger_path");
  plan.image_folder = string_at(*json, "image_folder");
  plan.run_folder = string_at(*json, "run_folder");
  plan.result_folder = string_at(*json, "result_folder");
  plan.guest = read_guest(*json);
  auto search = read_search(text);
  if (!search) return search.error();
  plan.plugins = std::move(search).value();
  return plan;
}

std::string job_start_event(const JobPlan& plan, const Catalog& catalog,
                            const std::string& product_version) {
  JsonWriter json;
  json.begin_object()
      .field("type", "job-start")
      .field("at_ns", 0)
      .field("events_version", kEventsVersion)
      .field("cowbench_version", product_version)
      .field("stack", plan.stack.name)
      .field("profile", plan.profile.name);
  write_identity(json, plan);
  // Parsed and written again: an event is one line, a file has many.
  for (const auto& [key, text] :
       {std::pair("stack_document", &plan.stack.json),
        std::pair("profile_document", &plan.profile.json)}) {
    json.key(key);
    if (auto document = parse_json(*text); document) {
      json.value(*document);
    } else {
      json.null();
    }
  }
  json.key("overrides").begin_object();
  for (const auto& [key, value] : plan.overrides) json.field(key, value);
  json.end_object();
  json.key("layers").begin_array();
  for (const LayerUse& layer : plan.stack.layers) {
    const Plugin* plugin = catalog.layer(layer.use);
    json.begin_object().field("name", layer.as);
    json.field("plugin", plugin == nullptr ? layer.use : plugin->id)
        .field("version", plugin == nullptr ? "" : plugin->version);
    write_options(json, layer.options);
    json.end_object();
  }
  json.end_array();
  json.key("phases").begin_array();
  for (const PhaseUse& phase : plan.profile.phases) {
    write_phase(json, catalog.phase(phase.name), phase.name, phase.options,
                true);
  }
  for (const std::string& name : plan.skipped_phases) {
    write_phase(json, catalog.phase(name), name, {}, false);
  }
  json.end_array();
  return json.end_object().text();
}

Problems choose_phases(JobPlan& plan, const std::vector<std::string>& only,
                       const std::vector<std::string>& skip) {
  auto selected = select_phases(plan.profile, only, skip);
  if (auto* problems = std::get_if<Problems>(&selected)) return *problems;
  const std::vector<PhaseUse> listed = std::move(plan.profile.phases);
  plan.profile = std::get<Profile>(std::move(selected));
  for (const PhaseUse& phase : listed) {
    const bool kept = std::any_of(
        plan.profile.phases.begin(), plan.profile.phases.end(),
        [&](const PhaseUse& chosen) { return chosen.name == phase.name; });
    if (!kept) plan.skipped_phases.push_back(phase.name);
  }
  return {};
}

}  // namespace cowbench
