// SPDX-License-Identifier: Apache-2.0
#include "bcachefs/erasure.hpp"

#include <fcntl.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <random>
#include <system_error>
#include <vector>

#include "bcachefs/usage.hpp"

namespace cowbench::bcachefs {
namespace {

// Stripes are made in the background, within a second on an idle machine.
constexpr std::uint64_t kLimitNs = 60'000'000'000;

// A file that is gone when the object is.
class ProbeFile {
 public:
  explicit ProbeFile(std::string path) : path_(std::move(path)) {
    fd_ = open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd_ < 0) fail("make");
  }
  ProbeFile(const ProbeFile&) = delete;
  ProbeFile& operator=(const ProbeFile&) = delete;
  ~ProbeFile() {
    unlink(path_.c_str());
    syncfs(fd_);
    close(fd_);
  }

  // Random, so that compression leaves the amount alone.
  void fill(std::uint64_t bytes, std::uint64_t seed) const {
    std::mt19937_64 random(seed);
    std::vector<std::uint64_t> block(std::size_t{1} << 17);
    for (std::uint64_t done = 0; done < bytes;) {
      for (std::uint64_t& word : block) word = random();
      const ssize_t count =
          write(fd_, block.data(), block.size() * sizeof block[0]);
      if (count < 0 && errno != EINTR) fail("write");
      if (count > 0) done += static_cast<std::uint64_t>(count);
    }
    if (fsync(fd_) != 0) fail("flush");
  }

 private:
  [[noreturn]] void fail(const char* action) const {
    throw std::system_error(errno, std::generic_category(),
                            std::string(action) + " " + path_);
  }

  std::string path_;
  int fd_ = -1;
};

Usage usage_now(const Host& host) {
  return parse_usage(
      host.run_checked({"bcachefs", "fs", "usage", host.mount_point()}));
}

// Asks until `accepted` says yes; the last answer.
template <typename Accepted>
Usage usage_when(const Host& host, Accepted accepted) {
  const std::uint64_t end = host.now_ns() + kLimitNs;
  for (;;) {
    Usage usage = usage_now(host);
    if (accepted(usage) || host.now_ns() >= end) return usage;
    host.throw_if_stopped();
    const timespec pause = {0, 500'000'000};
    nanosleep(&pause, nullptr);
  }
}

}  // namespace

std::string prove_erasure_coding(const Host& host, std::uint64_t bytes,
                                 const std::string& versions) {
  std::string stripes;
  std::uint64_t plain = 0;
  {
    const ProbeFile file(host.mount_point() + "/.cowbench-erasure-probe");
    file.fill(bytes, host.seed());
    const Usage usage = usage_when(host, [](const Usage& now) {
      return !stripes_of_user_data(now).empty();
    });
    stripes = stripes_of_user_data(usage);
    plain = user_bytes(usage, false);
  }
  if (stripes.empty()) {
    throw Error(
        COWBENCH_NOT_AVAILABLE,
        "erasure_code: set, but not in effect: of " + std::to_string(bytes) +
            " bytes written none are in stripes after 60 s, " +
            std::to_string(plain) + " lie there as plain copies; " + versions +
            ". A module built without "
            "CONFIG_BCACHEFS_ERASURE_CODING ignores the option");
  }
  // What the probe leaves to be freed must not fall into a measurement.
  const Usage after = usage_when(host, [](const Usage& now) {
    return user_bytes(now, true) + user_bytes(now, false) == 0;
  });
  if (user_bytes(after, true) + user_bytes(after, false) != 0) {
    host.warn(
        "erasure_code: the space of the removed probe file is not free "
        "after 60 s");
  }
  return stripes;
}

}  // namespace cowbench::bcachefs
