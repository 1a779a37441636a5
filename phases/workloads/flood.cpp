// SPDX-License-Identifier: Apache-2.0
#include "flood.hpp"

#include <fcntl.h>

#include <algorithm>
#include <utility>

#include "clock.hpp"

namespace cowbench::workloads {

Flood::Flood(const std::string& path, std::uint64_t file_bytes,
             std::uint64_t seed)
    : file_(OpenFile::open(path, O_WRONLY | O_CREAT | O_EXCL)),
      writes_per_pass_(std::max<std::uint64_t>(
          1, (file_bytes + kWriteBytes - 1) / kWriteBytes)),
      data_(seed) {}

Flood::~Flood() {
  stopping_ = true;
  if (thread_.joinable()) thread_.join();
}

void Flood::start(std::uint64_t end_ns) {
  thread_ = std::thread([this, end_ns] {
    try {
      write_until(end_ns);
    } catch (...) {
      error_ = std::current_exception();
    }
  });
}

void Flood::stop() {
  stopping_ = true;
  if (thread_.joinable()) thread_.join();
  if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
}

void Flood::write_until(std::uint64_t end_ns) {
  for (std::uint64_t i = 0; !stopping_ && monotonic_ns() < end_ns; ++i) {
    file_.write_at(data_.block(i), kWriteBytes,
                   i % writes_per_pass_ * kWriteBytes);
    bytes_written_ += kWriteBytes;
  }
}

}  // namespace cowbench::workloads
