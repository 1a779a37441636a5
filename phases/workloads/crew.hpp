// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace cowbench::workloads {

// Threads that stand ready before a clock starts. The thread that makes a
// crew is its worker 0, so a crew of one makes no thread at all.
// To be used by the thread that made it.
class Crew {
 public:
  // work: called as work(index) once by each of `workers` (at least one)
  // workers, after run() was called; it must be safe to run in parallel.
  // Returns when all other threads wait at the gate.
  // Throws std::system_error when a thread can't be made.
  Crew(unsigned workers, std::function<void(unsigned)> work);

  // Threads still at the gate go home without working.
  ~Crew();

  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  // Opens the gate, does worker 0's part, waits for the others. When parts
  // threw, rethrows the exception of the first worker among them. Once only.
  void run();

 private:
  enum class Gate { kShut, kOpen, kCancelled };

  void stand_by(unsigned index);
  void work(unsigned index) noexcept;
  void set_gate(Gate gate);
  void join();

  std::function<void(unsigned)> work_;
  std::vector<std::exception_ptr> errors_;
  std::mutex mutex_;
  std::condition_variable changed_;
  unsigned ready_ = 0;
  Gate gate_ = Gate::kShut;
  std::vector<std::thread> threads_;
};

}  // namespace cowbench::workloads
