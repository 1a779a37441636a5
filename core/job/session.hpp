// SPDX-License-Identifier: Apache-2.0
// A step's end of the channel to its worker: events out, replies and the wish
// to stop in.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "base/json.hpp"
#include "base/result.hpp"
#include "system/channel.hpp"

namespace cowbench {

// Opens an event of this type; the caller adds fields and closes the object.
// at_ns counts from the start of the job.
JsonWriter begin_event(const char* type, std::uint64_t job_started_ns);

// One per step process. send(), log() and should_stop() from any thread, the
// rest from the thread that drives the step.
class Session {
 public:
  // Takes over the channel and starts the thread that listens to it.
  Session(Channel channel, std::uint64_t job_started_ns);
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session();

  // An event of this type, with fields added by `fill`. While a section is
  // open it is kept back until the section closes.
  void send(const char* type, const std::function<void(JsonWriter&)>& fill);
  // level: "debug", "info", "warning", "error".
  void log(const char* level, const std::string& text);
  // Thinned to a few a second; dropped inside a section.
  void progress(double fraction, const std::string& text);

  // Asks the worker's side for something and waits for the answer. The error
  // is what the other side reported, or kTimeout.
  Result<JsonDocument> request(const std::string& what,
                               std::uint64_t timeout_ns);

  // The user, the watchdog, or the death of the worker wants an end.
  bool should_stop() const;

  void open_section();
  void close_section();
  bool in_section() const { return in_section_; }

  // Names what is going on in events: a phase or a step.
  void set_place(const char* kind, const std::string& name);
  const std::string& place() const { return place_; }

 private:
  void listen();
  void deliver(const std::string& line);

  Channel channel_;
  const std::uint64_t job_started_ns_;
  std::string place_kind_ = "step";
  std::string place_;
  std::atomic<bool> stop_{false};
  std::atomic<bool> closing_{false};
  std::atomic<bool> in_section_{false};
  std::atomic<std::uint64_t> last_progress_ns_{0};

  std::mutex mutex_;  // guards what follows
  std::vector<std::string> kept_;
  std::condition_variable answered_;
  std::map<std::uint64_t, std::string> replies_;
  std::uint64_t last_request_ = 0;

  std::thread listener_;
};

}  // namespace cowbench
