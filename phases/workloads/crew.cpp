// SPDX-License-Identifier: Apache-2.0
#include "crew.hpp"

#include <utility>

namespace cowbench::workloads {

Crew::Crew(unsigned workers, std::function<void(unsigned)> work)
    : work_(std::move(work)), errors_(workers) {
  try {
    for (unsigned i = 1; i < workers; ++i)
      threads_.emplace_back([this, i] { stand_by(i); });
  } catch (...) {
    set_gate(Gate::kCancelled);
    join();
    throw;
  }
  std::unique_lock<std::mutex> lock(mutex_);
  changed_.wait(lock, [this] { return ready_ == threads_.size(); });
}

Crew::~Crew() {
  if (threads_.empty()) return;
  set_gate(Gate::kCancelled);
  join();
}

void Crew::run() {
  set_gate(Gate::kOpen);
  work(0);
  join();
  for (const auto& error : errors_)
    if (error) std::rethrow_exception(error);
}

void Crew::stand_by(unsigned index) {
  std::unique_lock<std::mutex> lock(mutex_);
  ++ready_;
  changed_.notify_all();
  changed_.wait(lock, [this] { return gate_ != Gate::kShut; });
  if (gate_ == Gate::kCancelled) return;
  lock.unlock();
  work(index);
}

void Crew::work(unsigned index) noexcept {
  try {
    work_(index);
  } catch (...) {
    errors_[index] = std::current_exception();
  }
}

void Crew::set_gate(Gate gate) {
  const std::lock_guard<std::mutex> lock(mutex_);
  gate_ = gate;
  changed_.notify_all();
}

void Crew::join() {
  for (auto& thread : threads_) thread.join();
  threads_.clear();
}

}  // namespace cowbench::workloads
