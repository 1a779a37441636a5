// SPDX-License-Identifier: Apache-2.0
#include "plugin/elf.hpp"

#include <stdlib.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <random>

using namespace cowbench;

namespace {

// A library that every program here has loaded.
std::filesystem::path some_library() {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    const std::size_t path = line.find('/');
    if (line.find("/libc.so") != std::string::npos) return line.substr(path);
  }
  return {};
}

class TemporaryFile {
 public:
  TemporaryFile() {
    std::string name =
        (std::filesystem::temp_directory_path() / "cowbench-elf-XXXXXX")
            .string();
    REQUIRE(::mkdtemp(name.data()) != nullptr);
    folder_ = name;
  }
  ~TemporaryFile() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  std::filesystem::path path() const { return folder_ / "file"; }
  void write(const std::string& bytes) const {
    std::ofstream(path(), std::ios::binary) << bytes;
  }

 private:
  std::filesystem::path folder_;
};

}  // namespace

TEST_CASE("the names that a real library defines are read") {
  const auto symbols = exported_symbols(some_library());
  REQUIRE(symbols);
  CHECK(std::find(symbols->begin(), symbols->end(), "malloc") !=
        symbols->end());
  CHECK(std::find(symbols->begin(), symbols->end(), "_rtld_global") ==
        symbols->end());
}

TEST_CASE("what is no readable file is an error") {
  CHECK_FALSE(exported_symbols("/nowhere"));
  CHECK_FALSE(exported_symbols("/dev/null"));
  CHECK_FALSE(exported_symbols("/"));
}

TEST_CASE("damaged libraries are survived") {
  std::ifstream in(some_library(), std::ios::binary);
  const std::string whole(std::istreambuf_iterator<char>(in), {});
  REQUIRE(whole.size() > 4096);
  std::uint64_t sections = 0;
  whole.copy(reinterpret_cast<char*>(&sections), sizeof sections, 40);
  const TemporaryFile file;
  std::mt19937_64 random(7);
  for (int round = 0; round < 60; ++round) {
    std::string damaged = whole;
    // The header or the section table: where every offset comes from.
    const std::size_t begin = round % 2 == 0 ? 16 : sections;
    const std::size_t length =
        round % 2 == 0 ? 48 : std::min<std::size_t>(1024, whole.size() - begin);
    for (int i = 0; i < 4; ++i) {
      damaged[begin + random() % length] = static_cast<char>(random());
    }
    file.write(damaged);
    const auto symbols = exported_symbols(file.path());
    CHECK((symbols || !symbols.error().message().empty()));
  }
}
