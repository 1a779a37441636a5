// SPDX-License-Identifier: Apache-2.0
// One plugin instance inside a step process, and the host table it sees.
#pragma once

#include <cowbench/abi/host.h>
#include <cowbench/abi/plugin.h>

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "config/vocabulary.hpp"
#include "device/accounting.hpp"
#include "device/member.hpp"
#include "job/plan.hpp"
#include "job/session.hpp"
#include "ledger/ledger.hpp"
#include "plugin/catalog.hpp"
#include "system/process.hpp"

namespace cowbench {

class StackRuntime;

// What all instances of one step share. Outlives them.
struct StepContext {
  const JobPlan& plan;
  const Catalog& catalog;
  Session& session;
  Ledger* ledger = nullptr;       // null while planning: nothing is made
  StackRuntime* stack = nullptr;  // null before the stack exists
  std::vector<Member> members;
  std::uint64_t deadline_ns = 0;  // on now_ns(); 0: none

  bool planning() const { return ledger == nullptr; }
};

// A device as an instance sees it; owns the texts that the ABI borrows.
struct DeviceView {
  std::string path;
  std::string group;
  std::uint32_t index = 0;
  std::uint64_t size_bytes = 0;
  bool known_blank = false;
  bool rotational = false;
  std::uint32_t source = UINT32_MAX;  // input it came from, for outputs
};

// Where an instance may work.
struct Places {
  std::string directory;  // phases only
  std::string memory_directory;
};

// A name for what layer `name` of a job makes: as cowbench_host.object_name.
std::string object_name_of(const std::string& job_id, const std::string& name);

// Creates, drives and destroys one plugin instance. One thread; not movable,
// because the plugin holds its address.
class Instance {
 public:
  Instance(StepContext& context, const Plugin& plugin, std::string name,
           const std::map<std::string, ConfigValue>& options,
           std::vector<DeviceView> devices);
  Instance(const Instance&) = delete;
  Instance& operator=(const Instance&) = delete;
  ~Instance();

  Status create();
  // Calls an optional callback: absent is success. The error carries the text
  // that the plugin gave to fail(), behind the plugin's name.
  using Callback = cowbench_status (*)(void*);
  Status call(const char* action, Callback callback);
  Status call(const char* action, const std::function<cowbench_status()>& body);

  void* self() const { return self_; }
  const Plugin& plugin() const { return plugin_; }
  const std::string& name() const { return name_; }
  std::vector<std::string> take_problems();

  // Layers: the state document and the devices offered so far.
  std::map<std::string, std::string> state;
  std::vector<DeviceView> outputs;
  Places places;

 private:
  friend struct HostCalls;  // the host table's functions

  std::uint64_t remaining_ns() const;
  // Notes why a host call is about to fail; fail() adds it to the plugin's
  // own words.
  cowbench_status host_failed(const Error& error);

  struct Background {
    std::vector<std::string> argv;
    std::string cwd;
    Process process;
  };

  StepContext& context_;
  const Plugin& plugin_;
  const std::string name_;
  const std::map<std::string, ConfigValue>& options_;
  std::vector<DeviceView> devices_;
  std::vector<cowbench_device> raw_devices_;
  cowbench_host host_{};
  void* self_ = nullptr;

  std::string failure_;
  std::string host_failure_;
  std::vector<std::string> problems_;
  std::map<std::string, std::string> texts_;  // lent to the plugin
  std::string mount_point_;
  std::string artifact_folder_;
  std::string object_name_;
  std::string ability_reason_;
  CommandResult last_result_;
  std::map<std::uint64_t, Background> processes_;
  std::uint64_t last_process_ = 0;
  std::map<std::string, MetricSpec> metrics_;
  std::map<std::string, bool> emitted_;
  std::vector<std::optional<IoCounters>> section_start_;
};

// Fills the table for `instance`; every function is safe against exceptions.
cowbench_host make_host_table(Instance& instance);

}  // namespace cowbench
