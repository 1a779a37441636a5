// SPDX-License-Identifier: Apache-2.0
// The layers of a stack as live instances in a step process.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "base/result.hpp"
#include "job/instance.hpp"

namespace cowbench {

// What is recorded of a stack between steps: state documents, offered devices
// and the mount, as the worker keeps them from events.
struct StackRecord {
  struct Layer {
    std::map<std::string, std::string> state;
    std::vector<DeviceView> outputs;
  };
  std::vector<Layer> layers;
  // The mount as assemble() left it; empty type: not mounted.
  std::string mount_source;
  std::string mount_type;

  // Takes in an event of the types layer-state, layer-output and mount.
  void absorb(const JsonValue& event, const Stack& stack);
  void write(JsonWriter& json) const;
  static StackRecord read(const JsonValue& json);
};

// Layers wired over members, bottom first. One thread.
class StackRuntime {
 public:
  // Makes the instances; nothing on the system changes. `attach`: to what an
  // earlier step assembled, wholly or in part, as `record` tells. Otherwise
  // the upper layers' instances are made as their devices appear, or are
  // planned.
  static Result<std::unique_ptr<StackRuntime>> create(StepContext& context,
                                                      StackRecord record,
                                                      bool attach);

  // Bottom to top: what each layer would run and offer to the next. Answers
  // the reasons why the layers cannot work as configured, all of them.
  Result<Problems> plan();
  // Bottom to top; fails with the first error, leaving what is up.
  Status assemble();
  // Top to bottom; goes on past errors and returns the first.
  Status disassemble();
  Status deactivate();
  Status activate();
  // Whether the filesystem at the mount point is the one that was made, is
  // writable, and every layer agrees.
  Status verify();
  void report_versions();
  void report_usage();

  // The topmost layer that has the ability, or why none has.
  struct Found {
    const void* table = nullptr;
    void* self = nullptr;
    std::string reason;
  };
  Found ability(const char* id);
  std::uint64_t cold_metadata_bytes(std::uint64_t entries, bool with_inodes);

 private:
  StackRuntime(StepContext& context, StackRecord record)
      : context_(context), record_(std::move(record)) {}
  Status make_instance(std::size_t index);
  std::vector<DeviceView> inputs_of(const LayerUse& layer) const;
  DeviceView placeholder(std::size_t index) const;
  Status check_mount() const;
  void report_mount();

  StepContext& context_;
  StackRecord record_;
  std::vector<std::unique_ptr<Instance>> layers_;
};

}  // namespace cowbench
