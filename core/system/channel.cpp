// SPDX-License-Identifier: Apache-2.0
#include "system/channel.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>

#include "system/clock.hpp"
#include "system/system_error.hpp"
#include "system/wait_readable.hpp"

namespace cowbench {
namespace {

constexpr std::size_t kMaxLineBytes = 64U << 20;

bool is_gone(int error) {
  return error == EPIPE || error == ECONNRESET || error == EBADF;
}

// write, but without SIGPIPE on a socket.
ssize_t send_some(int fd, std::string_view bytes) {
  const ssize_t count = send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
  if (count >= 0 || errno != ENOTSOCK) return count;
  return write(fd, bytes.data(), bytes.size());
}

}  // namespace

Channel::Channel(Channel&& other) noexcept
    : fd_(std::move(other.fd_)),
      buffer_(std::move(other.buffer_)),
      searched_(other.searched_),
      closed_(other.closed_) {}

Result<std::pair<Channel, Channel>> Channel::create_pair() {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    return system_error("make a socket pair", "", errno);
  }
  return std::pair<Channel, Channel>(Channel(UniqueFd(ends[0])),
                                     Channel(UniqueFd(ends[1])));
}

Status Channel::send_line(std::string_view line) {
  std::string whole(line);
  whole += '\n';
  std::string_view rest(whole);
  const std::lock_guard<std::mutex> lock(send_mutex_);
  while (!rest.empty()) {
    const ssize_t count = send_some(fd_.get(), rest);
    if (count >= 0) {
      rest.remove_prefix(static_cast<std::size_t>(count));
    } else if (is_gone(errno)) {
      return Error(Category::kCancelled,
                   "send a line: the other side of the channel is gone");
    } else if (errno != EINTR) {
      return system_error("send a line", "", errno);
    }
  }
  return {};
}

void Channel::end_receiving() { shutdown(fd_.get(), SHUT_RD); }

bool Channel::has_line() const {
  return closed_ || buffer_.find('\n') != std::string::npos;
}

void Channel::wait_either(const Channel& a, const Channel& b,
                          std::uint64_t timeout_ns) {
  if (a.has_line() || b.has_line()) return;
  pollfd both[2] = {{a.fd(), POLLIN, 0}, {b.fd(), POLLIN, 0}};
  // An early end (a signal) is as good as a timeout: the caller looks again.
  const auto wait_ms =
      std::min<std::uint64_t>(timeout_ns / kNsPerMs, INT_MAX - 1);
  poll(both, 2, static_cast<int>(wait_ms) + 1);
}

Result<Received> Channel::receive_line(std::uint64_t timeout_ns) {
  const std::uint64_t begin = now_ns();
  for (;;) {
    const auto newline = buffer_.find('\n', searched_);
    if (newline != std::string::npos) {
      Received received{Received::Kind::kLine, buffer_.substr(0, newline)};
      buffer_.erase(0, newline + 1);
      searched_ = 0;
      return received;
    }
    searched_ = buffer_.size();
    if (closed_) return Received{Received::Kind::kClosed, {}};
    if (buffer_.size() > kMaxLineBytes) {
      return Error(Category::kToolFailed,
                   "receive a line: over 64 MiB without a newline");
    }
    const std::uint64_t passed = now_ns() - begin;
    const int ready =
        wait_readable(fd_.get(), passed < timeout_ns ? timeout_ns - passed : 0);
    if (ready == 0) return Received{Received::Kind::kTimeout, {}};
    char piece[65536];
    const ssize_t count = ready < 0 ? -1 : read(fd_.get(), piece, sizeof piece);
    if (count > 0) {
      buffer_.append(piece, static_cast<std::size_t>(count));
    } else if (count == 0 || is_gone(errno)) {
      closed_ = true;
    } else if (errno != EINTR && errno != EAGAIN) {
      return system_error("receive a line", "", errno);
    }
  }
}

}  // namespace cowbench
