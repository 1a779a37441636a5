// SPDX-License-Identifier: Apache-2.0
// How the core reports failure: a value or an Error, never an exception.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace cowbench {

// Decides the exit code and whether a caller may skip instead of fail.
enum class Category {
  kUsage,         // the user asked for something impossible: exit 2
  kEnvironment,   // this machine lacks something: exit 3
  kNotAvailable,  // a tool, module or permission is missing here
  kUnsupported,   // this stack or plugin does not do that
  kToolFailed,    // a command or system call refused
  kTimeout,
  kCancelled,
  kNoSpace,
  kDeviceLost,
  kInternal,
};

// A message says what was tried, on what, what happened, what to do.
class Error {
 public:
  Error(Category category, std::string message)
      : category_(category), message_(std::move(message)) {}

  Category category() const { return category_; }
  const std::string& message() const { return message_; }

  // Puts the outer action in front: "attach a loop device: /x: No space".
  Error within(std::string_view action) const {
    return Error(category_, std::string(action) + ": " + message_);
  }

 private:
  Category category_;
  std::string message_;
};

// Holds a T or an Error. Reading the wrong side is a programming error and
// throws std::bad_variant_access, which no caller catches on purpose.
template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : data_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : data_(std::in_place_index<1>, std::move(error)) {}

  bool ok() const { return data_.index() == 0; }
  explicit operator bool() const { return ok(); }

  T& value() & { return std::get<0>(data_); }
  const T& value() const& { return std::get<0>(data_); }
  T&& value() && { return std::get<0>(std::move(data_)); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  const Error& error() const { return std::get<1>(data_); }

 private:
  std::variant<T, Error> data_;
};

template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : data_(std::in_place_index<1>, std::move(error)) {}

  bool ok() const { return data_.index() == 0; }
  explicit operator bool() const { return ok(); }
  const Error& error() const { return std::get<1>(data_); }

 private:
  std::variant<std::monostate, Error> data_;
};

using Status = Result<void>;

}  // namespace cowbench
