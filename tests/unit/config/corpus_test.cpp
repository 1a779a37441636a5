// SPDX-License-Identifier: Apache-2.0
// The corpus of configuration files: what is good passes the checker and the
// schema, what is bad gives exactly the problems in the file beside it, and
// what the schema refuses the checker refuses.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>

#include "config/profile.hpp"
#include "config/stack.hpp"
#include "schema.hpp"
#include "vocabulary.hpp"

namespace fs = std::filesystem;

namespace {

struct Document {
  std::string name;  // of the file
  std::string text;
  std::string expected;  // of a bad one

  bool is_stack() const { return name.rfind("stack-", 0) == 0; }
};

std::vector<Document> corpus(const std::string& folder) {
  std::vector<Document> documents;
  for (const auto& entry :
       fs::directory_iterator(COWBENCH_FIXTURES "/config/" + folder)) {
    fs::path path = entry.path();
    if (path.extension() != ".json") continue;
    Document document;
    document.name = path.filename().string();
    document.text = cowbench_test::read_file(path.string());
    path.replace_extension(".expected");
    if (folder == "bad") {
      document.expected = cowbench_test::read_file(path.string());
    }
    documents.push_back(std::move(document));
  }
  std::sort(documents.begin(), documents.end(),
            [](const auto& a, const auto& b) { return a.name < b.name; });
  return documents;
}

cowbench::Problems check(const Document& document) {
  static const cowbench::Vocabulary vocabulary = cowbench_test::vocabulary();
  if (document.is_stack()) {
    auto checked =
        cowbench::check_stack(document.text, document.name, vocabulary);
    return checked.index() == 0 ? cowbench::Problems() : std::get<1>(checked);
  }
  auto checked =
      cowbench::check_profile(document.text, document.name, vocabulary, {});
  return checked.index() == 0 ? cowbench::Problems() : std::get<1>(checked);
}

bool schema_accepts(const Document& document) {
  static const cowbench_test::Schema stack("stack");
  static const cowbench_test::Schema profile("profile");
  return (document.is_stack() ? stack : profile).fault(document.text).empty();
}

}  // namespace

TEST_CASE("good files are accepted by checker and schema") {
  const auto documents = corpus("good");
  CHECK(documents.size() >= 5);
  for (const Document& document : documents) {
    INFO(document.name);
    CHECK(cowbench::problems_text(check(document)) == "");
    CHECK(schema_accepts(document));
  }
}

TEST_CASE("bad files give the problems expected and no others") {
  const auto documents = corpus("bad");
  CHECK(documents.size() >= 25);
  for (const Document& document : documents) {
    INFO(document.name);
    const cowbench::Problems problems = check(document);
    CHECK_FALSE(problems.empty());
    CHECK((schema_accepts(document) ? "schema: cannot see it\n"
                                    : "schema: refuses\n") +
              cowbench::problems_text(problems) ==
          document.expected);
  }
}
