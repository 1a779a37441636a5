// SPDX-License-Identifier: Apache-2.0
#include "config/profile.hpp"

#include <algorithm>
#include <set>

#include "base/text.hpp"
#include "config/checker.hpp"

namespace cowbench {

namespace {

using Kind = JsonNode::Kind;
using Overrides = std::vector<std::pair<std::string, std::string>>;

const KnownKeys kProfileKeys = {"$schema",         "name",   "summary",
                                "member_size",     "phases", "settings",
                                "phase_time_limit"};
const KnownKeys kSettingKeys = {"value", "why"};

OptionSpec member_size_spec() {
  OptionSpec spec;
  spec.type = OptionType::kSize;
  spec.key = "member_size";
  spec.minimum = 1 << 20;
  spec.maximum = 1LL << 50;
  return spec;
}

OptionSpec phase_time_limit_spec() {
  OptionSpec spec;
  spec.type = OptionType::kDuration;
  spec.key = "phase_time_limit";
  spec.minimum = 1e9;
  spec.maximum = 7 * 24 * 3600e9;
  return spec;
}

class ProfileChecker {
 public:
  ProfileChecker(const std::string& path, const Vocabulary& vocabulary,
                 Problems problems)
      : path_(path),
        vocabulary_(vocabulary),
        checker_(path, std::move(problems)) {
    for (const auto& [name, spec] : vocabulary.phases) {
      phase_names_.push_back(name);
      for (const OptionSpec& option : spec.options) {
        setting_keys_.push_back(name + "." + option.key);
      }
    }
  }

  Checked<Profile> check(const JsonNode& root, std::string_view text,
                         const Overrides& overrides) {
    if (checker_.expect(root, Kind::kObject)) {
      checker_.refuse_unknown_keys(root, kProfileKeys);
      checker_.text(root, "$schema", Presence::kOptional);
      profile_.name = checker_.document_name(root, path_);
      profile_.summary = checker_.text(root, "summary", Presence::kRequired);
      size_and_limit(root);
      phases(root);
      settings(root);
    }
    for (const auto& [key, value] : overrides) override_setting(key, value);
    resolve(root);
    Problems problems = std::move(checker_).take_problems();
    problems.insert(problems.end(), override_problems_.begin(),
                    override_problems_.end());
    if (!problems.empty()) return problems;
    profile_.path = path_;
    profile_.json = text;
    return std::move(profile_);
  }

 private:
  void size_and_limit(const JsonNode& root) {
    for (const auto& [spec, field] :
         {std::pair(member_size_spec(), &profile_.member_bytes),
          std::pair(phase_time_limit_spec(), &profile_.phase_limit_ns)}) {
      const JsonNode* node =
          checker_.member(root, spec.key, Presence::kRequired);
      if (node == nullptr) continue;
      if (const auto value = setting(*node, &spec)) {
        *field = static_cast<std::uint64_t>(std::get<std::int64_t>(*value));
      }
    }
  }

  // {"value": ..., "why": "..."}; `spec` null: nothing is known of the value.
  std::optional<ConfigValue> setting(const JsonNode& node,
                                     const OptionSpec* spec) {
    if (node.kind != Kind::kObject) {
      checker_.report(node,
                      "expected {\"value\": ..., \"why\": \"...\"}, found " +
                          describe(node));
      return std::nullopt;
    }
    checker_.refuse_unknown_keys(node, kSettingKeys);
    checker_.text(node, "why", Presence::kRequired);
    const JsonNode* value = checker_.member(node, "value", Presence::kRequired);
    if (value == nullptr || spec == nullptr) return std::nullopt;
    return checker_.option(*spec, *value);
  }

  void phases(const JsonNode& root) {
    const JsonNode* list =
        checker_.member(root, "phases", Presence::kRequired, Kind::kArray);
    if (list == nullptr) return;
    if (list->children.empty()) {
      checker_.report(*list, "expected at least one phase");
    }
    std::string on_stack;  // the first phase that needs the stack
    for (const JsonNode& node : list->children) {
      if (!checker_.expect(node, Kind::kText)) continue;
      const auto found = vocabulary_.phases.find(node.text);
      if (found == vocabulary_.phases.end()) {
        checker_.report(node, unknown_phase(node.text));
        continue;
      }
      if (!listed_.emplace(node.text, &node).second) {
        checker_.report(
            node, "the phase " + in_quotes(node.text) + " is listed twice");
        continue;
      }
      if (!found->second.before_stack && on_stack.empty()) {
        on_stack = node.text;
      } else if (found->second.before_stack && !on_stack.empty()) {
        checker_.report(node, in_quotes(node.text) +
                                  " runs before the stack is made, so it must "
                                  "come before " +
                                  in_quotes(on_stack));
      }
      PhaseUse use;
      use.name = node.text;
      profile_.phases.push_back(std::move(use));
    }
  }

  std::string unknown_phase(const std::string& name) const {
    return "no plugin offers a phase " + in_quotes(name) +
           did_you_mean(name, phase_names_) +
           (phase_names_.empty() ? "; no phase plugin is loaded"
                                 : "; phases: " + join(phase_names_, ", "));
  }

  // The option that "<phase>.<option>" means, or what is wrong with the key.
  std::variant<const OptionSpec*, std::string> find_setting(
      const std::string& key) const {
    const std::size_t dot = key.find('.');
    if (dot == std::string::npos) {
      return "expected a key <phase>.<option>, found " + in_quotes(key) +
             did_you_mean(key, setting_keys_);
    }
    const std::string phase = key.substr(0, dot);
    const std::string option = key.substr(dot + 1);
    const auto found = vocabulary_.phases.find(phase);
    if (found == vocabulary_.phases.end()) return unknown_phase(phase);
    const std::vector<OptionSpec>& options = found->second.options;
    if (const OptionSpec* spec = find_option(options, option)) return spec;
    const std::vector<std::string> keys = option_keys(options);
    return "phase " + in_quotes(phase) + " has no option " + in_quotes(option) +
           did_you_mean(option, keys) +
           (keys.empty() ? "; it has none" : "; options: " + join(keys, ", "));
  }

  void settings(const JsonNode& root) {
    const JsonNode* object =
        checker_.member(root, "settings", Presence::kOptional, Kind::kObject);
    if (object == nullptr) return;
    for (const JsonNode& node : object->children) {
      const auto found = find_setting(node.key);
      const OptionSpec* spec = nullptr;
      if (const auto* fault = std::get_if<std::string>(&found)) {
        checker_.report_key(node, *fault);
      } else {
        spec = std::get<const OptionSpec*>(found);
      }
      const auto value = setting(node, spec);
      // A placeholder, so that a wrong value is not also called missing.
      if (spec != nullptr) {
        values_.insert_or_assign(node.key, value.value_or(ConfigValue()));
      }
    }
  }

  void override_setting(const std::string& key, const std::string& text) {
    const OptionSpec own[] = {member_size_spec(), phase_time_limit_spec()};
    const OptionSpec* spec = nullptr;
    for (const OptionSpec& one : own) {
      if (one.key == key) spec = &one;
    }
    std::string fault;
    if (spec == nullptr) {
      const auto found = find_setting(key);
      if (const auto* option = std::get_if<const OptionSpec*>(&found)) {
        spec = *option;
      } else {
        fault = std::get<std::string>(found);
      }
      if (key.find('.') == std::string::npos) fault = unknown_override(key);
    }
    if (spec != nullptr) {
      auto parsed = parse_option(*spec, text);
      if (parsed.index() == 0) {
        apply(key, std::get<0>(std::move(parsed)));
      } else {
        fault = std::get<1>(std::move(parsed));
      }
    }
    if (!fault.empty()) {
      override_problems_.push_back(
          {"--set", 0, "", key + "=" + text + ": " + fault});
    }
  }

  std::string unknown_override(const std::string& key) const {
    std::vector<std::string> keys = setting_keys_;
    keys.insert(keys.end(), {"member_size", "phase_time_limit"});
    return "expected member_size, phase_time_limit or <phase>.<option>, "
           "found " +
           in_quotes(key) + did_you_mean(key, keys);
  }

  void apply(const std::string& key, ConfigValue value) {
    if (key == "member_size") {
      profile_.member_bytes =
          static_cast<std::uint64_t>(std::get<std::int64_t>(value));
    } else if (key == "phase_time_limit") {
      profile_.phase_limit_ns =
          static_cast<std::uint64_t>(std::get<std::int64_t>(value));
    } else {
      values_.insert_or_assign(key, std::move(value));
    }
  }

  void resolve(const JsonNode& root) {
    for (const auto& [name, spec] : vocabulary_.phases) {
      PhaseUse use;
      use.name = name;
      use.before_stack = spec.before_stack;
      for (const OptionSpec& option : spec.options) {
        const auto value = values_.find(name + "." + option.key);
        if (value != values_.end()) {
          use.options.emplace(option.key, value->second);
        }
      }
      use.faults = fill_defaults(spec.options, name + ".", use.options);
      const auto listed = listed_.find(name);
      if (listed == listed_.end()) {
        profile_.others.push_back(std::move(use));
        continue;
      }
      const JsonNode* settings = root.find("settings");
      for (const std::string& fault : use.faults) {
        checker_.report(settings != nullptr ? *settings : root, fault);
      }
      *std::find_if(profile_.phases.begin(), profile_.phases.end(),
                    [&](const PhaseUse& one) { return one.name == use.name; }) =
          use;
    }
  }

  const std::string& path_;
  const Vocabulary& vocabulary_;
  Checker checker_;
  Profile profile_;
  std::vector<std::string> phase_names_;
  std::vector<std::string> setting_keys_;
  std::map<std::string, const JsonNode*> listed_;
  std::map<std::string, ConfigValue> values_;  // by <phase>.<option>
  Problems override_problems_;
};

PhaseUse* find_phase(std::vector<PhaseUse>& phases, const std::string& name) {
  const auto found =
      std::find_if(phases.begin(), phases.end(),
                   [&](const PhaseUse& use) { return use.name == name; });
  return found == phases.end() ? nullptr : &*found;
}

// A problem for each name that is no known phase.
void refuse_unknown(const std::vector<std::string>& names, const char* option,
                    Profile& profile, Problems& problems) {
  std::vector<std::string> known;
  for (const auto* list : {&profile.phases, &profile.others}) {
    for (const PhaseUse& use : *list) known.push_back(use.name);
  }
  std::sort(known.begin(), known.end());
  for (const std::string& name : names) {
    if (std::binary_search(known.begin(), known.end(), name)) continue;
    problems.push_back({option, 0, "",
                        "no plugin offers a phase " + in_quotes(name) +
                            did_you_mean(name, known) +
                            "; phases: " + join(known, ", ")});
  }
}

}  // namespace

Checked<Profile> check_profile(std::string_view text, const std::string& path,
                               const Vocabulary& vocabulary,
                               const Overrides& overrides) {
  LocatedJson json = parse_located_json(text, path);
  if (!json.parsed) return std::move(json.problems);
  return ProfileChecker(path, vocabulary, std::move(json.problems))
      .check(json.root, text, overrides);
}

Checked<Profile> select_phases(Profile profile,
                               const std::vector<std::string>& only,
                               const std::vector<std::string>& skip) {
  Problems problems;
  refuse_unknown(only, "--phases", profile, problems);
  refuse_unknown(skip, "--skip", profile, problems);
  if (!problems.empty()) return problems;
  std::vector<std::string> wanted = only;
  if (only.empty()) {
    for (const PhaseUse& use : profile.phases) wanted.push_back(use.name);
  }
  std::vector<PhaseUse> chosen;
  for (const std::string& name : wanted) {
    if (std::find(skip.begin(), skip.end(), name) != skip.end() ||
        find_phase(chosen, name) != nullptr) {
      continue;
    }
    const PhaseUse* use = find_phase(profile.phases, name);
    if (use == nullptr) use = find_phase(profile.others, name);
    for (const std::string& fault : use->faults) {
      problems.push_back({"--phases", 0, "", fault});
    }
    chosen.push_back(*use);
  }
  if (chosen.empty()) {
    problems.push_back({skip.empty() ? "--phases" : "--skip", 0, "",
                        "no phase is left to run"});
  }
  if (!problems.empty()) return problems;
  std::stable_partition(chosen.begin(), chosen.end(),
                        [](const PhaseUse& use) { return use.before_stack; });

  std::vector<PhaseUse> others;
  for (auto* list : {&profile.phases, &profile.others}) {
    for (PhaseUse& use : *list) {
      if (find_phase(chosen, use.name) == nullptr) {
        others.push_back(std::move(use));
      }
    }
  }
  std::sort(
      others.begin(), others.end(),
      [](const PhaseUse& a, const PhaseUse& b) { return a.name < b.name; });
  profile.phases = std::move(chosen);
  profile.others = std::move(others);
  return profile;
}

}  // namespace cowbench
