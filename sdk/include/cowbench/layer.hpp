// SPDX-License-Identifier: Apache-2.0
// A backend as a small class. Derive from Layer, describe it in a static
// info(), and list the class in COWBENCH_PLUGINS (cowbench/plugin.hpp).
#pragma once

#include <cowbench/abi/ability.h>

#include <cowbench/describe.hpp>
#include <cowbench/host.hpp>

namespace cowbench {
inline namespace v0 {

// One instance serves one layer of one stack, in one process. It keeps nothing
// that the state document does not hold: assemble() and activate() may run in
// different processes. Every function may throw; the contracts are those of
// cowbench_layer, whose documentation is the authority.
//
// A subclass T has a constructor T(Host) that leaves the system alone, and
//   static constexpr LayerInfo info();
class Layer {
 public:
  explicit Layer(Host host) : host_(host) {}
  Layer(const Layer&) = delete;
  Layer& operator=(const Layer&) = delete;
  virtual ~Layer() = default;

  virtual void check() {}
  virtual void plan() {}
  virtual void versions() {}
  virtual void assemble() = 0;
  virtual void disassemble() = 0;
  virtual void deactivate() = 0;
  virtual void activate() = 0;
  virtual void verify() {}

  const Host& host() const { return host_; }

 private:
  Host host_;
};

// Abilities as mix-ins: a layer that also derives from one of these offers the
// ability. supports() throws Error(COWBENCH_UNSUPPORTED, reason) when this
// configuration does not have it.
class UsageAbility {
 public:
  virtual ~UsageAbility() = default;
  virtual void supports_usage() {}
  // Every field but struct_size must be set; see cowbench_usage.
  virtual void usage(cowbench_usage& usage) = 0;
};

class ColdAbility {
 public:
  virtual ~ColdAbility() = default;
  virtual void supports_cold() {}
  virtual std::uint64_t cold_metadata_bytes(std::uint64_t entries,
                                            bool with_inodes) = 0;
};

class ReflinkAbility {
 public:
  virtual ~ReflinkAbility() = default;
  virtual void supports_reflink() = 0;
};

}  // namespace v0
}  // namespace cowbench
