// SPDX-License-Identifier: Apache-2.0
#include "job/stack_runtime.hpp"

#include <algorithm>
#include <optional>

#include "base/text.hpp"
#include "system/file.hpp"
#include "system/filesystem.hpp"
#include "system/mount.hpp"

namespace cowbench {

namespace {

std::size_t layer_index(const Stack& stack, const std::string& name) {
  const auto found =
      std::find_if(stack.layers.begin(), stack.layers.end(),
                   [&](const LayerUse& layer) { return layer.as == name; });
  return static_cast<std::size_t>(found - stack.layers.begin());
}

DeviceView view_of(const Member& member) {
  return {member.path,       member.group,       member.index,
          member.size_bytes, member.known_blank, member.facts.rotational};
}

void write_view(JsonWriter& json, const DeviceView& view) {
  json.begin_object()
      .field("path", view.path)
      .field("size_bytes", view.size_bytes)
      .field("source_index", view.source)
      .end_object();
}

DeviceView read_view(const JsonValue& json) {
  DeviceView view;
  view.path = string_at(json, "path");
  view.size_bytes = uint_at(json, "size_bytes");
  view.source =
      static_cast<std::uint32_t>(uint_at(json, "source_index", UINT32_MAX));
  return view;
}

// Of the mount and of the filesystem; the kernel repeats some in both.
std::string options_in_effect(const MountEntry& mount) {
  std::vector<std::string> options = split(mount.options, ',');
  for (std::string& option : split(mount.fs_options, ',')) {
    if (std::find(options.begin(), options.end(), option) == options.end()) {
      options.push_back(std::move(option));
    }
  }
  return join(options, ",");
}

// Below the job's tmpfs, so what lies there is never on a disk, and gone with
// the job. Kept by every later step.
Status make_memory_directory(const std::string& memory, Instance& layer) {
  const std::string folder = memory + "/.layers/" + layer.name();
  if (Status made = make_directories(folder, 0700); !made) return made;
  layer.places.memory_directory = folder;
  return {};
}

}  // namespace

void StackRecord::absorb(const JsonValue& event, const Stack& stack) {
  layers.resize(stack.layers.size());
  const std::string type = string_at(event, "type");
  const std::size_t index = layer_index(stack, string_at(event, "layer"));
  if (index >= layers.size()) return;
  if (type == "layer-state") {
    layers[index].state[string_at(event, "key")] = string_at(event, "value");
  } else if (type == "layer-output") {
    layers[index].outputs.push_back(read_view(event));
  } else if (type == "mount") {
    mount_source = string_at(event, "source");
    mount_type = string_at(event, "fstype");
  }
}

void StackRecord::write(JsonWriter& json) const {
  json.begin_object()
      .field("mount_source", mount_source)
      .field("mount_type", mount_type);
  json.key("layers").begin_array();
  for (const Layer& layer : layers) {
    json.begin_object().key("state").begin_object();
    for (const auto& [key, value] : layer.state) json.field(key, value);
    json.end_object().key("outputs").begin_array();
    for (const DeviceView& view : layer.outputs) write_view(json, view);
    json.end_array().end_object();
  }
  json.end_array().end_object();
}

StackRecord StackRecord::read(const JsonValue& json) {
  StackRecord record;
  record.mount_source = string_at(json, "mount_source");
  record.mount_type = string_at(json, "mount_type");
  const JsonValue* layers = member_at(json, "layers");
  if (layers == nullptr || !layers->IsArray()) return record;
  for (const JsonValue& item : layers->GetArray()) {
    Layer layer;
    if (const JsonValue* state = member_at(item, "state")) {
      for (const auto& entry : state->GetObject()) {
        layer.state[entry.name.GetString()] = entry.value.GetString();
      }
    }
    if (const JsonValue* outputs = member_at(item, "outputs")) {
      for (const JsonValue& output : outputs->GetArray()) {
        layer.outputs.push_back(read_view(output));
      }
    }
    record.layers.push_back(std::move(layer));
  }
  return record;
}

Result<std::unique_ptr<StackRuntime>> StackRuntime::create(StepContext& context,
                                                           StackRecord record,
                                                           bool attach) {
  record.layers.resize(context.plan.stack.layers.size());
  std::unique_ptr<StackRuntime> stack(
      new StackRuntime(context, std::move(record)));
  const std::size_t all = context.plan.stack.layers.size();
  const std::size_t count = attach ? all : 1;
  for (std::size_t i = 0; i < count; ++i) {
    if (Status made = stack->make_instance(i); !made) return made.error();
  }
  context.stack = stack.get();
  return stack;
}

std::vector<DeviceView> StackRuntime::inputs_of(const LayerUse& layer) const {
  std::vector<DeviceView> inputs;
  for (const std::string& source : layer.on) {
    for (const Member& member : context_.members) {
      if (member.group == source) inputs.push_back(view_of(member));
    }
    const std::size_t below = layer_index(context_.plan.stack, source);
    if (below >= layers_.size()) continue;
    std::uint32_t index = 0;
    for (DeviceView view : layers_[below]->outputs) {
      view.group = source;
      view.index = index++;
      inputs.push_back(std::move(view));
    }
  }
  return inputs;
}

Status StackRuntime::make_instance(std::size_t index) {
  const LayerUse& use = context_.plan.stack.layers[index];
  const Plugin* plugin = context_.catalog.layer(use.use);
  if (plugin == nullptr) {
    return Error(Category::kNotAvailable,
                 "layer \"" + use.use + "\": no loaded plugin has that name");
  }
  auto instance = std::make_unique<Instance>(context_, *plugin, use.as,
                                             use.options, inputs_of(use));
  if (!context_.planning()) {
    Status made =
        make_memory_directory(context_.plan.memory_folder(), *instance);
    if (!made) return made;
  }
  instance->state = record_.layers[index].state;
  instance->outputs = record_.layers[index].outputs;
  if (Status made = instance->create(); !made) return made;
  layers_.push_back(std::move(instance));
  return {};
}

Result<Problems> StackRuntime::plan() {
  Problems problems;
  for (std::size_t i = 0; i < context_.plan.stack.layers.size(); ++i) {
    if (i >= layers_.size()) {
      if (Status made = make_instance(i); !made) return made.error();
    }
    Instance& layer = *layers_[i];
    const Status status = layer.call("check", layer.plugin().layer.check);
    std::vector<std::string> texts = layer.take_problems();
    if (!status && texts.empty()) texts.push_back(status.error().message());
    // One that cannot work has no commands worth showing.
    if (texts.empty()) {
      const Status planned = layer.call("plan", layer.plugin().layer.plan);
      if (!planned) return planned.error();
    }
    for (std::string& text : texts) {
      problems.push_back({context_.plan.stack.path, 0,
                          "/layers/" + std::to_string(i), std::move(text)});
    }
    if (layer.outputs.empty()) layer.outputs.push_back(placeholder(i));
  }
  return problems;
}

// For a layer that has not told what it will offer: as large as all that it
// stands on, so that nobody above finds it too small.
DeviceView StackRuntime::placeholder(std::size_t index) const {
  const LayerUse& use = context_.plan.stack.layers[index];
  DeviceView view;
  view.path = "<" + use.as + ">";
  for (const DeviceView& input : inputs_of(use)) {
    view.size_bytes += input.size_bytes;
  }
  return view;
}

Status StackRuntime::assemble() {
  for (std::size_t i = 0; i < context_.plan.stack.layers.size(); ++i) {
    if (i >= layers_.size()) {
      if (Status made = make_instance(i); !made) return made;
    }
    Instance& layer = *layers_[i];
    if (Status s = layer.call("assemble", layer.plugin().layer.assemble); !s) {
      return s;
    }
  }
  const auto mount = find_mount(context_.plan.mount_point());
  if (!mount) {
    return Error(Category::kInternal,
                 layers_.back()->name() +
                     " says it is assembled, but nothing is mounted at " +
                     context_.plan.mount_point());
  }
  record_.mount_source = mount->source;
  record_.mount_type = mount->type;
  report_mount();
  return verify();
}

void StackRuntime::report_mount() {
  const auto mount = find_mount(context_.plan.mount_point());
  if (!mount) return;
  context_.session.send("mount", [&](JsonWriter& json) {
    json.field("layer", layers_.back()->name())
        .field("source", mount->source)
        .field("target", mount->target)
        .field("fstype", mount->type)
        .field("options", options_in_effect(*mount));
  });
}

Status StackRuntime::disassemble() {
  Status first;
  for (auto layer = layers_.rbegin(); layer != layers_.rend(); ++layer) {
    Status s =
        (*layer)->call("disassemble", (*layer)->plugin().layer.disassemble);
    if (!s && first) first = s;
  }
  return first;
}

Status StackRuntime::deactivate() {
  for (auto layer = layers_.rbegin(); layer != layers_.rend(); ++layer) {
    if (Status s =
            (*layer)->call("deactivate", (*layer)->plugin().layer.deactivate);
        !s) {
      return s;
    }
  }
  return {};
}

Status StackRuntime::activate() {
  for (const auto& layer : layers_) {
    if (Status s = layer->call("activate", layer->plugin().layer.activate);
        !s) {
      return s;
    }
  }
  return check_mount();
}

Status StackRuntime::check_mount() const {
  const std::string point = context_.plan.mount_point();
  const auto mount = find_mount(point);
  if (!mount) {
    return Error(Category::kDeviceLost,
                 "the filesystem is no longer mounted at " + point);
  }
  // By another of its names it is still the same device.
  if (mount->type != record_.mount_type ||
      canonical_path(mount->source) != canonical_path(record_.mount_source)) {
    return Error(Category::kDeviceLost,
                 point + " now holds " + mount->type + " from " +
                     mount->source + " instead of " + record_.mount_type +
                     " from " + record_.mount_source);
  }
  auto facts = filesystem_facts(point);
  if (!facts) return facts.error();
  if (facts->read_only) {
    return Error(Category::kDeviceLost,
                 "the filesystem at " + point + " has become read-only");
  }
  return {};
}

Status StackRuntime::verify() {
  if (Status mounted = check_mount(); !mounted) return mounted;
  // Not part of check_mount(): a probe file would warm what make_cold() has
  // just made cold.
  if (Status writable = check_writable(context_.plan.mount_point());
      !writable) {
    return writable;
  }
  for (const auto& layer : layers_) {
    if (Status s = layer->call("verify", layer->plugin().layer.verify); !s) {
      return s;
    }
  }
  return {};
}

void StackRuntime::report_versions() {
  for (const auto& layer : layers_) {
    const Status s = layer->call("versions", layer->plugin().layer.versions);
    if (!s) context_.session.log("warning", s.error().message());
  }
}

void StackRuntime::report_usage() {
  const Found found = ability(COWBENCH_USAGE_ID);
  if (found.table == nullptr) return;
  cowbench_usage usage{};
  usage.struct_size = sizeof usage;
  const auto* table = static_cast<const cowbench_usage_ability*>(found.table);
  if (table->usage(found.self, &usage) != COWBENCH_OK) return;
  context_.session.send("usage", [&](JsonWriter& json) {
    json.field("raw_bytes", usage.raw_bytes)
        .field("allocated_bytes", usage.allocated_bytes)
        .field("used_bytes", usage.used_bytes)
        .field("usable_bytes", usage.usable_bytes)
        .field("source", usage.source == nullptr ? "" : usage.source);
  });
}

StackRuntime::Found StackRuntime::ability(const char* id) {
  Found found;
  for (auto layer = layers_.rbegin(); layer != layers_.rend(); ++layer) {
    Instance& instance = **layer;
    const void* table = instance.plugin().interface(id);
    if (table == nullptr) continue;
    const auto* head = static_cast<const cowbench_ability*>(table);
    const Status supported = instance.call("supports", head->supports);
    if (supported) return {table, instance.self(), {}};
    if (!found.reason.empty()) found.reason += "; ";
    found.reason += supported.error().message();
  }
  if (found.reason.empty()) {
    found.reason = "no layer of " + context_.plan.stack.name + " offers " + id;
  }
  return found;
}

std::uint64_t StackRuntime::cold_metadata_bytes(std::uint64_t entries,
                                                bool with_inodes) {
  std::optional<std::uint64_t> least;
  for (const auto& layer : layers_) {
    const auto* table = static_cast<const cowbench_cold_ability*>(
        layer->plugin().interface(COWBENCH_COLD_ID));
    if (table == nullptr) continue;
    if (!layer->call("supports", table->head.supports)) continue;
    const std::uint64_t bytes =
        table->metadata_bytes(layer->self(), entries, with_inodes ? 1 : 0);
    least = std::min(least.value_or(bytes), bytes);
  }
  return std::max<std::uint64_t>(1, least.value_or(1));
}

}  // namespace cowbench
