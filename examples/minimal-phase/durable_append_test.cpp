// SPDX-License-Identifier: Apache-2.0
// The phase under the SDK's fake host: no runner, no root, no filesystem but
// a temporary directory.
#include "durable_append.cpp"

#include <stdlib.h>

#include <cowbench/testing/fake_host.hpp>
#include <cstdio>
#include <filesystem>

int main() {
  std::string scratch =
      (std::filesystem::temp_directory_path() / "append-XXXXXX").string();
  if (mkdtemp(scratch.data()) == nullptr) return 1;

  testing::FakeHost host;
  host.describe<DurableAppend>();
  host.set("appends", "5");
  host.directory = scratch;
  DurableAppend(host.host()).run();
  const bool written =
      std::filesystem::file_size(scratch + "/file") == 5 * kBlockBytes;
  std::filesystem::remove_all(scratch);

  std::printf("median %.3f ms\n", host.figure("append_p50_ms"));
  return written && host.missing_metrics().empty() && host.breaches.empty() &&
                 host.quiesces == 1 &&
                 host.value("append_p99_ms")->outcome ==
                     COWBENCH_OUTCOME_WITHHELD
             ? 0
             : 1;
}
