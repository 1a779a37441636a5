// SPDX-License-Identifier: Apache-2.0
// The runner's services for C++ authors: a thin value over the C table.
#pragma once

#include <cowbench/abi/ability.h>
#include <cowbench/abi/host.h>

#include <cowbench/error.hpp>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cowbench {
inline namespace v0 {

// An argument vector with what goes around it.
struct Command {
  std::vector<std::string> argv;
  std::vector<std::string> environment;  // "NAME=VALUE" additions
  std::string working_directory;         // empty: the runner's
  std::string input;                     // empty: /dev/null
  std::string output_path;               // empty: captured
  std::uint64_t timeout_ns = 0;          // 0: what is left of the phase
};

struct CommandResult {
  int exit_status = -1;
  int signal = 0;
  bool timed_out = false;
  bool stopped = false;
  std::string out;
  std::string err;
  std::uint64_t duration_ns = 0;

  bool succeeded() const { return exit_status == 0 && signal == 0; }
};

// What a metric's emission carries; see cowbench_value.
struct Value {
  std::string key;
  double value = 0.0;
  std::vector<double> samples;
  std::uint64_t observations = 0;
  std::vector<std::pair<std::string, std::string>> conditions;
  std::int32_t outcome = COWBENCH_OUTCOME_OK;
  std::string reason;
};

// Copyable; valid as long as the instance it was given to. Functions throw
// Error when the runner answers anything but COWBENCH_OK, unless said
// otherwise. The thread tags of cowbench/abi/host.h apply.
class Host {
 public:
  explicit Host(const cowbench_host* table) : table_(table) {}

  void log(const std::string& text,
           std::int32_t level = COWBENCH_LOG_INFO) const {
    table_->log(table_->context, level, text.c_str());
  }
  void warn(const std::string& text) const { log(text, COWBENCH_LOG_WARNING); }
  // For the SDK's fences; plugin code throws Error instead.
  void fail(cowbench_status status, const char* message) const noexcept {
    table_->fail(table_->context, status, message);
  }
  void problem(const std::string& message) const {
    table_->problem(table_->context, message.c_str());
  }
  void progress(double fraction, const std::string& text) const {
    table_->progress(table_->context, fraction, text.c_str());
  }
  bool should_stop() const { return table_->should_stop(table_->context) != 0; }
  // Throws Error(COWBENCH_CANCELLED) once the user or the watchdog wants an
  // end; for loops.
  void throw_if_stopped() const {
    if (should_stop()) throw Error(COWBENCH_CANCELLED, "stopped on request");
  }

  std::uint64_t now_ns() const { return table_->now_ns(table_->context); }
  std::uint64_t remaining_ns() const {
    return table_->remaining_ns(table_->context);
  }

  bool has(const char* key) const {
    return table_->has(table_->context, key) != 0;
  }
  // Empty when absent.
  std::string text(const char* key) const {
    return or_empty(table_->text(table_->context, key));
  }
  std::int64_t integer(const char* key) const {
    return table_->integer(table_->context, key);
  }
  // For SIZE and DURATION, which are never negative.
  std::uint64_t amount(const char* key) const {
    return static_cast<std::uint64_t>(integer(key));
  }
  bool boolean(const char* key) const { return integer(key) != 0; }
  double number(const char* key) const {
    return table_->number(table_->context, key);
  }
  std::vector<std::string> text_list(const char* key) const {
    std::vector<std::string> items;
    for (std::uint32_t i = 0;; ++i) {
      const char* item = table_->text_item(table_->context, key, i);
      if (item == nullptr) return items;
      items.emplace_back(item);
    }
  }
  std::uint64_t seed() const { return table_->seed(table_->context); }

  std::vector<const cowbench_device*> devices() const {
    std::vector<const cowbench_device*> all;
    for (std::uint32_t i = 0;; ++i) {
      const cowbench_device* one = table_->device(table_->context, i);
      if (one == nullptr) return all;
      all.push_back(one);
    }
  }
  std::string mount_point() const {
    return or_empty(table_->mount_point(table_->context));
  }
  std::string directory() const {
    return or_empty(table_->directory(table_->context));
  }
  std::string memory_directory() const {
    return or_empty(table_->memory_directory(table_->context));
  }
  std::string object_name() const {
    return or_empty(table_->object_name(table_->context));
  }
  std::string artifact_directory() const {
    return or_empty(table_->artifact_directory(table_->context));
  }

  // Runs to the end; the result may be any exit status. Throws when the
  // program cannot be started.
  CommandResult run(const Command& command) const;
  CommandResult run(std::vector<std::string> argv) const {
    Command command;
    command.argv = std::move(argv);
    return run(command);
  }
  // The same, but throws COWBENCH_TOOL_FAILED with the last lines of its
  // standard error unless it exits with 0. Returns standard output.
  std::string run_checked(std::vector<std::string> argv) const;
  std::uint64_t start(const Command& command) const;
  // Nothing when it still runs after timeout_ns.
  std::optional<CommandResult> wait(std::uint64_t process,
                                    std::uint64_t timeout_ns) const;
  CommandResult stop(std::uint64_t process) const;
  void plan_command(const std::vector<std::string>& argv) const {
    table_->plan_command(table_->context, pointers(argv).data());
  }

  void mount(const std::string& source, const std::string& type,
             const std::string& options) const {
    check(table_->mount(table_->context, source.c_str(), nullptr, type.c_str(),
                        options.c_str()),
          "mount " + source);
  }
  void unmount() const {
    check(table_->unmount(table_->context, nullptr), "unmount");
  }
  // See cowbench_object. Answers the ticket for ledger_strike().
  std::uint64_t ledger_add(const std::string& kind, const std::string& identity,
                           const std::vector<std::string>& exists,
                           const std::vector<std::string>& undo) const;
  void ledger_strike(std::uint64_t ticket) const {
    check(table_->ledger_strike(table_->context, ticket), "strike from ledger");
  }
  // Empty when absent.
  std::string state(const char* key) const {
    return or_empty(table_->state(table_->context, key));
  }
  void set_state(const char* key, const std::string& value) const {
    check(table_->set_state(table_->context, key, value.c_str()),
          "keep the state");
  }
  void add_output(const std::string& path, std::uint64_t size_bytes,
                  std::uint32_t source_index = UINT32_MAX) const {
    check(table_->add_output(table_->context, path.c_str(), size_bytes,
                             source_index),
          "offer " + path);
  }
  void effective(const std::string& key, const std::string& value) const {
    table_->effective(table_->context, key.c_str(), value.c_str());
  }
  void version(const std::string& component, const std::string& text) const {
    table_->version(table_->context, component.c_str(), text.c_str());
  }

  void sync() const { check(table_->sync(table_->context), "sync"); }
  // False when the members did not come to rest in time.
  bool quiesce() const;
  void make_cold() const {
    check(table_->make_cold(table_->context), "make the caches cold");
  }
  std::uint64_t cold_metadata_bytes(std::uint64_t entries,
                                    bool with_inodes) const {
    return table_->cold_metadata_bytes(table_->context, entries,
                                       with_inodes ? 1 : 0);
  }
  cowbench_io member_io(std::uint32_t index = UINT32_MAX) const;
  void declare_metric(const cowbench_metric& metric) const {
    check(table_->declare_metric(table_->context, &metric), metric.key);
  }
  void emit(const Value& value) const;
  void emit(const std::string& key, double value) const {
    Value one;
    one.key = key;
    one.value = value;
    emit(one);
  }
  // For a metric without a figure: outcome and the reason.
  void emit_absent(const std::string& key, std::int32_t outcome,
                   const std::string& reason) const {
    Value none;
    none.key = key;
    none.outcome = outcome;
    none.reason = reason;
    emit(none);
  }
  void mark(const std::string& name, const std::string& reason,
            bool end_job) const {
    table_->mark(table_->context, name.c_str(), reason.c_str(),
                 end_job ? 1 : 0);
  }
  // The table of an ability and its instance, or the reason for none.
  template <typename Table>
  struct Ability {
    const Table* table = nullptr;
    void* self = nullptr;
    std::string reason;
    explicit operator bool() const { return table != nullptr; }
  };
  template <typename Table>
  Ability<Table> ability(const char* id) const {
    const void* table = nullptr;
    const char* reason = nullptr;
    Ability<Table> found;
    if (table_->ability(table_->context, id, &table, &found.self, &reason) ==
        COWBENCH_OK) {
      found.table = static_cast<const Table*>(table);
    } else {
      found.reason = or_empty(reason);
    }
    return found;
  }

  // One timed section: what the members did between open and close() or end of
  // scope. Nothing but the work belongs inside.
  class Section {
   public:
    Section(const Host& host, const char* name) : table_(host.table_) {
      check(table_->section_begin(table_->context, name), name);
    }
    Section(const Section&) = delete;
    Section& operator=(const Section&) = delete;
    ~Section() {
      if (open_) table_->section_end(table_->context, nullptr);
    }
    cowbench_io close() {
      cowbench_io io{};
      io.struct_size = sizeof io;
      open_ = false;
      check(table_->section_end(table_->context, &io), "end a section");
      return io;
    }

   private:
    const cowbench_host* table_;
    bool open_ = true;
  };

  const cowbench_host* table() const { return table_; }

 private:
  static std::string or_empty(const char* text) {
    return text == nullptr ? std::string() : std::string(text);
  }
  static std::vector<const char*> pointers(
      const std::vector<std::string>& texts) {
    std::vector<const char*> all;
    all.reserve(texts.size() + 1);
    for (const std::string& text : texts) all.push_back(text.c_str());
    all.push_back(nullptr);
    return all;
  }
  // Status to exception. The runner has already noted its own reason; the
  // message here is the action, for an author who catches it.
  static void check(cowbench_status status, const std::string& action) {
    if (status != COWBENCH_OK) throw Error(status, action);
  }
  static CommandResult copy(const cowbench_command_result& raw);
  template <typename Call>
  static void with_command(const Command& command, Call&& call);

  const cowbench_host* table_;
};

template <typename Call>
void Host::with_command(const Command& command, Call&& call) {
  if (command.argv.empty()) {
    throw Error(COWBENCH_INTERNAL, "a command needs at least its name");
  }
  const std::vector<const char*> argv = pointers(command.argv);
  const std::vector<const char*> environment = pointers(command.environment);
  cowbench_command raw{};
  raw.struct_size = sizeof raw;
  raw.argv = argv.data();
  raw.environment = environment.data();
  if (!command.working_directory.empty()) {
    raw.working_directory = command.working_directory.c_str();
  }
  if (!command.input.empty()) {
    raw.input = command.input.data();
    raw.input_bytes = static_cast<std::uint32_t>(command.input.size());
  }
  if (!command.output_path.empty()) {
    raw.output_path = command.output_path.c_str();
  }
  raw.timeout_ns = command.timeout_ns;
  call(raw);
}

inline CommandResult Host::copy(const cowbench_command_result& raw) {
  CommandResult result;
  result.exit_status = raw.exit_status;
  result.signal = raw.signal;
  result.timed_out = raw.timed_out != 0;
  result.stopped = raw.stopped != 0;
  if (raw.out != nullptr) result.out.assign(raw.out, raw.out_bytes);
  if (raw.err != nullptr) result.err.assign(raw.err, raw.err_bytes);
  result.duration_ns = raw.duration_ns;
  return result;
}

inline CommandResult Host::run(const Command& command) const {
  cowbench_command_result raw{};
  raw.struct_size = sizeof raw;
  with_command(command, [&](const cowbench_command& request) {
    check(table_->run(table_->context, &request, &raw),
          "run " + command.argv.front());
  });
  return copy(raw);
}

inline std::string Host::run_checked(std::vector<std::string> argv) const {
  const CommandResult result = run(argv);
  if (result.succeeded()) return result.out;
  std::string line;
  for (const std::string& word : argv) line += (line.empty() ? "" : " ") + word;
  const std::string how =
      result.timed_out ? std::string("ran out of time")
      : result.signal != 0
          ? "was ended by signal " + std::to_string(result.signal)
          : "exited with " + std::to_string(result.exit_status);
  std::string tail = result.err.empty() ? result.out : result.err;
  if (tail.size() > 1000) tail.erase(0, tail.size() - 1000);
  throw Error(result.stopped ? COWBENCH_CANCELLED : COWBENCH_TOOL_FAILED,
              "\"" + line + "\" " + how + (tail.empty() ? "" : ": " + tail));
}

inline std::uint64_t Host::start(const Command& command) const {
  std::uint64_t process = 0;
  with_command(command, [&](const cowbench_command& request) {
    check(table_->start(table_->context, &request, &process),
          "start " + command.argv.front());
  });
  return process;
}

inline std::optional<CommandResult> Host::wait(std::uint64_t process,
                                               std::uint64_t timeout_ns) const {
  cowbench_command_result raw{};
  raw.struct_size = sizeof raw;
  const cowbench_status status =
      table_->wait(table_->context, process, timeout_ns, &raw);
  if (status == COWBENCH_TIMEOUT) return std::nullopt;
  check(status, "wait for a process");
  return copy(raw);
}

inline CommandResult Host::stop(std::uint64_t process) const {
  cowbench_command_result raw{};
  raw.struct_size = sizeof raw;
  check(table_->stop(table_->context, process, &raw), "stop a process");
  return copy(raw);
}

inline std::uint64_t Host::ledger_add(
    const std::string& kind, const std::string& identity,
    const std::vector<std::string>& exists,
    const std::vector<std::string>& undo) const {
  const std::vector<const char*> exists_argv = pointers(exists);
  const std::vector<const char*> undo_argv = pointers(undo);
  cowbench_object object{};
  object.struct_size = sizeof object;
  object.kind = kind.c_str();
  object.identity = identity.c_str();
  object.exists = exists_argv.data();
  object.undo = undo_argv.data();
  std::uint64_t ticket = 0;
  check(table_->ledger_add(table_->context, &object, &ticket),
        "enter " + identity + " in the ledger");
  return ticket;
}

inline bool Host::quiesce() const {
  const cowbench_status status = table_->quiesce(table_->context);
  if (status == COWBENCH_TIMEOUT) return false;
  check(status, "quiesce");
  return true;
}

inline cowbench_io Host::member_io(std::uint32_t index) const {
  cowbench_io io{};
  io.struct_size = sizeof io;
  check(table_->member_io(table_->context, index, &io), "read I/O counters");
  return io;
}

inline void Host::emit(const Value& value) const {
  std::vector<cowbench_condition> conditions;
  conditions.reserve(value.conditions.size());
  for (const auto& [key, text] : value.conditions) {
    conditions.push_back({key.c_str(), text.c_str()});
  }
  cowbench_value raw{};
  raw.struct_size = sizeof raw;
  raw.outcome = value.outcome;
  raw.key = value.key.c_str();
  raw.reason = value.reason.c_str();
  raw.value = value.value;
  raw.samples = value.samples.data();
  raw.sample_count = static_cast<std::uint32_t>(value.samples.size());
  raw.observations = value.observations;
  raw.conditions = conditions.data();
  raw.condition_count = static_cast<std::uint32_t>(conditions.size());
  check(table_->emit(table_->context, &raw), "emit " + value.key);
}

// Whether a cold pass really came from the members.
struct ColdProof {
  bool cold = false;
  std::string reason;  // why not
};

// Data pass: at least 95 % of the bytes that had to be read physically.
inline ColdProof prove_cold_data(const cowbench_io& io,
                                 std::uint64_t required_bytes) {
  if (static_cast<double>(io.read_bytes) >=
      0.95 * static_cast<double>(required_bytes)) {
    return {true, {}};
  }
  return {false, "served from cache: the members read " +
                     std::to_string(io.read_bytes) + " of " +
                     std::to_string(required_bytes) + " bytes"};
}

// Metadata pass: more than nothing, and what the backend declares.
inline ColdProof prove_cold_metadata(const Host& host, const cowbench_io& io,
                                     std::uint64_t entries, bool with_inodes) {
  const std::uint64_t floor = host.cold_metadata_bytes(entries, with_inodes);
  if (io.read_bytes > 0 && io.read_bytes >= floor) return {true, {}};
  return {false, "served from cache: the members read " +
                     std::to_string(io.read_bytes) +
                     " bytes where a cold pass reads at least " +
                     std::to_string(floor)};
}

}  // namespace v0
}  // namespace cowbench
