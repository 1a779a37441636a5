// SPDX-License-Identifier: Apache-2.0
#include "job/session.hpp"

#include <chrono>

#include "system/clock.hpp"
#include "system/signals.hpp"

namespace cowbench {

namespace {

constexpr std::uint64_t kListenNs = 100 * kNsPerMs;
constexpr std::uint64_t kProgressEveryNs = 250 * kNsPerMs;

}  // namespace

JsonWriter begin_event(const char* type, std::uint64_t job_started_ns) {
  JsonWriter json;
  json.begin_object()
      .field("type", type)
      .field("at_ns", now_ns() - job_started_ns);
  return json;
}

Session::Session(Channel channel, std::uint64_t job_started_ns)
    : channel_(std::move(channel)), job_started_ns_(job_started_ns) {
  listener_ = std::thread([this] { listen(); });
}

Session::~Session() {
  closing_ = true;
  channel_.end_receiving();
  listener_.join();
}

void Session::listen() {
  while (!closing_) {
    auto received = channel_.receive_line(kListenNs);
    if (!received || received->closed()) {
      // Nobody is left to report to; whatever runs is pointless now.
      stop_ = true;
      answered_.notify_all();
      return;
    }
    if (!received->is_line()) continue;
    auto json = parse_json(received->line);
    if (!json) continue;
    const std::string type = string_at(*json, "type");
    if (type == "cancel") stop_ = true;
    if (type == "reply") {
      const std::lock_guard lock(mutex_);
      replies_[uint_at(*json, "id")] = received->line;
      answered_.notify_all();
    }
  }
}

void Session::deliver(const std::string& line) {
  {
    // Asked under the lock, or a line of another thread could be kept after
    // the section has closed.
    const std::lock_guard lock(mutex_);
    if (in_section_) {
      kept_.push_back(line);
      return;
    }
  }
  // A worker that is gone is noticed by the listener.
  (void)channel_.send_line(line);
}

void Session::send(const char* type,
                   const std::function<void(JsonWriter&)>& fill) {
  JsonWriter json = begin_event(type, job_started_ns_);
  if (!place_.empty()) json.field(place_kind_, place_);
  fill(json);
  deliver(json.end_object().text());
}

void Session::log(const char* level, const std::string& text) {
  send("log", [&](JsonWriter& json) {
    json.field("level", level).field("text", text);
  });
}

void Session::progress(double fraction, const std::string& text) {
  if (in_section_) return;
  const std::uint64_t now = now_ns();
  if (now - last_progress_ns_ < kProgressEveryNs) return;
  last_progress_ns_ = now;
  send("progress", [&](JsonWriter& json) {
    json.field("fraction", fraction).field("text", text);
  });
}

Result<JsonDocument> Session::request(const std::string& what,
                                      std::uint64_t timeout_ns) {
  const std::uint64_t id = ++last_request_;
  send("request",
       [&](JsonWriter& json) { json.field("id", id).field("what", what); });
  std::unique_lock lock(mutex_);
  const bool answered =
      answered_.wait_for(lock, std::chrono::nanoseconds(timeout_ns),
                         [&] { return replies_.contains(id) || stop_; });
  const auto reply = replies_.find(id);
  if (reply == replies_.end()) {
    return answered ? Error(Category::kCancelled, what + ": stopped")
                    : Error(Category::kTimeout, what + ": no answer");
  }
  const std::string line = reply->second;
  replies_.erase(reply);
  lock.unlock();
  auto json = parse_json(line);
  if (!json) return json.error();
  if (const std::string error = string_at(*json, "error"); !error.empty()) {
    return Error(Category::kToolFailed, what + ": " + error);
  }
  return json;
}

bool Session::should_stop() const { return stop_ || pending_signal() != 0; }

void Session::open_section() { in_section_ = true; }

void Session::close_section() {
  std::vector<std::string> lines;
  {
    const std::lock_guard lock(mutex_);
    in_section_ = false;
    lines.swap(kept_);
  }
  for (const std::string& line : lines) (void)channel_.send_line(line);
}

void Session::set_place(const char* kind, const std::string& name) {
  place_kind_ = kind;
  place_ = name;
}

}  // namespace cowbench
