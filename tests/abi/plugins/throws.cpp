// SPDX-License-Identifier: Apache-2.0
// Classes that throw wherever they can; the SDK fences them.
#include <cowbench/plugin.hpp>

namespace {

class ThrowingLayer : public cowbench::Layer {
 public:
  static constexpr cowbench::LayerInfo info() {
    return {{"org.example.throwing-layer", "throwing", "1.0", "Throws"}};
  }
  using Layer::Layer;
  void assemble() override {
    throw cowbench::Error(COWBENCH_NO_SPACE, "make the array: no room");
  }
  void disassemble() override { throw std::runtime_error("not one of ours"); }
  void deactivate() override {
    throw std::system_error(EIO, std::generic_category(), "read the label");
  }
  void activate() override { throw 7; }
};

class ThrowingPhase : public cowbench::Phase {
 public:
  static constexpr cowbench::PhaseInfo info() {
    return {{"org.example.throwing-phase", "throwing", "1.0", "Throws"}};
  }
  using Phase::Phase;
  cowbench::Estimate estimate() override { throw std::bad_alloc(); }
  void run() override { host().throw_if_stopped(); }
};

class Unmakeable : public cowbench::Phase {
 public:
  static constexpr cowbench::PhaseInfo info() {
    return {{"org.example.unmakeable", "unmakeable", "1.0", "Throws"}};
  }
  explicit Unmakeable(cowbench::Host host) : Phase(host) {
    throw cowbench::Error(COWBENCH_BAD_CONFIG, "two settings contradict");
  }
  cowbench::Estimate estimate() override { return {}; }
  void run() override {}
};

}  // namespace

COWBENCH_PLUGINS(ThrowingLayer, ThrowingPhase, Unmakeable);
