// SPDX-License-Identifier: Apache-2.0
// A host for authors' unit tests. It needs no runner and no root, runs no
// command and changes nothing: it hands out what the test put in and records
// what the plugin did.
//
//   cowbench::testing::FakeHost host;
//   host.describe<MyPhase>();            // defaults and declared metrics
//   host.set("file_size", "1MiB");
//   host.directory = scratch;            // made and removed by the test
//   host.reply("mytool", FakeHost::exits(0, "42\n"));
//   MyPhase(host.host()).run();
//   CHECK(host.figure("my_metric") == 42);
//   CHECK(host.missing_metrics().empty());
//
// Breaches of the contract that the runner would refuse (a value for an
// undeclared metric, a second one for the same key, one inside a section,
// nested sections...) are answered with COWBENCH_INTERNAL, so the plugin's
// call throws, and are listed in `breaches`.
#pragma once

#include <algorithm>
#include <atomic>
#include <cctype>
#include <chrono>
#include <cmath>
#include <cowbench/describe.hpp>
#include <cowbench/host.hpp>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <mutex>
#include <type_traits>

namespace cowbench {
inline namespace v0 {
namespace testing {

struct LogLine {
  std::int32_t level;
  std::string text;
};

struct Failure {
  cowbench_status status;
  std::string message;
};

struct Mount {
  std::string source, type, options;
};

struct LedgerEntry {
  std::string kind, identity;
  std::vector<std::string> exists, undo;
  bool struck = false;
};

struct Output {
  std::string path;
  std::uint64_t size_bytes;
  std::uint32_t source_index;
};

struct Mark {
  std::string name, reason;
  bool end_job;
};

// One host serves one instance, as in the runner. Not copyable: the C table
// points back here. log, progress, should_stop and the clock may be called
// from any thread.
class FakeHost {
 public:
  FakeHost();
  FakeHost(const FakeHost&) = delete;
  FakeHost& operator=(const FakeHost&) = delete;

  Host host() const { return Host(&table_); }
  const cowbench_host* table() const { return &table_; }

  // What the plugin finds ------------------------------------------------

  // Takes the defaults of T's options, and T's metrics if it is a phase: from
  // then on only those (and those of declare_metric) may be emitted. Without
  // it any key may.
  template <typename T>
  void describe();
  // A configuration value as a stack file or --set would give it: "64MiB" for
  // a SIZE, "30s" for a DURATION, "true" for a BOOLEAN. Without describe(),
  // text that starts with a digit is read as a number with an optional unit.
  void set(const std::string& key, const std::string& text);
  void set(const std::string& key, std::int64_t number) {
    set(key, std::to_string(number));
  }
  void set(const std::string& key, const std::vector<std::string>& items) {
    lists_[key] = items;
  }
  // Appends a device; its index is its position.
  void add_device(const std::string& path, std::uint64_t size_bytes,
                  const std::string& group = "data");
  // What a command answers whose line (words joined by blanks) starts with
  // `beginning`; the longest match wins. Others succeed without output.
  void reply(const std::string& beginning, const CommandResult& result) {
    replies_[beginning] = result;
  }
  // A command of that beginning is not installed: COWBENCH_NOT_AVAILABLE.
  void reply_not_installed(const std::string& beginning) {
    replies_[beginning] = std::nullopt;
  }
  // A CommandResult that exits with `status`, for reply().
  static CommandResult exits(int status, const std::string& out = {},
                             const std::string& err = {});

  std::string mount_point = "/fake/mount";
  std::string directory = "/fake/directory";
  std::string memory_directory = "/fake/memory";
  std::string object_name = "fake-object";
  std::string artifact_directory = "/fake/artifacts";
  std::uint64_t seed = 1;
  std::uint64_t time_left_ns = 3'600'000'000'000;
  std::atomic<bool> stop{false};
  // Real monotonic time unless replaced.
  std::function<std::uint64_t()> clock;
  // Takes precedence over replies when set. May do what the tool would do, for
  // example write output_path.
  std::function<CommandResult(const Command&)> on_run;
  // What the members did within the section of that name; nothing by default.
  std::function<cowbench_io(const std::string& section)> section_io;
  cowbench_io counters{};  // answer of member_io
  std::uint64_t cold_floor_bytes = 1;
  bool members_rest = true;  // false: quiesce() times out
  std::map<std::string, std::pair<const void*, void*>> abilities;
  std::map<std::string, std::string> state;

  // What the plugin did ----------------------------------------------------

  std::vector<Command> commands;  // run and started, in order
  std::vector<std::vector<std::string>> planned;
  std::vector<Value> values;
  std::vector<std::string> metrics;  // keys, in the order of declaration
  std::vector<std::string> sections;
  std::vector<std::string> problems;
  std::vector<Failure> failures;
  std::vector<LogLine> lines;
  std::vector<Mark> marks;
  std::map<std::string, std::string> effective;
  std::map<std::string, std::string> versions;
  std::map<std::string, Mount> mounts;  // by target
  std::vector<LedgerEntry> ledger;      // a ticket is the position plus one
  std::vector<Output> outputs;
  int syncs = 0, quiesces = 0, colds = 0;
  double last_progress = 0;
  std::vector<std::string> breaches;

  // The value emitted for a key; nullptr when there is none.
  const Value* value(const std::string& key) const;
  // Its figure. Throws Error when it was not emitted or has another outcome.
  double figure(const std::string& key) const;
  // Declared metrics for which nothing was emitted.
  std::vector<std::string> missing_metrics() const;
  // Ledger entries that were not struck off.
  std::vector<std::string> open_ledger() const;
  // The lines of all commands, words joined by blanks.
  std::vector<std::string> command_lines() const;

 private:
  static FakeHost& of(void* context) {
    return *static_cast<FakeHost*>(context);
  }
  static std::string line_of(const std::vector<std::string>& argv);
  static std::vector<std::string> texts(const char* const* argv);
  static std::string text_or_empty(const char* text) {
    return text == nullptr ? std::string() : std::string(text);
  }
  static double scale_of(const std::string& unit);
  static double read_number(const std::string& text);

  void install_talk();
  void install_configuration();
  void install_commands();
  void install_objects();
  void install_measuring();

  cowbench_status breach(const std::string& what);
  bool declared(const std::string& key) const;
  cowbench_status run(const cowbench_command& raw);
  cowbench_status give(cowbench_command_result* result) const;
  cowbench_status emit(const cowbench_value& raw);

  cowbench_host table_{};
  std::mutex mutex_;
  std::map<std::string, std::string> settings_;
  std::map<std::string, std::vector<std::string>> lists_;
  std::map<std::string, std::int32_t> types_;
  std::deque<std::string> names_;  // behind devices_, which never move
  std::deque<cowbench_device> devices_;
  std::map<std::string, std::optional<CommandResult>> replies_;
  CommandResult last_;
  std::map<std::uint64_t, CommandResult> background_;
  std::uint64_t next_process_ = 1;
  bool metrics_known_ = false;
  bool in_section_ = false;
};

template <typename T>
void FakeHost::describe() {
  const auto info = T::info();
  for (std::uint32_t i = 0; i < info.options.count; ++i) {
    const cowbench_option& option = info.options.items[i];
    types_[option.key] = option.type;
    if (option.default_value != nullptr) set(option.key, option.default_value);
  }
  if constexpr (std::is_same_v<decltype(T::info()), PhaseInfo>) {
    metrics_known_ = true;
    for (std::uint32_t i = 0; i < info.metrics.count; ++i) {
      metrics.emplace_back(info.metrics.items[i].key);
    }
  }
}

inline void FakeHost::set(const std::string& key, const std::string& text) {
  const auto type = types_.find(key);
  if (type != types_.end() && type->second == COWBENCH_TYPE_TEXT_LIST) {
    std::vector<std::string>& items = lists_[key];
    items.clear();
    for (std::size_t begin = 0; begin <= text.size();) {
      const std::size_t end = std::min(text.find(',', begin), text.size());
      items.push_back(text.substr(begin, end - begin));
      begin = end + 1;
    }
    return;
  }
  settings_[key] = text;
}

inline void FakeHost::add_device(const std::string& path,
                                 std::uint64_t size_bytes,
                                 const std::string& group) {
  cowbench_device device{};
  device.struct_size = sizeof device;
  device.index = static_cast<std::uint32_t>(devices_.size());
  device.path = names_.emplace_back(path).c_str();
  device.group = names_.emplace_back(group).c_str();
  device.size_bytes = size_bytes;
  device.known_blank = 1;
  devices_.push_back(device);
}

inline CommandResult FakeHost::exits(int status, const std::string& out,
                                     const std::string& err) {
  CommandResult result;
  result.exit_status = status;
  result.out = out;
  result.err = err;
  return result;
}

inline const Value* FakeHost::value(const std::string& key) const {
  for (const Value& one : values) {
    if (one.key == key) return &one;
  }
  return nullptr;
}

inline double FakeHost::figure(const std::string& key) const {
  const Value* one = value(key);
  if (one == nullptr) {
    throw Error(COWBENCH_INTERNAL, "nothing was emitted for " + key);
  }
  if (one->outcome != COWBENCH_OUTCOME_OK) {
    throw Error(COWBENCH_INTERNAL, key + " has no figure: " + one->reason);
  }
  return one->value;
}

inline std::vector<std::string> FakeHost::missing_metrics() const {
  std::vector<std::string> missing;
  for (const std::string& key : metrics) {
    if (value(key) == nullptr) missing.push_back(key);
  }
  return missing;
}

inline std::vector<std::string> FakeHost::open_ledger() const {
  std::vector<std::string> open;
  for (const LedgerEntry& entry : ledger) {
    if (!entry.struck) open.push_back(entry.identity);
  }
  return open;
}

inline std::vector<std::string> FakeHost::command_lines() const {
  std::vector<std::string> all;
  for (const Command& command : commands) all.push_back(line_of(command.argv));
  return all;
}

inline std::string FakeHost::line_of(const std::vector<std::string>& argv) {
  std::string line;
  for (const std::string& word : argv) line += (line.empty() ? "" : " ") + word;
  return line;
}

inline std::vector<std::string> FakeHost::texts(const char* const* argv) {
  std::vector<std::string> all;
  for (; argv != nullptr && *argv != nullptr; ++argv) all.emplace_back(*argv);
  return all;
}

// Bytes for sizes, nanoseconds for times; the two share no unit.
inline double FakeHost::scale_of(const std::string& unit) {
  static const std::map<std::string, double> kScale = {
      {"ns", 1},           {"us", 1e3},   {"ms", 1e6},   {"s", 1e9},
      {"min", 60e9},       {"h", 3600e9}, {"k", 1024.0}, {"m", 1048576.0},
      {"g", 1073741824.0}, {"", 1},       {"b", 1}};
  std::string word;
  for (const char c : unit) {
    word += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  auto scale = kScale.find(word);
  if (scale == kScale.end()) scale = kScale.find(word.substr(0, 1));
  return scale == kScale.end() ? 1 : scale->second;
}

inline double FakeHost::read_number(const std::string& text) {
  if (text == "true" || text == "yes" || text == "on") return 1;
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  return number * scale_of(end);
}

inline FakeHost::FakeHost() {
  clock = [] {
    return static_cast<std::uint64_t>(
        std::chrono::duration_cast<std::chrono::nanoseconds>(
            std::chrono::steady_clock::now().time_since_epoch())
            .count());
  };
  counters.struct_size = sizeof counters;
  table_.struct_size = sizeof table_;
  table_.context = this;
  install_talk();
  install_configuration();
  install_commands();
  install_objects();
  install_measuring();
}

inline void FakeHost::install_talk() {
  table_.log = [](void* c, std::int32_t level, const char* text) {
    const std::lock_guard<std::mutex> lock(of(c).mutex_);
    of(c).lines.push_back({level, text_or_empty(text)});
  };
  table_.fail = [](void* c, cowbench_status status, const char* message) {
    of(c).failures.push_back({status, text_or_empty(message)});
  };
  table_.problem = [](void* c, const char* message) {
    of(c).problems.push_back(text_or_empty(message));
  };
  table_.progress = [](void* c, double fraction, const char*) {
    const std::lock_guard<std::mutex> lock(of(c).mutex_);
    of(c).last_progress = fraction;
  };
  table_.should_stop = [](void* c) -> std::int32_t {
    return of(c).stop.load() ? 1 : 0;
  };
  table_.now_ns = [](void* c) { return of(c).clock(); };
  table_.remaining_ns = [](void* c) { return of(c).time_left_ns; };
  table_.service = [](void*, const char*) -> const void* { return nullptr; };
}

inline void FakeHost::install_configuration() {
  table_.has = [](void* c, const char* key) -> std::int32_t {
    return of(c).settings_.count(key) + of(c).lists_.count(key) > 0 ? 1 : 0;
  };
  table_.text = [](void* c, const char* key) -> const char* {
    const auto found = of(c).settings_.find(key);
    return found == of(c).settings_.end() ? nullptr : found->second.c_str();
  };
  table_.integer = [](void* c, const char* key) -> std::int64_t {
    const auto found = of(c).settings_.find(key);
    if (found == of(c).settings_.end()) return 0;
    const std::string& text = found->second;
    const auto type = of(c).types_.find(key);
    // A duration without a unit means seconds.
    if (type != of(c).types_.end() && type->second == COWBENCH_TYPE_DURATION &&
        text.find_first_not_of("0123456789.") == std::string::npos) {
      return static_cast<std::int64_t>(read_number(text) * 1e9);
    }
    // Not by way of a double, which has no room for every int64_t.
    if (text.find_first_not_of("-0123456789") == std::string::npos) {
      return std::strtoll(text.c_str(), nullptr, 10);
    }
    return static_cast<std::int64_t>(read_number(text));
  };
  table_.number = [](void* c, const char* key) -> double {
    const auto found = of(c).settings_.find(key);
    return found == of(c).settings_.end() ? 0 : read_number(found->second);
  };
  table_.text_item = [](void* c, const char* key,
                        std::uint32_t index) -> const char* {
    const auto found = of(c).lists_.find(key);
    if (found == of(c).lists_.end() || index >= found->second.size()) {
      return nullptr;
    }
    return found->second[index].c_str();
  };
  table_.seed = [](void* c) { return of(c).seed; };
  table_.device = [](void* c, std::uint32_t index) -> const cowbench_device* {
    return index < of(c).devices_.size() ? &of(c).devices_[index] : nullptr;
  };
  table_.mount_point = [](void* c) { return of(c).mount_point.c_str(); };
  table_.directory = [](void* c) { return of(c).directory.c_str(); };
  table_.memory_directory = [](void* c) {
    return of(c).memory_directory.c_str();
  };
  table_.object_name = [](void* c) { return of(c).object_name.c_str(); };
  table_.artifact_directory = [](void* c) {
    return of(c).artifact_directory.c_str();
  };
}

inline cowbench_status FakeHost::run(const cowbench_command& raw) {
  Command command;
  command.argv = texts(raw.argv);
  command.environment = texts(raw.environment);
  command.working_directory = text_or_empty(raw.working_directory);
  if (raw.input != nullptr) command.input.assign(raw.input, raw.input_bytes);
  command.output_path = text_or_empty(raw.output_path);
  command.timeout_ns = raw.timeout_ns;
  if (command.argv.empty()) return breach("a command without words");
  const std::string line = line_of(command.argv);
  commands.push_back(command);
  last_ = exits(0);
  if (on_run) {
    last_ = on_run(command);
    return COWBENCH_OK;
  }
  std::size_t longest = 0;
  cowbench_status status = COWBENCH_OK;
  for (const auto& [beginning, result] : replies_) {
    if (beginning.size() < longest || line.rfind(beginning, 0) != 0) continue;
    longest = beginning.size();
    status = result ? COWBENCH_OK : COWBENCH_NOT_AVAILABLE;
    last_ = result.value_or(CommandResult());
  }
  return status;
}

inline cowbench_status FakeHost::give(cowbench_command_result* result) const {
  if (result == nullptr) return COWBENCH_OK;
  result->exit_status = last_.exit_status;
  result->signal = last_.signal;
  result->timed_out = last_.timed_out ? 1 : 0;
  result->stopped = last_.stopped ? 1 : 0;
  result->out = last_.out.c_str();
  result->out_bytes = last_.out.size();
  result->err = last_.err.c_str();
  result->err_bytes = last_.err.size();
  result->duration_ns = last_.duration_ns;
  return COWBENCH_OK;
}

inline void FakeHost::install_commands() {
  table_.run = [](void* c, const cowbench_command* command,
                  cowbench_command_result* result) {
    const cowbench_status status = of(c).run(*command);
    return status == COWBENCH_OK ? of(c).give(result) : status;
  };
  table_.start = [](void* c, const cowbench_command* command,
                    std::uint64_t* process) {
    FakeHost& fake = of(c);
    const cowbench_status status = fake.run(*command);
    if (status != COWBENCH_OK) return status;
    *process = fake.next_process_++;
    fake.background_[*process] = fake.last_;
    return status;
  };
  table_.wait = [](void* c, std::uint64_t process, std::uint64_t,
                   cowbench_command_result* result) {
    FakeHost& fake = of(c);
    const auto found = fake.background_.find(process);
    if (found == fake.background_.end()) {
      return fake.breach("wait for a process that was not started");
    }
    fake.last_ = found->second;
    fake.background_.erase(found);
    return fake.give(result);
  };
  table_.stop = [](void* c, std::uint64_t process,
                   cowbench_command_result* result) {
    FakeHost& fake = of(c);
    const auto found = fake.background_.find(process);
    if (found == fake.background_.end()) {
      return fake.breach("stop of a process that was not started");
    }
    fake.last_ = found->second;
    fake.last_.stopped = true;
    fake.background_.erase(found);
    return fake.give(result);
  };
  table_.plan_command = [](void* c, const char* const* argv) {
    of(c).planned.push_back(texts(argv));
  };
}

inline void FakeHost::install_objects() {
  table_.mount = [](void* c, const char* source, const char* target,
                    const char* type, const char* options) {
    FakeHost& fake = of(c);
    const std::string where = target == nullptr ? fake.mount_point : target;
    const bool added = fake.mounts
                           .insert({where,
                                    {text_or_empty(source), text_or_empty(type),
                                     text_or_empty(options)}})
                           .second;
    return added ? COWBENCH_OK : fake.breach("mounted twice: " + where);
  };
  table_.unmount = [](void* c, const char* target) -> cowbench_status {
    of(c).mounts.erase(target == nullptr ? of(c).mount_point : target);
    return COWBENCH_OK;
  };
  table_.ledger_add = [](void* c, const cowbench_object* object,
                         std::uint64_t* ticket) -> cowbench_status {
    FakeHost& fake = of(c);
    fake.ledger.push_back({text_or_empty(object->kind),
                           text_or_empty(object->identity),
                           texts(object->exists), texts(object->undo)});
    *ticket = fake.ledger.size();
    return COWBENCH_OK;
  };
  table_.ledger_strike = [](void* c, std::uint64_t ticket) -> cowbench_status {
    FakeHost& fake = of(c);
    if (ticket == 0 || ticket > fake.ledger.size()) {
      return fake.breach("strike of an unknown ledger ticket");
    }
    fake.ledger[ticket - 1].struck = true;
    return COWBENCH_OK;
  };
  table_.state = [](void* c, const char* key) -> const char* {
    const auto found = of(c).state.find(key);
    return found == of(c).state.end() ? nullptr : found->second.c_str();
  };
  table_.set_state = [](void* c, const char* key,
                        const char* value) -> cowbench_status {
    of(c).state[key] = text_or_empty(value);
    return COWBENCH_OK;
  };
  table_.add_output = [](void* c, const char* path, std::uint64_t size_bytes,
                         std::uint32_t source_index) -> cowbench_status {
    of(c).outputs.push_back({text_or_empty(path), size_bytes, source_index});
    return COWBENCH_OK;
  };
  table_.effective = [](void* c, const char* key, const char* value) {
    of(c).effective[key] = text_or_empty(value);
  };
  table_.version = [](void* c, const char* component, const char* version) {
    of(c).versions[component] = text_or_empty(version);
  };
}

inline cowbench_status FakeHost::breach(const std::string& what) {
  breaches.push_back(what);
  failures.push_back({COWBENCH_INTERNAL, what});
  return COWBENCH_INTERNAL;
}

inline bool FakeHost::declared(const std::string& key) const {
  for (const std::string& metric : metrics) {
    if (metric == key) return true;
  }
  return !metrics_known_;
}

inline cowbench_status FakeHost::emit(const cowbench_value& raw) {
  Value one;
  one.key = text_or_empty(raw.key);
  one.value = raw.value;
  one.outcome = raw.outcome;
  one.reason = text_or_empty(raw.reason);
  one.observations = raw.observations;
  if (raw.samples != nullptr) {
    one.samples.assign(raw.samples, raw.samples + raw.sample_count);
  }
  for (std::uint32_t i = 0; i < raw.condition_count; ++i) {
    one.conditions.emplace_back(text_or_empty(raw.conditions[i].key),
                                text_or_empty(raw.conditions[i].value));
  }
  if (in_section_) return breach("emitted inside a section: " + one.key);
  if (!declared(one.key)) return breach("not declared: " + one.key);
  if (value(one.key) != nullptr) return breach("emitted twice: " + one.key);
  if (one.outcome != COWBENCH_OUTCOME_OK && one.reason.empty()) {
    return breach("no figure and no reason: " + one.key);
  }
  if (one.outcome == COWBENCH_OUTCOME_OK && !std::isfinite(one.value)) {
    return breach("not a finite number: " + one.key);
  }
  values.push_back(std::move(one));
  return COWBENCH_OK;
}

inline void FakeHost::install_measuring() {
  table_.sync = [](void* c) -> cowbench_status {
    ++of(c).syncs;
    return COWBENCH_OK;
  };
  table_.quiesce = [](void* c) -> cowbench_status {
    FakeHost& fake = of(c);
    if (fake.in_section_) return fake.breach("quiesce inside a section");
    ++fake.quiesces;
    return fake.members_rest ? COWBENCH_OK : COWBENCH_TIMEOUT;
  };
  table_.make_cold = [](void* c) -> cowbench_status {
    FakeHost& fake = of(c);
    if (fake.in_section_) return fake.breach("make_cold inside a section");
    ++fake.colds;
    return COWBENCH_OK;
  };
  table_.cold_metadata_bytes = [](void* c, std::uint64_t, std::uint8_t) {
    return of(c).cold_floor_bytes;
  };
  table_.section_begin = [](void* c, const char* name) -> cowbench_status {
    FakeHost& fake = of(c);
    if (fake.in_section_) return fake.breach("sections do not nest");
    fake.in_section_ = true;
    fake.sections.push_back(text_or_empty(name));
    return COWBENCH_OK;
  };
  table_.section_end = [](void* c, cowbench_io* io) -> cowbench_status {
    FakeHost& fake = of(c);
    if (!fake.in_section_) return fake.breach("no section is open");
    fake.in_section_ = false;
    if (io == nullptr) return COWBENCH_OK;
    *io =
        fake.section_io ? fake.section_io(fake.sections.back()) : cowbench_io{};
    io->struct_size = sizeof *io;
    return COWBENCH_OK;
  };
  table_.member_io = [](void* c, std::uint32_t,
                        cowbench_io* io) -> cowbench_status {
    *io = of(c).counters;
    return COWBENCH_OK;
  };
  table_.declare_metric = [](void* c,
                             const cowbench_metric* metric) -> cowbench_status {
    of(c).metrics.push_back(text_or_empty(metric->key));
    return COWBENCH_OK;
  };
  table_.emit = [](void* c, const cowbench_value* value) {
    return of(c).emit(*value);
  };
  table_.mark = [](void* c, const char* name, const char* reason,
                   std::uint8_t end_job) {
    of(c).marks.push_back(
        {text_or_empty(name), text_or_empty(reason), end_job != 0});
  };
  table_.ability = [](void* c, const char* id, const void** table, void** self,
                      const char** reason) -> cowbench_status {
    const auto found = of(c).abilities.find(id);
    if (found == of(c).abilities.end()) {
      *reason = "the fake host has no such ability";
      return COWBENCH_UNSUPPORTED;
    }
    *table = found->second.first;
    *self = found->second.second;
    return COWBENCH_OK;
  };
}

}  // namespace testing
}  // namespace v0
}  // namespace cowbench
