// SPDX-License-Identifier: Apache-2.0
// The functions behind the host table, by theme: host_config.cpp,
// host_command.cpp, host_object.cpp, host_measure.cpp.
#pragma once

#include <exception>
#include <string>
#include <vector>

#include "job/instance.hpp"
#include "job/status.hpp"

namespace cowbench {

// A plugin may call from C code: nothing may be thrown through it.
template <typename Body>
cowbench_status guarded(Body&& body) noexcept {
  try {
    return body();
  } catch (...) {
    return COWBENCH_INTERNAL;
  }
}

// A NULL-terminated vector of texts; NULL is an empty one.
inline std::vector<std::string> words_of(const char* const* words) {
  std::vector<std::string> all;
  for (; words != nullptr && *words != nullptr; ++words) {
    all.emplace_back(*words);
  }
  return all;
}

struct HostCalls {
  static Instance& of(void* context) {
    return *static_cast<Instance*>(context);
  }

  static void log(void* context, std::int32_t level, const char* text);
  static void fail(void* context, cowbench_status status, const char* message);
  static void problem(void* context, const char* message);
  static void progress(void* context, double fraction, const char* text);
  static std::int32_t should_stop(void* context);
  static std::uint64_t now_ns(void* context);
  static std::uint64_t remaining_ns(void* context);
  static std::int32_t has(void* context, const char* key);
  static const char* text(void* context, const char* key);
  static std::int64_t integer(void* context, const char* key);
  static double number(void* context, const char* key);
  static const char* text_item(void* context, const char* key,
                               std::uint32_t index);
  static std::uint64_t seed(void* context);
  static const cowbench_device* device(void* context, std::uint32_t index);
  static const char* mount_point(void* context);
  static const char* directory(void* context);
  static const char* memory_directory(void* context);
  static const char* object_name(void* context);
  static const char* artifact_directory(void* context);

  static cowbench_status run(void* context, const cowbench_command* command,
                             cowbench_command_result* result);
  static cowbench_status start(void* context, const cowbench_command* command,
                               std::uint64_t* process);
  static cowbench_status wait(void* context, std::uint64_t process,
                              std::uint64_t timeout_ns,
                              cowbench_command_result* result);
  static cowbench_status stop(void* context, std::uint64_t process,
                              cowbench_command_result* result);
  static void plan_command(void* context, const char* const* argv);

  static cowbench_status mount(void* context, const char* source,
                               const char* target, const char* type,
                               const char* options);
  static cowbench_status unmount(void* context, const char* target);
  static cowbench_status ledger_add(void* context,
                                    const cowbench_object* object,
                                    std::uint64_t* ticket);
  static cowbench_status ledger_strike(void* context, std::uint64_t ticket);
  static const char* state(void* context, const char* key);
  static cowbench_status set_state(void* context, const char* key,
                                   const char* value);
  static cowbench_status add_output(void* context, const char* path,
                                    std::uint64_t size_bytes,
                                    std::uint32_t source_index);
  static void effective(void* context, const char* key, const char* value);
  static void version(void* context, const char* component,
                      const char* version);

  static cowbench_status sync(void* context);
  static cowbench_status quiesce(void* context);
  static cowbench_status make_cold(void* context);
  static std::uint64_t cold_metadata_bytes(void* context, std::uint64_t entries,
                                           std::uint8_t with_inodes);
  static cowbench_status section_begin(void* context, const char* name);
  static cowbench_status section_end(void* context, cowbench_io* io);
  static cowbench_status member_io(void* context, std::uint32_t index,
                                   cowbench_io* io);
  static cowbench_status declare_metric(void* context,
                                        const cowbench_metric* metric);
  static cowbench_status emit(void* context, const cowbench_value* value);
  static void mark(void* context, const char* name, const char* reason,
                   std::uint8_t end_job);
  static cowbench_status ability(void* context, const char* ability_id,
                                 const void** table, void** self,
                                 const char** reason);
  static const void* service(void* context, const char* service_id);

 private:
  static cowbench_status inside_section(Instance& instance, const char* call);
  // Shared by run and start, wait and stop.
  static Result<Command> command_of(Instance& instance,
                                    const cowbench_command* raw);
  static void give(Instance& instance, CommandResult result,
                   cowbench_command_result* out);
  static void trace(Instance& instance, const std::vector<std::string>& argv,
                    const std::string& cwd, const CommandResult& result);
};

}  // namespace cowbench
