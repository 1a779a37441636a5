// SPDX-License-Identifier: Apache-2.0
#include "system/kernel_log.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>

#include "system/system_error.hpp"
#include "system/unique_fd.hpp"

namespace cowbench {
namespace {

constexpr int kWarningLevel = 4;

// Calls visit for every record the kernel still has.
template <typename Visit>
Status visit_records(const Visit& visit) {
  UniqueFd fd(open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  if (!fd.valid()) {
    return Error(Category::kNotAvailable,
                 "read the kernel log: /dev/kmsg: " + errno_text(errno) +
                     "; run as root");
  }
  // The kernel gives one record a call and none is longer.
  char record[8192];
  for (;;) {
    const ssize_t count = read(fd.get(), record, sizeof record);
    if (count > 0) {
      const auto parsed = parse_kernel_record(
          std::string_view(record, static_cast<std::size_t>(count)));
      if (parsed) visit(*parsed);
    } else if (count == 0 || errno == EAGAIN) {
      return {};
    } else if (errno == EPERM || errno == EACCES) {
      return Error(Category::kNotAvailable,
                   "read the kernel log: not permitted; run as root");
    } else if (errno != EPIPE && errno != EINTR) {
      // EPIPE: the record was overwritten; the next call goes on behind it.
      return system_error("read", "/dev/kmsg", errno);
    }
  }
}

template <typename Number>
bool take_number(std::string_view& text, Number& number) {
  const auto parsed =
      std::from_chars(text.data(), text.data() + text.size(), number);
  if (parsed.ec != std::errc()) return false;
  text.remove_prefix(static_cast<std::size_t>(parsed.ptr - text.data()));
  if (!text.empty() && text.front() == ',') text.remove_prefix(1);
  return true;
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

// Unprintable bytes come as \x1b.
std::string unescape(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 3 < text.size() && text[i + 1] == 'x' &&
        hex_digit(text[i + 2]) >= 0 && hex_digit(text[i + 3]) >= 0) {
      plain += static_cast<char>(hex_digit(text[i + 2]) * 16 +
                                 hex_digit(text[i + 3]));
      i += 3;
    } else {
      plain += text[i];
    }
  }
  return plain;
}

}  // namespace

std::optional<KernelRecord> parse_kernel_record(std::string_view text) {
  // priority,sequence,microseconds,flags[,...];text
  KernelRecord record;
  int priority = 0;
  std::string_view head = text.substr(0, text.find(';'));
  if (head.size() == text.size()) return std::nullopt;
  std::string_view body = text.substr(head.size() + 1);
  if (!take_number(head, priority) || !take_number(head, record.sequence) ||
      !take_number(head, record.time_us)) {
    return std::nullopt;
  }
  record.facility = priority >> 3;
  record.level = priority & 7;
  record.text = unescape(body.substr(0, body.find('\n')));
  return record;
}

Result<std::uint64_t> kernel_log_position() {
  std::uint64_t next = 0;
  auto visited = visit_records(
      [&next](const KernelRecord& record) { next = record.sequence + 1; });
  if (!visited) return visited.error();
  return next;
}

Result<std::vector<KernelRecord>> kernel_warnings_since(
    std::uint64_t position) {
  std::vector<KernelRecord> warnings;
  auto visited = visit_records([&](const KernelRecord& record) {
    if (record.sequence >= position && record.facility == 0 &&
        record.level <= kWarningLevel) {
      warnings.push_back(record);
    }
  });
  if (!visited) return visited.error();
  return warnings;
}

}  // namespace cowbench
