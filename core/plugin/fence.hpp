// SPDX-License-Identifier: Apache-2.0
// The core's side of the rule that no exception crosses the border.
#pragma once

#include <exception>
#include <string>
#include <string_view>
#include <type_traits>

#include "base/result.hpp"

namespace cowbench {

// Calls a plugin's callback and answers what it answers. `call` names it for
// the message. A plugin that lets an exception out has broken the ABI: that is
// kInternal. The text is copied while the exception lives, for its type is the
// plugin's.
template <typename Callback, typename... Arguments>
auto fenced(std::string_view call, Callback&& callback, Arguments... arguments)
    -> Result<std::invoke_result_t<Callback, Arguments...>> {
  std::string thrown;
  try {
    if constexpr (std::is_void_v<
                      std::invoke_result_t<Callback, Arguments...>>) {
      callback(arguments...);
      return {};
    } else {
      return callback(arguments...);
    }
  } catch (const std::exception& exception) {
    thrown = exception.what();
  } catch (...) {
    thrown = "an exception of unknown type";
  }
  return Error(Category::kInternal,
               std::string(call) + " threw across the border: " + thrown);
}

}  // namespace cowbench
