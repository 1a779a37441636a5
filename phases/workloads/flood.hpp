// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <string>
#include <thread>

#include "posix.hpp"
#include "stream_data.hpp"

namespace cowbench::workloads {

// A streaming writer in a thread of its own: 1 MiB writes one after the
// other over a file of a given size, from its start again when it has come to
// the end, buffered and never flushed, of incompressible data.
// start(), stop() and the destructor belong to one thread; bytes_written()
// may be called from any.
class Flood {
 public:
  static constexpr std::uint64_t kWriteBytes = StreamData::kBlockBytes;

  // Creates `path`, which must not exist, and prepares the data.
  // file_bytes: size of the file, rounded up to whole writes, at least one.
  // Throws std::system_error.
  Flood(const std::string& path, std::uint64_t file_bytes, std::uint64_t seed);

  // Stops the writer; an error it met is lost here, so call stop().
  ~Flood();

  Flood(const Flood&) = delete;
  Flood& operator=(const Flood&) = delete;

  // Begins writing. No write begins at or after `end_ns` of monotonic_ns().
  // Call once. Throws std::system_error when no thread can be had.
  void start(std::uint64_t end_ns = UINT64_MAX);

  // Ends writing and waits for the write in flight. Rethrows the
  // std::system_error that ended the writer before, if one did. A second
  // call does nothing.
  void stop();

  // Bytes accepted by write so far.
  std::uint64_t bytes_written() const { return bytes_written_; }

 private:
  void write_until(std::uint64_t end_ns);

  OpenFile file_;
  std::uint64_t writes_per_pass_;
  StreamData data_;
  std::atomic<bool> stopping_{false};
  std::atomic<std::uint64_t> bytes_written_{0};
  std::exception_ptr error_;
  std::thread thread_;
};

}  // namespace cowbench::workloads
