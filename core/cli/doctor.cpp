// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include "base/json.hpp"
#include "base/text.hpp"
#include "base/units.hpp"
#include "cli/commands.hpp"
#include "cli/common.hpp"
#include "config/stack.hpp"
#include "job/requirements.hpp"
#include "ledger/clean.hpp"
#include "system/filesystem.hpp"
#include "system/loop.hpp"
#include "system/machine.hpp"

namespace cowbench {

namespace {

struct Finding {
  std::string name;
  bool good = false;
  std::vector<std::string> details;
};

std::vector<Finding> machine_findings(const CommandLine& line) {
  std::vector<Finding> findings;
  findings.push_back({"root",
                      geteuid() == 0,
                      {geteuid() == 0 ? "yes"
                                      : "no: only --dry-run, list, show and "
                                        "report work; use sudo to measure"}});
  const Status loops = loop_support();
  findings.push_back({"loop devices",
                      loops.ok(),
                      {loops ? "can be made" : loops.error().message()}});
  const std::string state = state_folder_of(line, false);
  auto store = filesystem_facts(state);
  if (store) {
    findings.push_back({"store",
                        true,
                        {state + " (" + store->type +
                         (store->memory_backed ? ", IN MEMORY" : "") + "): " +
                         format_size(store->available_bytes) + " free"}});
  } else {
    findings.push_back({"store", false, {store.error().message()}});
  }
  Finding dead{"dead runs", true, {}};
  for (const CleanedLedger& ledger : clean_ledgers(state + "/ledgers", true)) {
    if (ledger.live) continue;
    dead.good = false;
    dead.details.push_back("job " + ledger.header.job_id +
                           " left things behind; run: cowbench clean");
  }
  if (dead.good) dead.details = {"none"};
  findings.push_back(dead);
  return findings;
}

std::vector<Finding> plugin_findings(const Catalog& catalog) {
  std::vector<Finding> findings;
  for (const Plugin& plugin : catalog.plugins()) {
    Finding finding{plugin.name, true, {}};
    for (const RequirementSpec& spec : plugin.requirements) {
      const RequirementState state = check_requirement(spec);
      finding.good = finding.good && state.met;
      finding.details.push_back(state.met ? spec.name + ": " + state.detail
                                          : state.detail);
    }
    findings.push_back(std::move(finding));
  }
  for (const Refusal& refusal : catalog.refusals()) {
    findings.push_back({refusal.path.filename().string(),
                        false,
                        {"not loaded: " + refusal.reason}});
  }
  return findings;
}

std::vector<Finding> stack_findings(const Catalog& catalog,
                                    const ConfigLibrary& library) {
  std::vector<Finding> findings;
  for (const ConfigFile& file : library.list(ConfigKind::kStack)) {
    auto checked =
        check_stack(file.text, file.path.string(), catalog.vocabulary());
    Finding finding{file.name, true, {}};
    if (const auto* problems = std::get_if<Problems>(&checked)) {
      for (const Problem& problem : *problems) {
        finding.details.push_back(problem.text());
      }
    } else {
      for (const LayerUse& layer : std::get<Stack>(checked).layers) {
        for (auto& text : missing_requirements(*catalog.layer(layer.use))) {
          finding.details.push_back(std::move(text));
        }
      }
    }
    finding.good = finding.details.empty();
    if (finding.good) finding.details = {"can run here"};
    findings.push_back(std::move(finding));
  }
  return findings;
}

std::string section_text(const char* title,
                         const std::vector<Finding>& findings) {
  std::string text = std::string(title) + "\n";
  for (const Finding& finding : findings) {
    text +=
        (finding.good ? "  ok       " : "  MISSING  ") + finding.name +
        (finding.details.empty() ? "" : ": " + join(finding.details, "; ")) +
        "\n";
  }
  return text;
}

void section_json(JsonWriter& json, const char* name,
                  const std::vector<Finding>& findings) {
  json.key(name).begin_array();
  for (const Finding& finding : findings) {
    json.begin_object().field("name", finding.name).field("ok", finding.good);
    json.key("details").begin_array();
    for (const std::string& detail : finding.details) json.value(detail);
    json.end_array().end_object();
  }
  json.end_array();
}

int doctor(const CommandLine& line) {
  // Refusals are findings here, not noise on standard error.
  const Catalog catalog = Catalog::load(plugin_search_of(line));
  const ConfigLibrary library = config_library_of(line);
  const auto machine = machine_findings(line);
  const auto plugins = plugin_findings(catalog);
  const auto stacks = stack_findings(catalog, library);
  if (line.has("json")) {
    JsonWriter json;
    json.begin_object().field("kernel", describe_machine().kernel_release);
    section_json(json, "machine", machine);
    section_json(json, "plugins", plugins);
    section_json(json, "stacks", stacks);
    print(json.end_object().text() + "\n");
  } else {
    print("Kernel " + describe_machine().kernel_release + "\n" +
          section_text("Machine", machine) + section_text("Plugins", plugins) +
          section_text("Stacks", stacks));
  }
  for (const auto* findings : {&machine, &plugins, &stacks}) {
    for (const Finding& finding : *findings) {
      if (!finding.good) return kExitEnvironment;
    }
  }
  return kExitOk;
}

}  // namespace

CliCommand make_doctor_command() {
  CliCommand command;
  command.name = "doctor";
  command.summary = "what this machine can run, and what is missing";
  command.description =
      "Checks powers, loop devices, space, plugins and stacks, and names the "
      "package that brings what is missing. Changes nothing and needs no "
      "root. Exit code 3 when anything is missing.";
  command.options.add_options()("json", "as JSON");
  add_search_options(command.options);
  add_state_option(command.options);
  command.run = doctor;
  return command;
}

}  // namespace cowbench
