// SPDX-License-Identifier: Apache-2.0
#include "plugin/library.hpp"

#include <dlfcn.h>

#include <boost/dll/shared_library.hpp>
#include <cstdint>
#include <exception>
#include <string>
#include <string_view>
#include <vector>  // library_info of Boost 1.74 does not include it itself

namespace cowbench {
namespace {

// Only the throwing load() carries the loader's text, in brackets amid words
// of Boost's own.
std::string loader_text(std::string_view what) {
  constexpr std::string_view kBegin = "(dlerror system message: ";
  const std::size_t begin = what.find(kBegin);
  if (begin == std::string_view::npos) return std::string(what);
  what.remove_prefix(begin + kBegin.size());
  const std::size_t end = what.rfind("): ");
  return std::string(what.substr(0, end));
}

}  // namespace

Result<Library> load_library(const std::filesystem::path& file) {
  using boost::dll::load_mode::type;
  // Tables, and with them pointers into the library, outlive any handle.
  constexpr auto kMode =
      static_cast<type>(boost::dll::load_mode::rtld_now |
                        boost::dll::load_mode::rtld_local | RTLD_NODELETE);
  try {
    boost::dll::shared_library library;
    library.load(file, kMode);
    return Library{&library.get<const cowbench_entry*(
        std::uint32_t, std::uint32_t, const char**)>(COWBENCH_ENTRY_SYMBOL)};
  } catch (const std::exception& exception) {
    return Error(Category::kUnsupported,
                 "cannot be loaded: " + loader_text(exception.what()));
  }
}

}  // namespace cowbench
