// SPDX-License-Identifier: Apache-2.0
// Drives a fuzz target without a fuzzer: seeded mutations of a corpus of JSON
// files, so that ctest runs the same bounded set everywhere.
//
//   fuzz-NAME CORPUS_FOLDER [ITERATIONS [SEED]]
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size);

namespace {

using Tokens = std::vector<std::string>;

const Tokens kWords = {"{",
                       "}",
                       "[",
                       "]",
                       ",",
                       ":",
                       "\"\"",
                       "null",
                       "true",
                       "false",
                       "0",
                       "-1",
                       "1e400",
                       "18446744073709551615",
                       "0.5",
                       "1.",
                       "\"x\"",
                       "\"1 MB/s\"",
                       "\"0\"",
                       "\"\\u0000\"",
                       "\"\\ud800\"",
                       "\"\xff\"",
                       "\n",
                       "\"why\"",
                       "\"value\"",
                       "\"spare\"",
                       "\"on\"",
                       "\"as\"",
                       "\"use\"",
                       "\"5.5.5s\"",
                       "\"99999999PiB\"",
                       "{}",
                       "[]"};

// Texts, runs of other visible characters, single separators.
Tokens tokenise(const std::string& text) {
  Tokens tokens;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i + 1;
    if (text[i] == '"') {
      while (end < text.size() && text[end] != '"') ++end;
      end = std::min(end + 1, text.size());
    } else if (std::string("{}[],: \n").find(text[i]) == std::string::npos) {
      end = std::min(text.find_first_of("{}[],: \n\"", i), text.size());
    }
    tokens.push_back(text.substr(i, end - i));
    i = end;
  }
  return tokens;
}

class Mutator {
 public:
  Mutator(const std::vector<std::string>& corpus, std::uint64_t seed)
      : random_(seed) {
    for (const std::string& text : corpus) corpus_.push_back(tokenise(text));
  }

  std::string next() {
    Tokens tokens = corpus_[below(corpus_.size())];
    for (std::size_t i = below(4) + 1; i > 0; --i) mutate(tokens);
    std::string text;
    for (const std::string& token : tokens) text += token;
    if (below(4) == 0 && !text.empty()) {
      text[below(text.size())] = static_cast<char>(below(256));
    }
    if (below(16) == 0) text.resize(below(text.size() + 1));
    return text;
  }

 private:
  std::size_t below(std::size_t limit) {
    return static_cast<std::size_t>(random_() % limit);
  }

  void mutate(Tokens& tokens) {
    if (tokens.empty()) return;
    const std::size_t at = below(tokens.size());
    const auto place = tokens.begin() + static_cast<std::ptrdiff_t>(at);
    const Tokens& other = corpus_[below(corpus_.size())];
    switch (below(6)) {
      case 0:
        tokens.erase(place);
        break;
      case 1:
        *place = kWords[below(kWords.size())];
        break;
      case 2:
        tokens.insert(place, kWords[below(kWords.size())]);
        break;
      case 3:
        *place = other[below(other.size())];
        break;
      case 4:
        std::swap(*place, tokens[below(tokens.size())]);
        break;
      default: {
        const std::size_t count = std::min(below(20), tokens.size() - at);
        const Tokens copy(place, place + static_cast<std::ptrdiff_t>(count));
        tokens.insert(place, copy.begin(), copy.end());
      }
    }
  }

  std::mt19937_64 random_;
  std::vector<Tokens> corpus_;
};

std::vector<std::string> read_corpus(const char* folder) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> texts;
  for (const auto& path : paths) {
    std::ifstream file(path, std::ios::binary);
    texts.emplace_back(std::istreambuf_iterator<char>(file),
                       std::istreambuf_iterator<char>());
  }
  return texts;
}

void run(const std::string& text) {
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(text.data()),
                         text.size());
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> corpus =
      argc > 1 ? read_corpus(argv[1]) : std::vector<std::string>();
  if (corpus.empty()) {
    std::fprintf(stderr, "usage: %s CORPUS_FOLDER [ITERATIONS [SEED]]\n",
                 argv[0]);
    return 2;
  }
  const long iterations = argc > 2 ? std::atol(argv[2]) : 10000;
  const std::uint64_t seed = argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 1;
  for (const std::string& text : corpus) run(text);
  Mutator mutator(corpus, seed);
  for (long i = 0; i < iterations; ++i) run(mutator.next());
  std::printf("%ld mutations of %zu files, seed %llu: all properties hold\n",
              iterations, corpus.size(), static_cast<unsigned long long>(seed));
  return 0;
}
