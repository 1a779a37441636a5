// SPDX-License-Identifier: Apache-2.0
// A complete phase: how long a 4 KiB append takes to become durable.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cowbench/plugin.hpp>
#include <vector>

namespace {

using namespace cowbench;
constexpr std::uint32_t kBlockBytes = 4096;

// Settable in a profile as "durable-append.appends".
constexpr cowbench_option kOptions[] = {
    option(COWBENCH_TYPE_INTEGER, "appends", "200",
           "Enough for a 99th percentile that two samples stand behind", 1,
           1e6),
};

constexpr cowbench_metric kMetrics[] = {
    metric("append_p50_ms", "ms", COWBENCH_LOWER_IS_BETTER, "Durable append",
           "Median time of write() of 4 KiB at a file's end and fsync()."),
    metric("append_p99_ms", "ms", COWBENCH_LOWER_IS_BETTER,
           "Durable append p99",
           "99th percentile of the same; withheld below 100 appends."),
};

class File {
 public:
  explicit File(const std::string& path)
      : fd_(open(path.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600)) {
    if (fd_ < 0) fail("open");
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() { close(fd_); }

  void append_durably(const std::vector<char>& block) const {
    if (write(fd_, block.data(), block.size()) !=
        static_cast<ssize_t>(block.size())) {
      fail("write");
    }
    if (fsync(fd_) != 0) fail("fsync");
  }

 private:
  [[noreturn]] static void fail(const char* call) {
    throw std::system_error(errno, std::generic_category(), call);
  }
  int fd_;
};

class DurableAppend : public Phase {
 public:
  static constexpr PhaseInfo info() {
    return {{"org.example.durable-append", "durable-append", "1.0",
             "Times appends with fsync"},
            COWBENCH_STAGE_ON_STACK,
            kMetrics,
            kOptions};
  }
  using Phase::Phase;
  Estimate estimate() override {
    const std::uint64_t bytes = host().amount("appends") * kBlockBytes;
    return {bytes, bytes, host().amount("appends") * 5'000'000};
  }

  void run() override {
    // Everything that is not the work happens before the section opens.
    std::vector<double> times_ms(host().amount("appends"));
    const std::vector<char> block(kBlockBytes, 'c');
    const File file(host().directory() + "/file");
    host().quiesce();
    Host::Section section(host(), "append");
    for (double& time_ms : times_ms) {
      host().throw_if_stopped();
      const std::uint64_t begin = host().now_ns();
      file.append_durably(block);
      time_ms = static_cast<double>(host().now_ns() - begin) / 1e6;
    }
    section.close();

    std::sort(times_ms.begin(), times_ms.end());
    host().emit("append_p50_ms", times_ms[(times_ms.size() - 1) / 2]);
    if (times_ms.size() < 100) {
      host().emit_absent("append_p99_ms", COWBENCH_OUTCOME_WITHHELD,
                         "fewer than 100 appends");
      return;
    }
    host().emit("append_p99_ms",
                times_ms[(times_ms.size() * 99 + 99) / 100 - 1]);
  }
};

}  // namespace

COWBENCH_PLUGINS(DurableAppend);
