// SPDX-License-Identifier: Apache-2.0
#include "flood.hpp"

#include <fcntl.h>

#include <algorithm>
#include <utility>

#include "random.hpp"

namespace cowbench::workloads {

namespace {

// Each write is a slice of this pool. Slices begin at multiples of 64 bytes,
// so that copying them costs the kernel no more than usual, in steps that
// visit all of them and leave few blocks alike.
constexpr std::uint64_t kPoolBytes = std::uint64_t{8} << 20;
constexpr std::uint64_t kSlices = kPoolBytes / 64;
constexpr std::uint64_t kStep = 75'431;  // odd, so coprime with kSlices

}  // namespace

Flood::Flood(const std::string& path, std::uint64_t file_bytes,
             std::uint64_t seed)
    : file_(OpenFile::open(path, O_WRONLY | O_CREAT | O_EXCL)),
      writes_per_pass_(std::max<std::uint64_t>(
          1, (file_bytes + kWriteBytes - 1) / kWriteBytes)),
      data_(kPoolBytes + kWriteBytes) {
  Random(seed).fill(data_.data(), data_.size());
}

Flood::~Flood() {
  stopping_ = true;
  if (thread_.joinable()) thread_.join();
}

void Flood::start() {
  thread_ = std::thread([this] {
    try {
      write_on();
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

void Flood::write_on() {
  for (std::uint64_t i = 0; !stopping_; ++i) {
    const std::uint64_t slice = i * kStep % kSlices;
    file_.write_at(data_.data() + slice * 64, kWriteBytes,
                   i % writes_per_pass_ * kWriteBytes);
    bytes_written_ += kWriteBytes;
  }
}

}  // namespace cowbench::workloads
