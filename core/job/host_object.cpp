// SPDX-License-Identifier: Apache-2.0
// Mounts, the ledger, state documents and what is reported as in effect.
#include <cstring>

#include "job/host_calls.hpp"
#include "system/mount.hpp"

namespace cowbench {

cowbench_status HostCalls::mount(void* context, const char* source,
                                 const char* target, const char* type,
                                 const char* options) {
  return guarded([&]() -> cowbench_status {
    Instance& instance = of(context);
    instance.host_failure_.clear();
    if (instance.context_.planning()) {
      return instance.host_failed(
          Error(Category::kInternal, "mount while planning"));
    }
    MountRequest request;
    request.source = source;
    request.target = target == nullptr ? instance.mount_point_ : target;
    request.type = type;
    request.options = options == nullptr ? "" : options;
    LedgerEntry entry;
    entry.kind = "mount";
    entry.identity = request.target;
    auto ticket = instance.context_.ledger->add(entry);
    if (!ticket) return instance.host_failed(ticket.error());
    auto mounted = mount_filesystem(request);
    if (!mounted) {
      if (!find_mount(request.target)) {
        (void)instance.context_.ledger->strike(*ticket);
      }
      return instance.host_failed(mounted.error());
    }
    return COWBENCH_OK;
  });
}

cowbench_status HostCalls::unmount(void* context, const char* target) {
  return guarded([&]() -> cowbench_status {
    Instance& instance = of(context);
    const std::string point =
        target == nullptr ? instance.mount_point_ : target;
    // The ledger keeps the entry: undoing an absent mount does nothing, and
    // striking would have to search for the ticket of another process.
    if (Status done = cowbench::unmount(point); !done) {
      return instance.host_failed(done.error());
    }
    return COWBENCH_OK;
  });
}

cowbench_status HostCalls::ledger_add(void* context,
                                      const cowbench_object* object,
                                      std::uint64_t* ticket) {
  return guarded([&]() -> cowbench_status {
    Instance& instance = of(context);
    if (instance.context_.planning()) {
      return instance.host_failed(
          Error(Category::kInternal, "enter an object while planning"));
    }
    LedgerEntry entry;
    entry.kind = "object";
    entry.identity = object->identity;
    entry.parameters = {{"kind", object->kind}};
    entry.exists = words_of(object->exists);
    entry.undo = words_of(object->undo);
    if (entry.exists.empty() || entry.undo.empty()) {
      return instance.host_failed(
          Error(Category::kInternal, "enter " + entry.identity +
                                         " in the ledger: without commands to "
                                         "verify and undo it, it could not be "
                                         "cleaned up"));
    }
    auto id = instance.context_.ledger->add(entry);
    if (!id) return instance.host_failed(id.error());
    *ticket = *id;
    return COWBENCH_OK;
  });
}

cowbench_status HostCalls::ledger_strike(void* context, std::uint64_t ticket) {
  return guarded([&]() -> cowbench_status {
    Instance& instance = of(context);
    if (instance.context_.planning()) {
      return instance.host_failed(
          Error(Category::kInternal, "strike an object while planning"));
    }
    if (Status done = instance.context_.ledger->strike(ticket); !done) {
      return instance.host_failed(done.error());
    }
    return COWBENCH_OK;
  });
}

const char* HostCalls::state(void* context, const char* key) {
  const Instance& instance = of(context);
  const auto found = instance.state.find(key);
  return found == instance.state.end() ? nullptr : found->second.c_str();
}

cowbench_status HostCalls::set_state(void* context, const char* key,
                                     const char* value) {
  return guarded([&] {
    Instance& instance = of(context);
    instance.state[key] = value;
    instance.context_.session.send("layer-state", [&](JsonWriter& json) {
      json.field("layer", instance.name_)
          .field("key", key)
          .field("value", value);
    });
    return COWBENCH_OK;
  });
}

cowbench_status HostCalls::add_output(void* context, const char* path,
                                      std::uint64_t size_bytes,
                                      std::uint32_t source_index) {
  return guarded([&] {
    Instance& instance = of(context);
    DeviceView view;
    view.path = path;
    view.size_bytes = size_bytes;
    view.source = source_index;
    instance.outputs.push_back(view);
    instance.context_.session.send("layer-output", [&](JsonWriter& json) {
      json.field("layer", instance.name_)
          .field("path", path)
          .field("size_bytes", size_bytes)
          .field("source_index", source_index);
    });
    return COWBENCH_OK;
  });
}

void HostCalls::effective(void* context, const char* key, const char* value) {
  guarded([&] {
    Instance& instance = of(context);
    instance.context_.session.send("effective", [&](JsonWriter& json) {
      json.field("layer", instance.name_)
          .field("key", key)
          .field("value", value);
    });
    return COWBENCH_OK;
  });
}

void HostCalls::version(void* context, const char* component,
                        const char* version) {
  guarded([&] {
    of(context).context_.session.send("version", [&](JsonWriter& json) {
      json.field("component", component).field("version", version);
    });
    return COWBENCH_OK;
  });
}

}  // namespace cowbench
