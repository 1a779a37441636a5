// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <random>

#include "base/text.hpp"
#include "base/units.hpp"
#include "cli/commands.hpp"
#include "cli/common.hpp"
#include "cli/plan_text.hpp"
#include "cli/run_jobs.hpp"
#include "cli/run_vm.hpp"
#include "config/suite.hpp"
#include "job/run_plan.hpp"
#include "ledger/clean.hpp"
#include "report/summary.hpp"
#include "result/store.hpp"
#include "system/file.hpp"
#include "system/file_lock.hpp"
#include "system/loop.hpp"
#include "system/signals.hpp"

namespace cowbench {

namespace {

constexpr std::uint32_t kMaximumRepeat = 1000;
constexpr std::uint64_t kLeastLimit = std::uint64_t{1} << 20;  // bytes

std::vector<std::string> comma_list(const CommandLine& line, const char* name) {
  std::vector<std::string> all;
  for (const std::string& text : line.texts(name)) {
    for (std::string& part : split(text, ',')) {
      if (!trim(part).empty()) all.emplace_back(trim(part));
    }
  }
  return all;
}

// "group=/dev/a,/dev/b" and "--set key=value": what stands before and after.
bool cut_pair(const std::string& text, std::string& key, std::string& value) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) return false;
  key = text.substr(0, equals);
  value = text.substr(equals + 1);
  return true;
}

std::string absolute(const std::string& path) {
  return std::filesystem::absolute(path).lexically_normal().string();
}

std::uint64_t chosen_seed(const CommandLine& line) {
  if (line.has("seed")) return line.values["seed"].as<std::uint64_t>();
  std::random_device random;
  return random();
}

RunRequest request_of(const CommandLine& line,
                      std::vector<std::string>& faults) {
  RunRequest request;
  request.stacks = comma_list(line, "stack");
  request.profile = line.text("profile");
  request.phases = comma_list(line, "phases");
  request.skip = comma_list(line, "skip");
  request.label = line.text("label");
  request.repeat = line.values["repeat"].as<std::uint32_t>();
  // The parser turns a negative number into a huge one.
  if (request.repeat == 0 || request.repeat > kMaximumRepeat) {
    faults.push_back("--repeat: give a number from 1 to " +
                     std::to_string(kMaximumRepeat));
  }
  request.seed = chosen_seed(line);
  std::string key;
  std::string value;
  for (const std::string& text : line.texts("set")) {
    if (cut_pair(text, key, value)) {
      request.overrides.emplace_back(key, value);
    } else {
      faults.push_back("--set " + text + ": give KEY=VALUE");
    }
  }
  for (const std::string& text : line.texts("member")) {
    if (!cut_pair(text, key, value)) {
      faults.push_back("--member " + text + ": give GROUP=DEVICE,DEVICE,...");
      continue;
    }
    for (std::string& device : split(value, ',')) {
      request.devices[key].emplace_back(trim(device));
    }
  }
  request.wipe = comma_list(line, "wipe");
  if (line.has("member-limit")) {
    auto limit = parse_size(line.text("member-limit"));
    if (!limit) {
      faults.push_back("--member-limit: " + limit.error().message());
    } else if (*limit < kLeastLimit) {
      faults.push_back("--member-limit: give at least " +
                       format_size(kLeastLimit));
    } else {
      // Whole MiB, so that every sector size fits.
      request.member_limit_bytes = *limit / kLeastLimit * kLeastLimit;
    }
    if (request.devices.empty()) {
      faults.push_back("--member-limit: goes with --member");
    }
  }
  request.state_folder = state_folder_of(line, line.has("vm"));
  request.work_folder = line.has("work-dir") ? absolute(line.text("work-dir"))
                                             : request.state_folder + "/images";
  request.results_folder = absolute(line.text("results"));
  return request;
}

// The stacks of the suites named with --suite, before those named alone.
void add_suites(const CommandLine& line, const ConfigLibrary& library,
                RunRequest& request, std::vector<std::string>& faults) {
  std::vector<std::string> stacks;
  for (const std::string& name : comma_list(line, "suite")) {
    auto file = library.find(ConfigKind::kSuite, name);
    if (const auto* problem = std::get_if<Problem>(&file)) {
      faults.push_back(problem->text());
      continue;
    }
    const auto& found = std::get<ConfigFile>(file);
    auto suite = check_suite(found.text, found.path.string());
    if (const auto* problems = std::get_if<Problems>(&suite)) {
      for (const Problem& one : *problems) faults.push_back(one.text());
      continue;
    }
    const Suite& good = std::get<Suite>(suite);
    stacks.insert(stacks.end(), good.stacks.begin(), good.stacks.end());
  }
  request.stacks.insert(request.stacks.begin(), stacks.begin(), stacks.end());
}

// Everything that stands in the way, all at once.
int refuse(const RunPlan& plan) {
  for (const Problem& problem : plan.usage) complain(problem.text());
  for (const std::string& text : plan.environment) complain(text);
  return plan.usage.empty() ? kExitEnvironment : kExitUsage;
}

// What only a real run needs.
void check_powers(RunPlan& plan, const RunRequest& request) {
  if (geteuid() != 0) {
    plan.environment.push_back(
        "building stacks needs root; run it with sudo (--dry-run does not "
        "need it)");
    return;
  }
  bool loops = false;
  for (const StackPreview& preview : plan.previews) {
    loops = loops || preview.image_bytes > 0;
  }
  if (loops && request.devices.empty()) {
    if (Status there = loop_support(); !there) {
      plan.environment.push_back(there.error().message());
    }
  }
}

void clean_dead_runs(const RunRequest& request) {
  for (const CleanedLedger& ledger :
       clean_ledgers(request.state_folder + "/ledgers", false)) {
    if (ledger.live) continue;
    if (!ledger.error.empty()) {
      complain("not cleaned up: " + ledger.error);
      continue;
    }
    complain("cleaned up after job " + ledger.header.job_id +
             ", which had not ended: " +
             std::to_string(ledger.report.removed.size()) + " removed" +
             (ledger.report.failed.empty()
                  ? std::string()
                  : ", NOT removed: " + join(ledger.report.failed, "; ")));
    conclude_dead_job(ledger);
  }
}

// Two runs at once would falsify each other's figures, and could be given the
// same device. Without root the lock of root's runs can be taken where one has
// made it; between the runs of one user there is the user's own.
Result<std::vector<FileLock>> lock_machine(const RunRequest& request) {
  constexpr char kRoots[] = "/run/cowbench.lock";
  const std::string own = request.state_folder + "/machine.lock";
  std::vector<FileLock> held;
  for (const std::string& path : {std::string(kRoots), own}) {
    const bool others = path == kRoots && geteuid() != 0;
    if (path == own) {
      if (geteuid() == 0) continue;
      if (Status made = make_directories(request.state_folder, 0700); !made) {
        return made.error();
      }
    }
    auto lock =
        others ? FileLock::try_existing(path) : FileLock::try_lock(path);
    if (!lock && others) continue;
    if (!lock) return lock.error();
    if (!*lock) {
      return Error(Category::kEnvironment,
                   "another run is measuring on this machine (it holds " +
                       path + "); wait for its end");
    }
    held.push_back(std::move(**lock));
  }
  return held;
}

Status save_run(const RunPlan& plan, const RunRequest& request) {
  const std::string folder = request.results_folder + "/" + plan.run_id;
  const bool made_results = !path_exists(request.results_folder);
  if (path_exists(folder)) {
    return Error(Category::kEnvironment,
                 folder + " exists already; start the run again");
  }
  if (Status made = make_directories(folder); !made) return made;
  if (Status saved = write_file_durable(folder + "/run.json", plan_json(plan));
      !saved) {
    return saved;
  }
  // A folder that was there keeps its owner.
  if (made_results) (void)chown_to_invoker(request.results_folder);
  (void)chown_to_invoker(folder);
  (void)chown_to_invoker(folder + "/run.json");
  return {};
}

// Of a run whose jobs have ended so.
int exit_code_of(const std::vector<JobOutcome>& outcomes, bool bisect) {
  if (const int signal = pending_signal(); signal != 0) return 128 + signal;
  bool failed = false;
  bool untested = false;
  for (const JobOutcome& outcome : outcomes) {
    if (outcome.outcome == "ok") continue;
    if (bisect && (!outcome.started || outcome.outcome == "not-available")) {
      untested = true;
    } else {
      failed = true;
    }
  }
  return failed ? kExitJobFailed : untested ? kExitCannotTest : kExitOk;
}

// For `git bisect run` a kernel that cannot be tested is neither good nor bad;
// a mistake in the command, or a machine that can test no kernel at all, must
// end it.
int bisect_code(int code, bool only_guest_missing) {
  switch (code) {
    case kExitEnvironment:
      return only_guest_missing ? kExitCannotTest : kExitStopBisect;
    case kExitUsage:
    case kExitInternal:
      return kExitStopBisect;
    default:
      return code;
  }
}

void print_summary(const RunPlan& plan, const RunRequest& request,
                   const CommandLine& line) {
  const std::string folder = request.results_folder + "/" + plan.run_id;
  const ResultSet set = load_results({folder});
  std::vector<ResultDocument> documents;
  for (const StoredResult& stored : set.results) {
    documents.push_back(stored.document);
  }
  SummaryOptions summary_options;
  for (const StackPreview& preview : plan.previews) {
    summary_options.stacks.push_back(preview.stack);
  }
  const Summary summary = summarise(documents, summary_options);
  if (line.has("json")) {
    print(summary_json(summary) + "\n");
  } else if (!line.has("events")) {
    print(summary_text(summary, terminal_width()));
    print("\nResults: " + folder + "\n");
  }
}

int run_plan(const CommandLine& line, const RunRequest& request, VmRun& vm,
             RunPlan& plan, const Catalog& catalog) {
  if (line.has("dry-run")) {
    if (!plan.usage.empty()) return refuse(plan);
    print(line.has("json") ? plan_json(plan)
                           : plan_text(plan, accelerator_text(vm)));
    return plan.environment.empty() ? kExitOk : refuse(plan);
  }
  if (!vm.wanted) check_powers(plan, request);
  if (!plan.runnable()) return refuse(plan);
  if (const int signal = pending_signal(); signal != 0) return 128 + signal;
  auto lock = lock_machine(request);
  if (!lock) return fail(lock.error());
  clean_dead_runs(request);
  if (Status chosen = choose_accelerators(vm, plan); !chosen) {
    return fail(chosen.error());
  }
  if (Status saved = save_run(plan, request); !saved) {
    return fail(saved.error());
  }
  const bool events = line.has("events");
  if (!events && !line.has("json")) {
    std::fputs(plan_text(plan, accelerator_text(vm)).c_str(), stderr);
  }
  const std::unique_ptr<WorkerHost> host = worker_host_of(vm);
  auto outcomes = run_jobs({plan, catalog, *host, events, vm.side_by_side});
  if (!outcomes) return fail(outcomes.error());
  print_summary(plan, request, line);
  return exit_code_of(*outcomes, line.has("bisect"));
}

int run_command_line(const CommandLine& line) {
  std::vector<std::string> faults;
  RunRequest request = request_of(line, faults);
  add_suites(line, config_library_of(line), request, faults);
  VmRun vm = read_vm_options(line, request, faults);
  if (!faults.empty()) {
    const int code = fail(faults, kExitUsage);
    return line.has("bisect") ? bisect_code(code, false) : code;
  }

  // Before planning, which has a temporary folder to take away.
  if (Status ready = install_signal_handlers(); !ready) {
    return fail(ready.error());
  }
  const PluginSearch search = plugin_search_of(line);
  const Catalog catalog = load_catalog(search);
  RunPlan plan =
      make_run_plan(request, catalog, search, config_library_of(line));
  complete_vm_plan(vm, plan);
  const bool only_guest_missing =
      vm.missing_guests > 0 && plan.environment.size() == vm.missing_guests;
  const int code = run_plan(line, request, vm, plan, catalog);
  return line.has("bisect") ? bisect_code(code, only_guest_missing) : code;
}

}  // namespace

CliCommand make_run_command() {
  CliCommand command;
  command.name = "run";
  command.summary = "build stacks, run phases on them, keep the results";
  command.arguments = "[STACK...]";
  command.description =
      "Runs every named stack with one profile: fresh members, the stack, its "
      "phases, teardown. With several stacks or repetitions the jobs are "
      "interleaved in a seeded order. Without --member the members are loop "
      "devices over sparse images; with --vm they are disks of a guest.";
  using Texts = std::vector<std::string>;
  auto add = command.options.add_options();
  add("profile,p",
      options::value<std::string>()->default_value("quick")->value_name("NAME"),
      "profile name, or path ending in .json");
  add("suite", options::value<Texts>()->composing()->value_name("LIST"),
      "run the stacks of these suites too (see: cowbench list suites)");
  add("set", options::value<Texts>()->composing()->value_name("KEY=VALUE"),
      "override member_size, phase_time_limit or a setting PHASE.OPTION "
      "(repeatable)");
  add("phases", options::value<Texts>()->composing()->value_name("LIST"),
      "run these phases only, in this order (comma separated)");
  add("skip", options::value<Texts>()->composing()->value_name("LIST"),
      "leave these phases out");
  add("repeat",
      options::value<std::uint32_t>()->default_value(1)->value_name("N"),
      "jobs per stack, each on fresh members");
  add("seed", options::value<std::uint64_t>()->value_name("N"),
      "seed of all that is random (default: drawn, and recorded)");
  add("label", options::value<std::string>()->value_name("TEXT"),
      "a label for the run, shown in reports");
  add("member",
      options::value<Texts>()->composing()->value_name("GROUP=DEV,..."),
      "real devices for a group; they are destroyed (repeatable)");
  add("wipe", options::value<Texts>()->composing()->value_name("DEV,..."),
      "these very devices may be wiped although they carry data");
  add("member-limit", options::value<std::string>()->value_name("SIZE"),
      "use only that much of each real device");
  add("results",
      options::value<std::string>()
          ->default_value("cowbench-results")
          ->value_name("DIR"),
      "where results go");
  add("work-dir", options::value<std::string>()->value_name("DIR"),
      "where images of members lie (default: STATE/images)");
  add("dry-run,n", "print the whole plan and stop; needs no root");
  add("events", "every event as a line of JSON on standard output");
  add("json", "the plan or the summary as JSON");
  add_vm_options(command.options);
  add_search_options(command.options);
  add_state_option(command.options);
  command.positional = "stack";
  command.run = run_command_line;
  return command;
}

}  // namespace cowbench
