// SPDX-License-Identifier: Apache-2.0
#include "vm/recipe.hpp"

#include <algorithm>

#include "base/json.hpp"
#include "base/text.hpp"
#include "base/units.hpp"
#include "config/checker.hpp"

namespace cowbench {

namespace {

using Kind = JsonNode::Kind;
using Texts = std::vector<std::string>;

// Members of `over` replace those of `under`; objects are merged in turn.
void merge(JsonNode& under, const JsonNode& over) {
  for (const JsonNode& member : over.children) {
    auto same = std::find_if(
        under.children.begin(), under.children.end(),
        [&](const JsonNode& other) { return other.key == member.key; });
    if (same == under.children.end()) {
      under.children.push_back(member);
    } else if (same->kind == Kind::kObject && member.kind == Kind::kObject) {
      merge(*same, member);
    } else {
      *same = member;
    }
  }
}

void write(JsonWriter& json, const JsonNode& node) {
  switch (node.kind) {
    case Kind::kNull:
      json.null();
      return;
    case Kind::kBoolean:
      json.value(node.truth);
      return;
    case Kind::kInteger:
      json.value(node.integer);
      return;
    case Kind::kNumber:
      json.value(node.number);
      return;
    case Kind::kText:
      json.value(node.text);
      return;
    case Kind::kArray:
      json.begin_array();
      for (const JsonNode& child : node.children) write(json, child);
      json.end_array();
      return;
    case Kind::kObject:
      json.begin_object();
      for (const JsonNode& child : node.children) {
        json.key(child.key);
        write(json, child);
      }
      json.end_object();
      return;
  }
}

// What stands between a recipe and a command line: no option can be slipped in
// and nothing that a shell or apt would take apart.
bool is_plain(std::string_view text) {
  return !text.empty() && text.front() != '-' &&
         std::all_of(text.begin(), text.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                  (c >= '0' && c <= '9') ||
                  std::string_view("+-._~:/*[]{}=").find(c) !=
                      std::string_view::npos;
         });
}

class RecipeReader {
 public:
  explicit RecipeReader(Checker& checker) : checker_(checker) {}

  Recipe read(const JsonNode& root, const std::string& path);

 private:
  Texts texts(const JsonNode& object, const char* key, Presence presence);
  std::string plain(const JsonNode& object, const char* key, Presence presence);
  // An empty object stands for one that is absent or wrong.
  const JsonNode& object(const JsonNode& parent, const char* key,
                         const KnownKeys& known);
  void read_root(const JsonNode& root, Recipe& recipe);
  void read_image(const JsonNode& root, ImageTool& image);
  void read_kernel(const JsonNode& root, KernelPart& kernel);
  ModulePart read_module(const JsonNode& node);

  Checker& checker_;
  const JsonNode nothing_;
};

Texts RecipeReader::texts(const JsonNode& object, const char* key,
                          Presence presence) {
  Texts found;
  const JsonNode* list = checker_.member(object, key, presence, Kind::kArray);
  if (list == nullptr) return found;
  for (const JsonNode& node : list->children) {
    if (!checker_.expect_line(node)) continue;
    if (node.text.front() == '-' && std::string_view(key) != "arguments" &&
        std::string_view(key) != "owned_by_root") {
      checker_.report(node,
                      "must not begin with a dash: " + in_quotes(node.text));
      continue;
    }
    found.push_back(node.text);
  }
  return found;
}

std::string RecipeReader::plain(const JsonNode& object, const char* key,
                                Presence presence) {
  std::string text = checker_.text(object, key, presence);
  if (!text.empty() && !is_plain(text)) {
    checker_.report(*object.find(key),
                    "expected a name without blanks, found " + in_quotes(text));
  }
  return text;
}

const JsonNode& RecipeReader::object(const JsonNode& parent, const char* key,
                                     const KnownKeys& known) {
  const JsonNode* node =
      checker_.member(parent, key, Presence::kRequired, Kind::kObject);
  if (node == nullptr) return nothing_;
  checker_.refuse_unknown_keys(*node, known);
  return *node;
}

void RecipeReader::read_root(const JsonNode& root, Recipe& recipe) {
  const JsonNode& node =
      object(root, "root", {"packages", "also", "leave_out"});
  if (node.kind != Kind::kObject) return;
  recipe.root_packages = texts(node, "packages", Presence::kRequired);
  recipe.leave_out = texts(node, "leave_out", Presence::kOptional);
  const JsonNode* also =
      checker_.member(node, "also", Presence::kOptional, Kind::kArray);
  if (also == nullptr) return;
  for (const JsonNode& item : also->children) {
    if (!checker_.expect(item, Kind::kObject)) continue;
    checker_.refuse_unknown_keys(item,
                                 {"suite", "components", "packages", "why"});
    AlsoFrom from;
    from.suite = plain(item, "suite", Presence::kRequired);
    from.components = texts(item, "components", Presence::kRequired);
    from.packages = texts(item, "packages", Presence::kRequired);
    checker_.text(item, "why", Presence::kRequired);
    recipe.root_also.push_back(std::move(from));
  }
}

void RecipeReader::read_image(const JsonNode& root, ImageTool& image) {
  const JsonNode& node =
      object(root, "image",
             {"program", "package", "suffix", "arguments", "owned_by_root"});
  if (node.kind != Kind::kObject) return;
  image.program = plain(node, "program", Presence::kRequired);
  image.package = plain(node, "package", Presence::kRequired);
  image.suffix = plain(node, "suffix", Presence::kRequired);
  image.arguments = texts(node, "arguments", Presence::kOptional);
  image.owned_by_root = texts(node, "owned_by_root", Presence::kOptional);
}

void RecipeReader::read_kernel(const JsonNode& root, KernelPart& kernel) {
  const JsonNode& node = object(
      root, "kernel", {"package", "suite", "parts", "headers", "modules"});
  if (node.kind != Kind::kObject) return;
  kernel.package = plain(node, "package", Presence::kRequired);
  kernel.suite = plain(node, "suite", Presence::kOptional);
  kernel.parts = texts(node, "parts", Presence::kRequired);
  kernel.headers = plain(node, "headers", Presence::kRequired);
  kernel.modules = texts(node, "modules", Presence::kRequired);
}

ModulePart RecipeReader::read_module(const JsonNode& node) {
  ModulePart module;
  checker_.refuse_unknown_keys(
      node, {"name", "kind", "package", "suite", "path", "config", "defines",
             "keep", "why"});
  module.name = checker_.text(node, "name", Presence::kRequired);
  if (!module.name.empty() && !is_name(module.name)) {
    checker_.report(*node.find("name"),
                    std::string("expected ") + std::string(kNameRule));
  }
  module.kind = checker_.text(node, "kind", Presence::kRequired);
  if (!module.kind.empty() && module.kind != "dkms" &&
      module.kind != "kernel-source") {
    checker_.report(*node.find("kind"),
                    "no kind " + in_quotes(module.kind) +
                        "; allowed: \"dkms\", \"kernel-source\"");
  }
  module.package = plain(node, "package", Presence::kRequired);
  module.suite = plain(node, "suite", Presence::kOptional);
  module.path = plain(node, "path",
                      module.kind == "kernel-source" ? Presence::kRequired
                                                     : Presence::kOptional);
  module.defines = texts(node, "defines", Presence::kOptional);
  module.keep = texts(node, "keep", Presence::kRequired);
  checker_.text(node, "why", Presence::kRequired);
  const JsonNode* config =
      checker_.member(node, "config", Presence::kOptional, Kind::kObject);
  if (config != nullptr) {
    for (const JsonNode& item : config->children) {
      if (checker_.expect_line(item)) {
        module.config.emplace_back(item.key, item.text);
      }
    }
  }
  return module;
}

Recipe RecipeReader::read(const JsonNode& root, const std::string& path) {
  checker_.refuse_unknown_keys(
      root, {"$schema", "name", "extends", "summary", "suite", "components",
             "keyring", "space", "root", "image", "kernel", "extra_modules",
             "initrd", "modprobe", "command_line"});
  Recipe recipe;
  recipe.name = checker_.document_name(root, path);
  recipe.summary = checker_.text(root, "summary", Presence::kRequired);
  recipe.suite = plain(root, "suite", Presence::kRequired);
  recipe.components = texts(root, "components", Presence::kRequired);
  recipe.keyring = plain(root, "keyring", Presence::kRequired);
  const std::string space = checker_.text(root, "space", Presence::kRequired);
  if (const auto bytes = parse_size(space)) {
    recipe.space_bytes = *bytes;
  } else if (!space.empty()) {
    checker_.report(*root.find("space"), bytes.error().message());
  }
  read_root(root, recipe);
  read_image(root, recipe.image);
  read_kernel(root, recipe.kernel);
  const JsonNode* modules =
      checker_.member(root, "extra_modules", Presence::kOptional, Kind::kArray);
  if (modules != nullptr) {
    for (const JsonNode& node : modules->children) {
      if (checker_.expect(node, Kind::kObject)) {
        recipe.extra_modules.push_back(read_module(node));
      }
    }
  }
  const JsonNode& initrd = object(root, "initrd", {"modules"});
  if (initrd.kind == Kind::kObject) {
    recipe.initrd_modules = texts(initrd, "modules", Presence::kRequired);
  }
  recipe.modprobe = texts(root, "modprobe", Presence::kOptional);
  recipe.command_line = texts(root, "command_line", Presence::kOptional);
  return recipe;
}

std::string extends_of(std::string_view text, const std::string& path) {
  const LocatedJson json = parse_located_json(text, path);
  const JsonNode* name = json.root.find("extends");
  return name != nullptr && name->kind == Kind::kText ? name->text : "";
}

}  // namespace

std::variant<Recipe, Problems> check_recipe(std::string_view text,
                                            const std::string& path,
                                            std::string_view base,
                                            const std::string& base_path) {
  LocatedJson json = parse_located_json(text, path);
  if (!json.parsed) return std::move(json.problems);
  JsonNode root = std::move(json.root);
  if (!base.empty() && root.kind == Kind::kObject) {
    // By itself first, so that its faults are told with its own lines.
    auto checked = check_recipe(base, base_path);
    if (checked.index() == 1) return std::get<1>(std::move(checked));
    JsonNode merged = parse_located_json(base, base_path).root;
    merge(merged, root);
    root = std::move(merged);
  }
  Checker checker(path, std::move(json.problems));
  Recipe recipe;
  if (checker.expect(root, Kind::kObject)) {
    recipe = RecipeReader(checker).read(root, path);
  }
  Problems problems = std::move(checker).take_problems();
  if (!problems.empty()) return problems;
  JsonWriter writer;
  write(writer, root);
  recipe.json = writer.text();
  return recipe;
}

std::variant<Recipe, Problems> find_recipe(const ConfigLibrary& library,
                                           const std::string& wanted) {
  auto found = library.find(ConfigKind::kGuest, wanted);
  if (auto* problem = std::get_if<Problem>(&found)) return Problems{*problem};
  const auto& file = std::get<ConfigFile>(found);
  const std::string path = file.path.string();
  const std::string base = extends_of(file.text, path);
  if (base.empty()) return check_recipe(file.text, path);
  auto under = library.find(ConfigKind::kGuest, base);
  if (auto* problem = std::get_if<Problem>(&under)) {
    problem->message = path + " extends it: " + problem->message;
    return Problems{*problem};
  }
  const auto& base_file = std::get<ConfigFile>(under);
  return check_recipe(file.text, path, base_file.text, base_file.path.string());
}

}  // namespace cowbench
