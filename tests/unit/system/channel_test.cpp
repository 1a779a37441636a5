// SPDX-License-Identifier: Apache-2.0
#include "system/channel.hpp"

#include <unistd.h>

#include <catch2/catch.hpp>
#include <string>
#include <thread>

#include "system/clock.hpp"
#include "system/process.hpp"

using namespace cowbench;

namespace {

std::pair<Channel, Channel> pair_of_channels() {
  auto made = Channel::create_pair();
  if (!made) FAIL(made.error().message());
  return std::move(*made);
}

}  // namespace

TEST_CASE("lines go both ways and whole") {
  auto [a, b] = pair_of_channels();
  CHECK(a.send_line("one"));
  CHECK(a.send_line(""));
  CHECK(b.send_line("reply"));
  CHECK(b.receive_line(kNsPerSecond)->line == "one");
  const auto empty = b.receive_line(kNsPerSecond);
  CHECK(empty->is_line());
  CHECK(empty->line.empty());
  CHECK(a.receive_line(kNsPerSecond)->line == "reply");
}

TEST_CASE("waiting for a line ends in time") {
  auto [a, b] = pair_of_channels();
  const auto begin = now_ns();
  const auto received = b.receive_line(30 * kNsPerMs);
  REQUIRE(received.ok());
  CHECK(received->kind == Received::Kind::kTimeout);
  CHECK(now_ns() - begin >= 30 * kNsPerMs);
  CHECK(b.receive_line(0)->kind == Received::Kind::kTimeout);
  REQUIRE(write(a.fd(), "half", 4) == 4);
  CHECK(b.receive_line(0)->kind == Received::Kind::kTimeout);
  REQUIRE(write(a.fd(), " line\n", 6) == 6);
  CHECK(b.receive_line(0)->line == "half line");
}

TEST_CASE("a closed channel gives its last lines and then says so") {
  auto [a, b] = pair_of_channels();
  CHECK(a.send_line("last"));
  REQUIRE(write(a.fd(), "torn", 4) == 4);
  a.close();
  CHECK(b.receive_line(kNsPerSecond)->line == "last");
  CHECK(b.receive_line(kNsPerSecond)->closed());
  CHECK(b.receive_line(kNsPerSecond)->closed());
  const auto sent = b.send_line("anybody?");
  REQUIRE_FALSE(sent.ok());
  CHECK(sent.error().category() == Category::kCancelled);
}

TEST_CASE("two channels can be waited for together") {
  auto [a, b] = pair_of_channels();
  auto [c, d] = pair_of_channels();
  auto begin = now_ns();
  Channel::wait_either(b, d, 20 * kNsPerMs);
  CHECK(now_ns() - begin >= 20 * kNsPerMs);
  CHECK(c.send_line("one\ntwo"));
  begin = now_ns();
  Channel::wait_either(b, d, UINT64_MAX);
  CHECK(d.receive_line(0)->line == "one");
  // The second line has left the socket already.
  Channel::wait_either(b, d, UINT64_MAX);
  CHECK(d.receive_line(0)->line == "two");
  a.close();
  Channel::wait_either(b, d, UINT64_MAX);
  CHECK(b.receive_line(0)->closed());
  Channel::wait_either(b, d, UINT64_MAX);
  CHECK(now_ns() - begin < 10 * kNsPerSecond);
}

TEST_CASE("lines larger than the socket's buffer and from many threads") {
  auto [a, b] = pair_of_channels();
  constexpr int kThreads = 4;
  constexpr int kLines = 50;
  const std::size_t bytes = 100'000;
  std::vector<std::thread> senders;
  for (int i = 0; i < kThreads; ++i) {
    senders.emplace_back([&a = a, i, bytes] {
      const std::string line(bytes, static_cast<char>('a' + i));
      for (int n = 0; n < kLines; ++n) {
        if (!a.send_line(line)) return;
      }
    });
  }
  int whole = 0;
  for (int n = 0; n < kThreads * kLines; ++n) {
    const auto received = b.receive_line(10 * kNsPerSecond);
    if (!received || !received->is_line()) break;
    const auto& line = received->line;
    if (line == std::string(bytes, line[0])) ++whole;
  }
  for (auto& sender : senders) sender.join();
  CHECK(whole == kThreads * kLines);
}

TEST_CASE("a channel reaches a program and its end is seen") {
  auto [a, b] = pair_of_channels();
  Command command;
  const auto number = std::to_string(b.fd());
  command.argv = {"sh", "-c",
                  "read line <&" + number + "; echo \"got $line\" >&" + number};
  command.kept_descriptors = {b.fd()};
  auto process = Process::start(command);
  REQUIRE(process.ok());
  b.close();
  CHECK(a.send_line("hello"));
  CHECK(a.receive_line(5 * kNsPerSecond)->line == "got hello");
  CHECK(a.receive_line(5 * kNsPerSecond)->closed());
}
