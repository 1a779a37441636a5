// SPDX-License-Identifier: Apache-2.0
// A backend that crashes in the callback that its option names.
#include <cowbench/plugin.hpp>
#include <string>

namespace {

using namespace cowbench;

constexpr cowbench_option kOptions[] = {
    choice("crash_in", "assemble", "assemble|plan",
           "The callback that crashes"),
};

class Crashing : public Layer {
 public:
  static constexpr LayerInfo info() {
    return {{"org.example.test.crashing", "crashing", "1.0",
             "a backend that crashes"},
            COWBENCH_OUTPUT_MOUNT,
            1,
            1,
            kOptions};
  }
  using Layer::Layer;

  void plan() override { crash_in("plan"); }
  void assemble() override { crash_in("assemble"); }
  void disassemble() override {}
  void deactivate() override {}
  void activate() override {}

 private:
  void crash_in(const std::string& callback) const {
    if (host().text("crash_in") != callback) return;
    volatile int* volatile nowhere = nullptr;
    *nowhere = 1;
  }
};

}  // namespace

COWBENCH_PLUGINS(Crashing);
