// SPDX-License-Identifier: Apache-2.0
#include "base/json.hpp"
#include "base/text.hpp"
#include "cli/commands.hpp"
#include "cli/common.hpp"
#include "config/profile.hpp"
#include "config/stack.hpp"
#include "config/suite.hpp"
#include "report/table.hpp"

namespace cowbench {

namespace {

// A row of the listing, whatever is listed.
struct Item {
  std::string name;
  std::string kind;  // class of a stack; empty for others
  std::string summary;
};

std::vector<Item> stacks(const ConfigLibrary& library,
                         const Vocabulary& vocabulary) {
  std::vector<Item> items;
  for (const ConfigFile& file : library.list(ConfigKind::kStack)) {
    auto stack = check_stack(file.text, file.path.string(), vocabulary);
    if (const auto* good = std::get_if<Stack>(&stack)) {
      items.push_back({good->name, good->stack_class, good->summary});
    } else {
      items.push_back({file.name, "",
                       "NOT USABLE: " + std::get<Problems>(stack)[0].text()});
    }
  }
  return items;
}

std::vector<Item> profiles(const ConfigLibrary& library,
                           const Vocabulary& vocabulary) {
  std::vector<Item> items;
  for (const ConfigFile& file : library.list(ConfigKind::kProfile)) {
    auto profile = check_profile(file.text, file.path.string(), vocabulary, {});
    if (const auto* good = std::get_if<Profile>(&profile)) {
      items.push_back({good->name, "", good->summary});
    } else {
      items.push_back({file.name, "",
                       "NOT USABLE: " + std::get<Problems>(profile)[0].text()});
    }
  }
  return items;
}

std::vector<Item> suites(const ConfigLibrary& library) {
  std::vector<Item> items;
  for (const ConfigFile& file : library.list(ConfigKind::kSuite)) {
    auto suite = check_suite(file.text, file.path.string());
    if (const auto* good = std::get_if<Suite>(&suite)) {
      items.push_back({good->name, "",
                       good->summary + " (" +
                           std::to_string(good->stacks.size()) + " stacks)"});
    } else {
      items.push_back({file.name, "",
                       "NOT USABLE: " + std::get<Problems>(suite)[0].text()});
    }
  }
  return items;
}

std::vector<Item> plugins(const Catalog& catalog, Plugin::Kind kind) {
  std::vector<Item> items;
  for (const Plugin& plugin : catalog.plugins()) {
    if (plugin.kind == kind) items.push_back({plugin.name, "", plugin.summary});
  }
  return items;
}

std::string json_of(const std::string& what, const std::vector<Item>& items) {
  JsonWriter json;
  json.begin_object().key(what).begin_array();
  for (const Item& item : items) {
    json.begin_object().field("name", item.name).field("summary", item.summary);
    if (!item.kind.empty()) json.field("class", item.kind);
    json.end_object();
  }
  return json.end_array().end_object().text() + "\n";
}

std::string text_of(const std::vector<Item>& items) {
  Table table;
  table.columns = {{"name"}, {"class"}, {"what it is"}};
  const bool classes = !items.empty() && !items.front().kind.empty();
  if (!classes) table.columns.erase(table.columns.begin() + 1);
  for (const Item& item : items) {
    TableRow row;
    row.cells = {item.name, item.kind, item.summary};
    if (!classes) row.cells.erase(row.cells.begin() + 1);
    table.rows.push_back(std::move(row));
  }
  return table_text(table);
}

int list(const CommandLine& line) {
  const std::vector<std::string> kinds = {"stacks", "suites", "profiles",
                                          "phases", "backends"};
  const auto given = line.texts("what");
  const std::string what = given.empty() ? "stacks" : given.front();
  const Catalog catalog = load_catalog(plugin_search_of(line));
  const ConfigLibrary library = config_library_of(line);
  std::vector<Item> items;
  if (what == "stacks") {
    items = stacks(library, catalog.vocabulary());
  } else if (what == "suites") {
    items = suites(library);
  } else if (what == "profiles") {
    items = profiles(library, catalog.vocabulary());
  } else if (what == "phases") {
    items = plugins(catalog, Plugin::Kind::kPhase);
  } else if (what == "backends") {
    items = plugins(catalog, Plugin::Kind::kLayer);
  } else {
    return fail(
        {"list " + what + ": there is no such list" +
         did_you_mean(what, kinds) + "; give one of " + join(kinds, ", ")},
        kExitUsage);
  }
  print(line.has("json") ? json_of(what, items) : text_of(items));
  return kExitOk;
}

}  // namespace

CliCommand make_list_command() {
  CliCommand command;
  command.name = "list";
  command.summary = "list stacks, suites, profiles, phases or backends";
  command.arguments = "[stacks|suites|profiles|phases|backends]";
  command.description = "Lists what can be named in `run`. Needs no root.";
  command.options.add_options()("json", "as JSON");
  add_search_options(command.options);
  command.positional = "what";
  command.maximum_positional = 1;
  command.run = list;
  return command;
}

}  // namespace cowbench
