// SPDX-License-Identifier: Apache-2.0
// Lines between two processes, both ways.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.hpp"
#include "system/unique_fd.hpp"

namespace cowbench {

struct Received {
  enum class Kind {
    kLine,
    kTimeout,  // nothing came in time
    kClosed,   // the other side is gone; no line will come any more
  };
  Kind kind = Kind::kTimeout;
  std::string line;  // without its newline; only for kLine

  bool is_line() const { return kind == Kind::kLine; }
  bool closed() const { return kind == Kind::kClosed; }
};

// One end. Any thread may send; one thread at a time may receive.
class Channel {
 public:
  // Takes over a descriptor: a socket, or a character device from a guest.
  explicit Channel(UniqueFd fd) : fd_(std::move(fd)) {}
  Channel(Channel&& other) noexcept;
  Channel& operator=(Channel&&) = delete;

  // Two connected ends; neither is inherited by programs unless named in
  // Command::kept_descriptors.
  static Result<std::pair<Channel, Channel>> create_pair();

  // Sends one line (without newline inside), whole, waiting while the other
  // side is slow. kCancelled when the other side is gone.
  Status send_line(std::string_view line);

  // The next line, waiting at most that long (0: only what is there). A
  // signal does not end the wait early. Bytes after the last newline of a
  // closed channel are dropped. kToolFailed on a line over 64 MiB.
  Result<Received> receive_line(std::uint64_t timeout_ns);

  // Waits until one of two channels has something to receive (or is closed),
  // at most that long. By the thread that receives from both.
  static void wait_either(const Channel& a, const Channel& b,
                          std::uint64_t timeout_ns);

  // Makes a receive_line() that waits in another thread, and every later one,
  // answer kClosed. Sending goes on.
  void end_receiving();

  int fd() const { return fd_.get(); }
  // Closes this end; the other one sees kClosed.
  void close() { fd_.reset(); }

 private:
  bool has_line() const;

  UniqueFd fd_;
  std::mutex send_mutex_;
  std::string buffer_;
  std::size_t searched_ = 0;
  bool closed_ = false;
};

}  // namespace cowbench
