// SPDX-License-Identifier: Apache-2.0
// Exceptions meet two fences: the SDK's inside the library, the core's outside.
#include "plugin/fence.hpp"

#include <catch2/catch.hpp>

#include "folder.hpp"

using namespace cowbench;

namespace {

// The part of a host that a failing callback needs.
struct Listener {
  Listener() {
    table.struct_size = sizeof table;
    table.context = this;
    table.fail = [](void* context, cowbench_status why, const char* text) {
      auto* self = static_cast<Listener*>(context);
      self->status = why;
      self->message = text;
    };
    table.should_stop = [](void*) -> std::int32_t { return 1; };
  }
  cowbench_host table{};
  cowbench_status status = COWBENCH_OK;
  std::string message;
};

}  // namespace

TEST_CASE("what an SDK class throws becomes a status and a message") {
  const Folder folder;
  folder.add("sdk/throws");
  const Catalog catalog = folder.load();
  REQUIRE(catalog.plugins().size() == 3);
  Listener heard;
  void* self = nullptr;

  const cowbench_layer& layer = catalog.layer("throwing")->layer;
  REQUIRE(layer.create(&heard.table, &self) == COWBENCH_OK);
  CHECK(layer.assemble(self) == COWBENCH_NO_SPACE);
  CHECK(heard.status == COWBENCH_NO_SPACE);
  CHECK(heard.message == "make the array: no room");
  CHECK(layer.disassemble(self) == COWBENCH_INTERNAL);
  CHECK(heard.message == "not one of ours");
  CHECK(layer.deactivate(self) == COWBENCH_DEVICE_LOST);
  CHECK(heard.message == "read the label: Input/output error");
  CHECK(layer.activate(self) == COWBENCH_INTERNAL);
  CHECK(heard.message == "an exception of unknown type");
  layer.destroy(self);

  const cowbench_phase& phase = catalog.phase("throwing")->phase;
  REQUIRE(phase.create(&heard.table, &self) == COWBENCH_OK);
  CHECK(phase.run(self) == COWBENCH_CANCELLED);
  CHECK(heard.message == "stopped on request");
  cowbench_estimate estimate{};
  estimate.struct_size = sizeof estimate;
  CHECK(phase.estimate(self, &estimate) == COWBENCH_INTERNAL);
  phase.destroy(self);

  self = nullptr;
  const cowbench_phase& unmakeable = catalog.phase("unmakeable")->phase;
  CHECK(unmakeable.create(&heard.table, &self) == COWBENCH_BAD_CONFIG);
  CHECK(heard.message == "two settings contradict");
  CHECK(self == nullptr);
}

TEST_CASE("an exception that crosses the border is a broken promise") {
  const Folder folder;
  folder.add("raw_throw");
  const Catalog catalog = folder.load();
  REQUIRE(catalog.phase("raw") != nullptr);
  const cowbench_phase& phase = catalog.phase("raw")->phase;

  void* self = nullptr;
  const Result<cowbench_status> run = fenced("run", phase.run, self);
  REQUIRE_FALSE(run);
  CHECK(run.error().category() == Category::kInternal);
  CHECK(run.error().message() ==
        "run threw across the border: a stray exception");
  const Result<cowbench_status> create =
      fenced("create", phase.create, nullptr, &self);
  REQUIRE_FALSE(create);
  CHECK(create.error().message() ==
        "create threw across the border: an exception of unknown type");
}

TEST_CASE("the fence hands through what a callback answers") {
  const Folder folder;
  folder.add("good");
  const Catalog catalog = folder.load();
  const cowbench_phase& phase = catalog.phase("good")->phase;
  const Result<cowbench_status> run = fenced("run", phase.run, nullptr);
  REQUIRE(run);
  CHECK(*run == COWBENCH_OK);
  CHECK(fenced("destroy", phase.destroy, nullptr));
}
