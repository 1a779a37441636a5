// SPDX-License-Identifier: Apache-2.0
#include "config/stack.hpp"

#include <algorithm>
#include <set>

#include "base/text.hpp"
#include "config/checker.hpp"

namespace cowbench {

namespace {

using Kind = JsonNode::Kind;

constexpr std::int64_t kMaximumMembers = 64;
constexpr double kMaximumScale = 64;

const KnownKeys kStackKeys = {"$schema",  "name",    "family",
                              "class",    "summary", "published",
                              "min_size", "members", "layers"};
const KnownKeys kGroupKeys = {"count", "scale", "model"};
const KnownKeys kLayerKeys = {"use", "on", "as", "why"};

OptionSpec word_spec(const std::vector<std::string>& allowed) {
  OptionSpec spec;
  spec.allowed = allowed;
  return spec;
}

// Members are named by their group and position, so a digit at the end would
// make "data1" member 0 the same as "data" member 10.
bool is_group_name(std::string_view text) {
  return is_name(text) && (text.back() < '0' || text.back() > '9');
}

// Two names around a slash.
bool is_published_id(std::string_view text) {
  const std::size_t slash = text.find('/');
  return slash != std::string_view::npos && is_name(text.substr(0, slash)) &&
         is_name(text.substr(slash + 1));
}

class StackChecker {
 public:
  StackChecker(const std::string& path, const Vocabulary& vocabulary,
               Problems problems)
      : path_(path),
        vocabulary_(vocabulary),
        checker_(path, std::move(problems)) {}

  Checked<Stack> check(const JsonNode& root, std::string_view text) {
    if (checker_.expect(root, Kind::kObject)) {
      checker_.refuse_unknown_keys(root, kStackKeys);
      header(root);
      groups(root);
      layers(root);
    }
    Problems problems = std::move(checker_).take_problems();
    if (!problems.empty()) return problems;
    stack_.path = path_;
    stack_.json = text;
    return std::move(stack_);
  }

 private:
  // Something a layer may stand on.
  struct Source {
    std::uint32_t devices = 0;  // at least
    bool exact = false;         // `devices` is the number
    bool is_mount = false;
    bool taken = false;
    std::string taken_by;  // name of the layer that stands on it
    const JsonNode* node = nullptr;
  };

  void header(const JsonNode& root) {
    checker_.text(root, "$schema", Presence::kOptional);
    stack_.name = checker_.document_name(root, path_);
    stack_.family = name(root, "family", Presence::kRequired);
    stack_.summary = checker_.text(root, "summary", Presence::kRequired);
    if (const JsonNode* node =
            checker_.member(root, "class", Presence::kRequired)) {
      const auto word = checker_.option(word_spec(stack_classes()), *node);
      if (word) stack_.stack_class = std::get<std::string>(*word);
    }
    if (const JsonNode* node = checker_.member(
            root, "published", Presence::kOptional, Kind::kText)) {
      if (is_published_id(node->text)) {
        stack_.published = node->text;
      } else {
        checker_.report(*node,
                        "expected two names around a slash (\"a/b\"), "
                        "found " +
                            in_quotes(node->text));
      }
    }
    if (const JsonNode* node =
            checker_.member(root, "min_size", Presence::kOptional)) {
      OptionSpec spec;
      spec.type = OptionType::kSize;
      spec.minimum = 1;
      if (const auto size = checker_.option(spec, *node)) {
        stack_.minimum_member_bytes =
            static_cast<std::uint64_t>(std::get<std::int64_t>(*size));
      }
    }
  }

  std::string name(const JsonNode& object, std::string_view key,
                   Presence presence) {
    const JsonNode* node = checker_.member(object, key, presence, Kind::kText);
    if (node == nullptr) return "";
    if (is_name(node->text)) return node->text;
    checker_.report(*node, in_quotes(node->text) +
                               " is not a name: " + std::string(kNameRule));
    return "";
  }

  void groups(const JsonNode& root) {
    const JsonNode* members =
        checker_.member(root, "members", Presence::kRequired, Kind::kObject);
    if (members == nullptr) return;
    groups_known_ = true;
    std::size_t working = 0;
    for (const JsonNode& node : members->children) {
      if (node.key != kSpareGroup) ++working;
      if (!is_group_name(node.key)) {
        checker_.report_key(node,
                            in_quotes(node.key) + " is not a group's name: " +
                                std::string(kNameRule) + ", the last no digit");
      }
      group(node);
    }
    if (working == 0) {
      checker_.report(*members,
                      "expected a group of members beside \"spare\" "
                      "(\"data\": {\"count\": 1})");
    }
  }

  void group(const JsonNode& node) {
    GroupUse use;
    use.name = node.key;
    Source source;
    source.exact = true;
    source.node = &node;
    if (checker_.expect(node, Kind::kObject)) {
      checker_.refuse_unknown_keys(node, kGroupKeys);
      const JsonNode* count =
          checker_.member(node, "count", Presence::kRequired);
      OptionSpec count_spec;
      count_spec.type = OptionType::kInteger;
      count_spec.minimum = 1;
      count_spec.maximum = kMaximumMembers;
      std::optional<ConfigValue> read;
      if (count != nullptr) read = checker_.option(count_spec, *count);
      if (read) {
        use.count = static_cast<std::uint32_t>(std::get<std::int64_t>(*read));
      }
      source.devices = use.count;
      source.exact = read.has_value();
      scale_and_model(node, use);
    } else {
      source.exact = false;
    }
    sources_.emplace(use.name, source);
    stack_.groups.push_back(std::move(use));
  }

  void scale_and_model(const JsonNode& node, GroupUse& use) {
    if (const JsonNode* scale = checker_.member(
            node, "scale", Presence::kOptional, Kind::kNumber)) {
      if (scale->number > 0 && scale->number <= kMaximumScale) {
        use.scale = scale->number;
      } else {
        checker_.report(*scale, scale->text +
                                    " is out of bounds: it must be above 0 "
                                    "and at most 64");
      }
    }
    if (const JsonNode* model =
            checker_.member(node, "model", Presence::kOptional)) {
      const auto word = checker_.option(word_spec(member_models()), *model);
      if (word) use.model = std::get<std::string>(*word);
    }
  }

  void layers(const JsonNode& root) {
    const JsonNode* list =
        checker_.member(root, "layers", Presence::kRequired, Kind::kArray);
    if (list == nullptr) return;
    if (list->children.empty()) {
      checker_.report(*list, "expected at least one layer");
      return;
    }
    for (const JsonNode& node : list->children) later_.insert(layer_name(node));
    for (const JsonNode& node : list->children) {
      const bool last = &node == &list->children.back();
      if (checker_.expect(node, Kind::kObject)) {
        layer(node, last);
      } else {
        inputs_known_ = false;
      }
    }
    if (inputs_known_) unused();
  }

  // As a later `on` would call it; empty when it has none.
  static std::string layer_name(const JsonNode& node) {
    for (const char* key : {"as", "use"}) {
      const JsonNode* found = node.find(key);
      if (found != nullptr && found->kind == Kind::kText) return found->text;
    }
    return "";
  }

  void layer(const JsonNode& node, bool last) {
    LayerUse use;
    use.use = checker_.text(node, "use", Presence::kRequired);
    const LayerSpec* spec = known_layer(node, use.use);
    use.as = name(node, "as", Presence::kOptional);
    if (use.as.empty()) use.as = use.use;
    inputs(node, use, spec);
    options(node, use, spec);
    output(node, use, spec, last);
    stack_.layers.push_back(std::move(use));
  }

  // Null, and a problem, for a layer that no plugin offers.
  const LayerSpec* known_layer(const JsonNode& node, const std::string& use) {
    if (use.empty()) return nullptr;
    const auto found = vocabulary_.layers.find(use);
    if (found != vocabulary_.layers.end()) return &found->second;
    std::vector<std::string> known;
    for (const auto& [name, spec] : vocabulary_.layers) known.push_back(name);
    checker_.report(*node.find("use"),
                    "no plugin offers a layer " + in_quotes(use) +
                        did_you_mean(use, known) +
                        (known.empty() ? "; no layer plugin is loaded"
                                       : "; layers: " + join(known, ", ")));
    return nullptr;
  }

  void inputs(const JsonNode& node, LayerUse& use, const LayerSpec* spec) {
    const JsonNode* on = checker_.member(node, "on", Presence::kRequired);
    if (on == nullptr) {
      inputs_known_ = false;
      return;
    }
    std::vector<const JsonNode*> names;
    if (on->kind == Kind::kArray) {
      for (const JsonNode& item : on->children) names.push_back(&item);
    } else {
      names.push_back(on);
    }
    if (names.empty()) {
      inputs_known_ = false;
      checker_.report(*on, "expected at least one group or earlier layer");
      return;
    }
    std::uint32_t devices = 0;
    bool exact = true;
    for (const JsonNode* item : names) {
      if (item->kind == Kind::kText) use.on.push_back(item->text);
      const Source* source = input(*item, use);
      inputs_known_ = inputs_known_ && source != nullptr;
      exact = exact && source != nullptr && source->exact;
      if (source != nullptr) devices += source->devices;
    }
    if (spec != nullptr) device_count(*on, use, *spec, devices, exact);
  }

  // Takes one entry of "on", or what was probably meant by it. Null when that
  // cannot be told.
  const Source* input(const JsonNode& item, const LayerUse& use) {
    if (!checker_.expect(item, Kind::kText)) return nullptr;
    auto found = sources_.find(item.text);
    if (found == sources_.end()) {
      if (!groups_known_) return nullptr;
      found = sources_.find(report_no_source(item));
      if (found == sources_.end()) return nullptr;
    }
    Source& source = found->second;
    if (source.taken) {
      checker_.report(item, in_quotes(found->first) +
                                " is already taken by layer " +
                                in_quotes(source.taken_by));
    }
    source.taken = true;
    source.taken_by = use.as;
    return &source;
  }

  // Answers the nearest name, or nothing.
  std::string report_no_source(const JsonNode& item) {
    std::vector<std::string> known;
    for (const auto& [name, source] : sources_) known.push_back(name);
    const std::string allowed =
        known.empty() ? "" : "; there are: " + join(known, ", ");
    if (later_.count(item.text) != 0) {
      checker_.report(item,
                      "a layer can stand only on groups and earlier layers, "
                      "and " +
                          in_quotes(item.text) + " is not earlier" + allowed);
      return "";
    }
    checker_.report(item, "no group or earlier layer " + in_quotes(item.text) +
                              did_you_mean(item.text, known) + allowed);
    return nearest_name(item.text, known);
  }

  void device_count(const JsonNode& on, const LayerUse& use,
                    const LayerSpec& spec, std::uint32_t devices, bool exact) {
    const bool too_few = exact && devices < spec.minimum_devices;
    const bool too_many =
        spec.maximum_devices != 0 && devices > spec.maximum_devices;
    if (!too_few && !too_many) return;
    std::string wanted = std::to_string(spec.minimum_devices);
    if (spec.maximum_devices == 0) {
      wanted = "at least " + wanted;
    } else if (spec.maximum_devices != spec.minimum_devices) {
      wanted += " to " + std::to_string(spec.maximum_devices);
    }
    checker_.report(on, in_quotes(use.use) + " stands on " + wanted +
                            (wanted == "1" ? " device" : " devices") +
                            ", found " + (exact ? "" : "at least ") +
                            std::to_string(devices));
  }

  void options(const JsonNode& node, LayerUse& use, const LayerSpec* spec) {
    const JsonNode* why =
        checker_.member(node, "why", Presence::kOptional, Kind::kObject);
    if (spec == nullptr) {
      if (why == nullptr) return;
      for (const JsonNode& reason : why->children) checker_.expect_line(reason);
      return;
    }
    KnownKeys known = kLayerKeys;
    for (const OptionSpec& option : spec->options) known.push_back(option.key);
    checker_.refuse_unknown_keys(node, known);
    for (const OptionSpec& option : spec->options) {
      const JsonNode* given = node.find(option.key);
      if (given == nullptr) continue;
      const auto value = checker_.option(option, *given);
      // A placeholder, so that a wrong value is not also called missing.
      use.options.emplace(option.key, value.value_or(ConfigValue()));
      use.given.push_back(option.key);
    }
    for (std::string& fault : fill_defaults(spec->options, "", use.options)) {
      checker_.report(node, std::move(fault));
    }
    if (why != nullptr) reasons(*why, use, *spec);
  }

  void reasons(const JsonNode& why, const LayerUse& use,
               const LayerSpec& spec) {
    const std::vector<std::string> keys = option_keys(spec.options);
    for (const JsonNode& reason : why.children) {
      if (find_option(spec.options, reason.key) == nullptr) {
        checker_.report_key(
            reason, "no option " + in_quotes(reason.key) + " of layer " +
                        in_quotes(use.use) + did_you_mean(reason.key, keys) +
                        (keys.empty() ? "; it has none"
                                      : "; options: " + join(keys, ", ")));
      }
      if (checker_.expect_line(reason)) {
        stack_.why.emplace(use.as + "." + reason.key, reason.text);
      }
    }
  }

  void output(const JsonNode& node, const LayerUse& use, const LayerSpec* spec,
              bool last) {
    later_.erase(use.as);
    if (use.as.empty()) return;
    if (spec != nullptr && spec->output_is_mount != last) {
      checker_.report(
          node, last ? "the last layer must end in a mounted filesystem, and " +
                           in_quotes(use.use) + " gives block devices"
                     : in_quotes(use.use) +
                           " ends in a mounted filesystem, so it must be the "
                           "last layer");
    }
    Source source;
    source.devices = 1;
    source.is_mount = last || (spec != nullptr && spec->output_is_mount);
    source.node = &node;
    const auto [other, is_new] = sources_.emplace(use.as, source);
    if (is_new) return;
    checker_.report(node, "the name " + in_quotes(use.as) +
                              " is taken by line " +
                              std::to_string(other->second.node->line) +
                              "; give this layer another with \"as\"");
  }

  void unused() {
    for (const auto& [name, source] : sources_) {
      if (source.taken || source.is_mount || name == kSpareGroup) {
        continue;
      }
      checker_.report(*source.node, "no layer stands on " + in_quotes(name));
    }
  }

  const std::string& path_;
  const Vocabulary& vocabulary_;
  Checker checker_;
  Stack stack_;
  bool inputs_known_ = true;   // else nothing can be called unused
  bool groups_known_ = false;  // else a name in "on" may well be a group
  std::map<std::string, Source> sources_;
  std::set<std::string> later_;  // names of layers not yet reached
};

}  // namespace

const std::vector<std::string>& stack_classes() {
  static const std::vector<std::string> kClasses = {
      "single", "stripe", "mirror", "parity", "tiered"};
  return kClasses;
}

const std::vector<std::string>& member_models() {
  static const std::vector<std::string> kModels = {"hdd", "ssd", "nvme"};
  return kModels;
}

Checked<Stack> check_stack(std::string_view text, const std::string& path,
                           const Vocabulary& vocabulary) {
  LocatedJson json = parse_located_json(text, path);
  if (!json.parsed) return std::move(json.problems);
  return StackChecker(path, vocabulary, std::move(json.problems))
      .check(json.root, text);
}

}  // namespace cowbench
