// SPDX-License-Identifier: Apache-2.0
// C++ without the SDK's fences: exceptions reach the border.
#include <cowbench/abi/plugin.h>

#include <cstring>
#include <stdexcept>
#include <string>

namespace {

const cowbench_option* no_option(std::uint32_t) { return nullptr; }
const cowbench_metric* no_metric(std::uint32_t) { return nullptr; }
cowbench_status create(const cowbench_host*, void**) { throw 5; }
void destroy(void*) {}
cowbench_status estimate(void*, cowbench_estimate*) { return COWBENCH_OK; }
cowbench_status run(void*) { throw std::runtime_error("a stray exception"); }

const cowbench_phase kPhase = {sizeof(cowbench_phase),
                               COWBENCH_STAGE_ON_STACK,
                               no_metric,
                               no_option,
                               nullptr,
                               nullptr,
                               create,
                               destroy,
                               estimate,
                               nullptr,
                               run};

const void* interface_of(const char* id) {
#ifdef THROW_WHEN_DESCRIBED
  throw std::runtime_error("no such interface: " + std::string(id));
#endif
  return std::strcmp(id, COWBENCH_PHASE_ID) == 0 ? &kPhase : nullptr;
}

const cowbench_plugin kPlugin = {sizeof(cowbench_plugin),
                                 0,
                                 "org.example.raw",
                                 "raw",
                                 "1.0",
                                 "Throws",
                                 "Apache-2.0",
                                 nullptr,
                                 interface_of};
const cowbench_plugin* list(std::uint32_t index) {
  return index == 0 ? &kPlugin : nullptr;
}
const cowbench_entry kEntry = {sizeof(cowbench_entry),
                               COWBENCH_ABI_MAJOR,
                               COWBENCH_ABI_MINOR,
                               0,
                               "none",
                               "C++",
                               "test",
                               list};

}  // namespace

extern "C" __attribute__((visibility("default"))) const cowbench_entry*
cowbench_entry_v0(std::uint32_t, std::uint32_t, const char**) {
  return &kEntry;
}
