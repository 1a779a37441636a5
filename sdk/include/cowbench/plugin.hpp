// SPDX-License-Identifier: Apache-2.0
// Turns classes into the C tables that the runner reads. Include it in exactly
// one source of a plugin library and write there
//
//   COWBENCH_PLUGINS(MyBackend, MyPhase)
//
// which defines the one exported function. Every call that enters the library
// is fenced: what the class throws becomes a status and a message.
#pragma once

#include <cowbench/abi/plugin.h>

#include <cowbench/layer.hpp>
#include <cowbench/phase.hpp>
#include <cowbench/version.hpp>
#include <cstring>
#include <type_traits>

#define COWBENCH_EXPORT extern "C" __attribute__((visibility("default")))

namespace cowbench {
inline namespace v0 {
namespace detail {

// The fence of one instance: runs `body` on it, reports through its host.
template <typename T, typename Body>
cowbench_status enter(void* self, Body&& body) noexcept {
  T& object = *static_cast<T*>(self);
  const Host host = object.host();
  return fence([&](cowbench_status status,
                   const char* text) { host.fail(status, text); },
               [&] { body(object); });
}

template <typename T>
cowbench_status create(const cowbench_host* table, void** self) noexcept {
  return fence([&](cowbench_status status,
                   const char* text) { Host(table).fail(status, text); },
               [&] { *self = new T(Host(table)); });
}

template <typename T>
void destroy(void* self) noexcept {
  delete static_cast<T*>(self);
}

// A member function without arguments, of T or a base of it, as a C callback.
template <typename T, auto member>
cowbench_status call(void* self) noexcept {
  return enter<T>(self, [](T& object) { (object.*member)(); });
}

template <typename T>
struct LayerTable {
  static const cowbench_option* option(std::uint32_t index) noexcept {
    return T::info().options.at(index);
  }
  static const cowbench_requirement* requirement(std::uint32_t index) noexcept {
    return T::info().requirements.at(index);
  }
  static inline const cowbench_layer table = {
      sizeof(cowbench_layer),
      T::info().output,
      T::info().minimum_devices,
      T::info().maximum_devices,
      option,
      requirement,
      create<T>,
      destroy<T>,
      call<T, &T::check>,
      call<T, &T::plan>,
      call<T, &T::versions>,
      call<T, &T::assemble>,
      call<T, &T::disassemble>,
      call<T, &T::deactivate>,
      call<T, &T::activate>,
      call<T, &T::verify>,
  };

  static cowbench_status usage(void* self, cowbench_usage* out) noexcept {
    return enter<T>(self, [&](T& object) {
      cowbench_usage local{};
      local.struct_size = sizeof local;
      object.usage(local);
      const std::uint32_t theirs = out->struct_size;
      std::memcpy(out, &local, theirs < sizeof local ? theirs : sizeof local);
      out->struct_size = theirs;
    });
  }
  static std::uint64_t metadata_bytes(void* self, std::uint64_t entries,
                                      std::uint8_t with_inodes) noexcept {
    std::uint64_t bytes = 0;
    enter<T>(self, [&](T& object) {
      bytes = object.cold_metadata_bytes(entries, with_inodes != 0);
    });
    return bytes;
  }

  static const void* ability(const char* id) noexcept {
    if constexpr (std::is_base_of_v<UsageAbility, T>) {
      static const cowbench_usage_ability usage_table = {
          {sizeof(cowbench_usage_ability), 0, call<T, &T::supports_usage>},
          usage};
      if (std::strcmp(id, COWBENCH_USAGE_ID) == 0) return &usage_table;
    }
    if constexpr (std::is_base_of_v<ColdAbility, T>) {
      static const cowbench_cold_ability cold_table = {
          {sizeof(cowbench_cold_ability), 0, call<T, &T::supports_cold>},
          metadata_bytes};
      if (std::strcmp(id, COWBENCH_COLD_ID) == 0) return &cold_table;
    }
    if constexpr (std::is_base_of_v<ReflinkAbility, T>) {
      static const cowbench_reflink_ability reflink_table = {
          {sizeof(cowbench_reflink_ability), 0, call<T, &T::supports_reflink>}};
      if (std::strcmp(id, COWBENCH_REFLINK_ID) == 0) return &reflink_table;
    }
    return nullptr;
  }
};

template <typename T>
struct PhaseTable {
  static const cowbench_metric* metric(std::uint32_t index) noexcept {
    return T::info().metrics.at(index);
  }
  static const cowbench_option* option(std::uint32_t index) noexcept {
    return T::info().options.at(index);
  }
  static const cowbench_requirement* requirement(std::uint32_t index) noexcept {
    return T::info().requirements.at(index);
  }
  static const char* ability(std::uint32_t index) noexcept {
    const char* const* id = T::info().abilities.at(index);
    return id == nullptr ? nullptr : *id;
  }
  static cowbench_status estimate(void* self, cowbench_estimate* out) noexcept {
    return enter<T>(self, [&](T& object) {
      const Estimate e = object.estimate();
      const cowbench_estimate local = {sizeof local, 0, e.written_bytes,
                                       e.peak_bytes, e.duration_ns};
      const std::uint32_t theirs = out->struct_size;
      std::memcpy(out, &local, theirs < sizeof local ? theirs : sizeof local);
      out->struct_size = theirs;
    });
  }
  static inline const cowbench_phase table = {
      sizeof(cowbench_phase),
      T::info().stage,
      metric,
      option,
      requirement,
      ability,
      create<T>,
      destroy<T>,
      estimate,
      call<T, &T::versions>,
      call<T, &T::run>,
  };
};

template <typename T>
const void* interface_of(const char* id) noexcept {
  if constexpr (std::is_base_of_v<Layer, T>) {
    if (std::strcmp(id, COWBENCH_LAYER_ID) == 0) return &LayerTable<T>::table;
    return LayerTable<T>::ability(id);
  } else {
    static_assert(std::is_base_of_v<Phase, T>,
                  "a plugin class derives from Layer or Phase");
    if (std::strcmp(id, COWBENCH_PHASE_ID) == 0) return &PhaseTable<T>::table;
    return nullptr;
  }
}

template <typename T>
struct PluginTable {
  static constexpr Identity kIdentity = T::info().identity;
  static inline const cowbench_plugin table = {
      sizeof(cowbench_plugin),
      0,
      kIdentity.id,
      kIdentity.name,
      kIdentity.version,
      kIdentity.summary,
      kIdentity.licence,
      kIdentity.home_page,
      interface_of<T>,
  };
};

template <typename... Ts>
const cowbench_plugin* plugin_at(std::uint32_t index) noexcept {
  static const cowbench_plugin* const kAll[] = {&PluginTable<Ts>::table...};
  return index < sizeof...(Ts) ? kAll[index] : nullptr;
}

#ifdef NDEBUG
inline constexpr const char* kBuildType = "release";
#else
inline constexpr const char* kBuildType = "debug";
#endif

template <typename... Ts>
const cowbench_entry* entry() noexcept {
  static const cowbench_entry kEntry = {
      sizeof(cowbench_entry),
      COWBENCH_ABI_MAJOR,
      COWBENCH_ABI_MINOR,
      0,
      COWBENCH_SDK_VERSION,
      __VERSION__,
      kBuildType,
      plugin_at<Ts...>,
  };
  return &kEntry;
}

}  // namespace detail
}  // namespace v0
}  // namespace cowbench

#define COWBENCH_PLUGINS(...)                              \
  COWBENCH_EXPORT const cowbench_entry* cowbench_entry_v0( \
      std::uint32_t, std::uint32_t, const char**) {        \
    return cowbench::detail::entry<__VA_ARGS__>();         \
  }                                                        \
  static_assert(true, "a semicolon may follow")
