// SPDX-License-Identifier: Apache-2.0
#include "plugin/description.hpp"

#include <cowbench/abi/ability.h>

#include <algorithm>
#include <array>
#include <optional>
#include <variant>

#include "base/text.hpp"
#include "config/profile.hpp"
#include "plugin/fence.hpp"
#include "plugin/table.hpp"

namespace cowbench {
namespace {

constexpr std::uint32_t kMostItems = 1000;  // a list without an end is a bug

Error refusal(const std::string& message) {
  return Error(Category::kUnsupported, message);
}

std::string text_of(const char* text) { return text == nullptr ? "" : text; }

std::string in_quotes(std::string_view text) {
  return '"' + std::string(text) + '"';
}

bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// A letter, then letters, digits and characters of `more`; lower case.
bool is_word(std::string_view text, std::string_view more) {
  return !text.empty() && is_lower(text.front()) &&
         std::all_of(text.begin(), text.end(), [&](char c) {
           return is_lower(c) || is_digit(c) ||
                  more.find(c) != std::string_view::npos;
         });
}

// "org.example.thing"
bool is_reverse_domain(std::string_view id) {
  const std::vector<std::string> parts = split(id, '.');
  return parts.size() >= 2 &&
         std::all_of(parts.begin(), parts.end(), [](const std::string& part) {
           return is_word(part, "-_");
         });
}

// What is wrong with one plugin, all of it.
class Faults {
 public:
  void add(const std::string& fault) { faults_.push_back(fault); }
  bool none() const { return faults_.empty(); }
  std::string text() const { return join(faults_, "; "); }

 private:
  std::vector<std::string> faults_;
};

// Collects the required callbacks that are null.
class Required {
 public:
  template <typename Callback>
  Required& needs(Callback callback, const char* name) {
    if (callback == nullptr) missing_.emplace_back(name);
    return *this;
  }
  // `what` is the table that should have them.
  void report(const std::string& what, Faults& faults) const {
    if (missing_.empty()) return;
    faults.add(what + " lacks the required callback" +
               (missing_.size() == 1 ? " " : "s ") + join(missing_, ", "));
  }

 private:
  std::vector<std::string> missing_;
};

// Reads a plugin's list, which ends in null; `at` may be null: no list.
template <typename T, typename Read>
void read_list(const T* (*at)(std::uint32_t), const char* what, Faults& faults,
               Read&& read) {
  if (at == nullptr) return;
  for (std::uint32_t i = 0; i < kMostItems; ++i) {
    const T* item = at(i);
    if (item == nullptr) return;
    if constexpr (std::is_same_v<T, char>) {
      read(std::string(item));
    } else {
      read(copy_table<T>(item));
    }
  }
  faults.add("describes more than " + std::to_string(kMostItems) + " " + what);
}

std::optional<OptionType> option_type(std::int32_t type) {
  switch (type) {
    case COWBENCH_TYPE_TEXT:
      return OptionType::kText;
    case COWBENCH_TYPE_BOOLEAN:
      return OptionType::kBoolean;
    case COWBENCH_TYPE_INTEGER:
      return OptionType::kInteger;
    case COWBENCH_TYPE_NUMBER:
      return OptionType::kNumber;
    case COWBENCH_TYPE_SIZE:
      return OptionType::kSize;
    case COWBENCH_TYPE_DURATION:
      return OptionType::kDuration;
    case COWBENCH_TYPE_TEXT_LIST:
      return OptionType::kTextList;
    default:
      return std::nullopt;
  }
}

void read_option(const cowbench_option& raw, Plugin& plugin, Faults& faults) {
  OptionSpec spec;
  spec.key = text_of(raw.key);
  if (!is_word(spec.key, "_")) {
    faults.add("option key " + in_quotes(spec.key) +
               " is not lower case words joined by underscores");
    return;
  }
  const std::string what = "option " + in_quotes(spec.key);
  if (std::any_of(
          plugin.options.begin(), plugin.options.end(),
          [&](const OptionSpec& other) { return other.key == spec.key; })) {
    faults.add(what + " is described twice");
    return;
  }
  const std::optional<OptionType> type = option_type(raw.type);
  if (!type) {
    faults.add(what + " has the unknown type " + std::to_string(raw.type));
    return;
  }
  spec.type = *type;
  spec.summary = text_of(raw.summary);
  if (raw.allowed != nullptr) spec.allowed = split(raw.allowed, '|');
  spec.minimum = raw.minimum;
  spec.maximum = raw.maximum;
  spec.required = raw.required != 0;
  if (raw.default_value != nullptr) {
    spec.default_value = raw.default_value;
    const auto parsed = parse_option(spec, raw.default_value);
    if (const auto* wrong = std::get_if<std::string>(&parsed)) {
      faults.add(what + " has the default " + in_quotes(raw.default_value) +
                 ", which it does not take: " + *wrong);
    }
  }
  plugin.options.push_back(std::move(spec));
}

void read_requirement(const cowbench_requirement& raw, Plugin& plugin,
                      Faults& faults) {
  const std::string name = text_of(raw.name);
  if (name.empty()) {
    faults.add("a requirement has no name");
    return;
  }
  if (raw.kind < COWBENCH_NEEDS_TOOL || raw.kind > COWBENCH_NEEDS_MODULE) {
    faults.add("requirement " + in_quotes(name) + " is of the unknown kind " +
               std::to_string(raw.kind));
  }
  plugin.requirements.push_back({raw.kind, name, text_of(raw.package)});
}

void read_metric(const cowbench_metric& raw, Plugin& plugin, Faults& faults) {
  MetricSpec spec;
  spec.key = text_of(raw.key);
  spec.unit = text_of(raw.unit);
  spec.label = text_of(raw.label);
  spec.definition = text_of(raw.definition);
  spec.better = raw.better;
  spec.method_version = raw.method_version;
  spec.detail = raw.detail != 0;
  const std::string what = "metric " + in_quotes(spec.key);
  if (!is_word(spec.key, "_")) {
    faults.add("metric key " + in_quotes(spec.key) +
               " is not lower case words joined by underscores");
  }
  if (std::any_of(
          plugin.metrics.begin(), plugin.metrics.end(),
          [&](const MetricSpec& other) { return other.key == spec.key; })) {
    faults.add(what + " is described twice");
    return;
  }
  if (spec.unit.empty() || spec.label.empty() || spec.definition.empty()) {
    faults.add(what + " lacks its unit, label or definition");
  }
  if (spec.better < -1 || spec.better > 1) {
    faults.add(what + " says neither higher, lower nor neither is better");
  }
  plugin.metrics.push_back(std::move(spec));
}

void read_layer(const void* raw, Plugin& plugin, Faults& faults) {
  plugin.kind = Plugin::Kind::kLayer;
  plugin.layer = copy_table<cowbench_layer>(raw);
  const cowbench_layer& layer = plugin.layer;
  Required()
      .needs(layer.option, "option")
      .needs(layer.create, "create")
      .needs(layer.destroy, "destroy")
      .needs(layer.assemble, "assemble")
      .needs(layer.disassemble, "disassemble")
      .needs(layer.deactivate, "deactivate")
      .needs(layer.activate, "activate")
      .report("its layer table", faults);
  if (layer.output != COWBENCH_OUTPUT_MOUNT &&
      layer.output != COWBENCH_OUTPUT_DEVICES) {
    faults.add("its output is of the unknown kind " +
               std::to_string(layer.output));
  }
  if (layer.maximum_devices != 0 &&
      layer.minimum_devices > layer.maximum_devices) {
    faults.add("it wants at least " + std::to_string(layer.minimum_devices) +
               " devices and at most " + std::to_string(layer.maximum_devices));
  }
  read_list(layer.option, "options", faults, [&](const cowbench_option& item) {
    read_option(item, plugin, faults);
  });
  read_list(layer.requirement, "requirements", faults,
            [&](const cowbench_requirement& item) {
              read_requirement(item, plugin, faults);
            });
}

void read_phase(const void* raw, Plugin& plugin, Faults& faults) {
  plugin.kind = Plugin::Kind::kPhase;
  plugin.phase = copy_table<cowbench_phase>(raw);
  const cowbench_phase& phase = plugin.phase;
  Required()
      .needs(phase.metric, "metric")
      .needs(phase.option, "option")
      .needs(phase.create, "create")
      .needs(phase.destroy, "destroy")
      .needs(phase.estimate, "estimate")
      .needs(phase.run, "run")
      .report("its phase table", faults);
  if (phase.stage != COWBENCH_STAGE_ON_STACK &&
      phase.stage != COWBENCH_STAGE_BEFORE_STACK) {
    faults.add("its stage is of the unknown kind " +
               std::to_string(phase.stage));
  }
  read_list(phase.metric, "metrics", faults, [&](const cowbench_metric& item) {
    read_metric(item, plugin, faults);
  });
  read_list(phase.option, "options", faults, [&](const cowbench_option& item) {
    read_option(item, plugin, faults);
  });
  read_list(phase.requirement, "requirements", faults,
            [&](const cowbench_requirement& item) {
              read_requirement(item, plugin, faults);
            });
  read_list(phase.ability, "abilities", faults, [&](const std::string& id) {
    plugin.needed_abilities.push_back(id);
  });
}

void read_abilities(Plugin& plugin, Faults& faults) {
  const auto offered = [&](const char* id) -> const void* {
    const void* table = plugin.interface(id);
    if (table != nullptr) plugin.offered_abilities.emplace_back(id);
    return table;
  };
  if (const void* raw = offered(COWBENCH_USAGE_ID)) {
    const auto table = copy_table<cowbench_usage_ability>(raw);
    Required()
        .needs(table.head.supports, "supports")
        .needs(table.usage, "usage")
        .report("its ability " COWBENCH_USAGE_ID, faults);
  }
  if (const void* raw = offered(COWBENCH_COLD_ID)) {
    const auto table = copy_table<cowbench_cold_ability>(raw);
    Required()
        .needs(table.head.supports, "supports")
        .needs(table.metadata_bytes, "metadata_bytes")
        .report("its ability " COWBENCH_COLD_ID, faults);
  }
  if (const void* raw = offered(COWBENCH_REFLINK_ID)) {
    const auto table = copy_table<cowbench_reflink_ability>(raw);
    Required()
        .needs(table.head.supports, "supports")
        .report("its ability " COWBENCH_REFLINK_ID, faults);
  }
}

void read_identity(const cowbench_plugin& raw, Plugin& plugin, Faults& faults) {
  plugin.id = text_of(raw.id);
  plugin.name = text_of(raw.name);
  plugin.version = text_of(raw.version);
  plugin.summary = text_of(raw.summary);
  plugin.licence = text_of(raw.licence);
  plugin.home_page = text_of(raw.home_page);
  plugin.interface = raw.interface;
  if (!is_reverse_domain(plugin.id)) {
    faults.add("its id " + in_quotes(plugin.id) +
               " is not a reverse domain in lower case, as in "
               "\"org.example.thing\"");
  }
  if (!is_word(plugin.name, "-_")) {
    faults.add("its name " + in_quotes(plugin.name) +
               " is not a lower case word (letters, digits, - and _)");
  }
  if (plugin.version.empty()) faults.add("it has no version");
  if (plugin.summary.empty()) faults.add("it has no summary");
  if (plugin.licence.empty()) faults.add("it names no licence");
  Required().needs(raw.interface, "interface").report("it", faults);
}

Plugin read_plugin(const cowbench_plugin& raw, Faults& faults) {
  Plugin plugin;
  read_identity(raw, plugin, faults);
  if (plugin.interface == nullptr) return plugin;
  const void* layer = plugin.interface(COWBENCH_LAYER_ID);
  const void* phase = plugin.interface(COWBENCH_PHASE_ID);
  if (layer != nullptr && phase != nullptr) {
    faults.add("it answers as a layer and as a phase; it must be one of them");
  } else if (layer != nullptr) {
    read_layer(layer, plugin, faults);
    read_abilities(plugin, faults);
  } else if (phase != nullptr) {
    read_phase(phase, plugin, faults);
  }
  return plugin;
}

std::string version_text(std::uint32_t major, std::uint32_t minor) {
  return std::to_string(major) + "." + std::to_string(minor);
}

Status check_version(const cowbench_entry& entry) {
  if (entry.abi_major == COWBENCH_ABI_MAJOR &&
      entry.abi_minor == COWBENCH_ABI_MINOR) {
    return {};
  }
  const bool newer = entry.abi_major > COWBENCH_ABI_MAJOR ||
                     (entry.abi_major == COWBENCH_ABI_MAJOR &&
                      entry.abi_minor > COWBENCH_ABI_MINOR);
  return refusal(
      "is built for plugin ABI " +
      version_text(entry.abi_major, entry.abi_minor) +
      ", but this cowbench takes exactly " +
      version_text(COWBENCH_ABI_MAJOR, COWBENCH_ABI_MINOR) + ": " +
      (newer ? "use a newer cowbench" : "rebuild it with this cowbench's SDK"));
}

Result<Description> describe_unfenced(cowbench_entry_function enter,
                                      const std::filesystem::path& file) {
  const char* reason = nullptr;
  const cowbench_entry* raw =
      enter(COWBENCH_ABI_MAJOR, COWBENCH_ABI_MINOR, &reason);
  if (raw == nullptr) {
    return refusal(
        "declines to work with this cowbench: " +
        (reason == nullptr ? "it gives no reason" : text_of(reason)));
  }
  const auto entry = copy_table<cowbench_entry>(raw);
  if (const Status version = check_version(entry); !version) {
    return version.error();
  }
  if (entry.plugin == nullptr) {
    return refusal("lacks the required callback plugin in its entry table");
  }
  Description description;
  Faults endless;
  std::uint32_t count = 0;
  read_list(entry.plugin, "plugins", endless, [&](const cowbench_plugin& one) {
    Faults faults;
    Plugin plugin = read_plugin(one, faults);
    plugin.path = file;
    plugin.sdk_version = text_of(entry.sdk_version);
    plugin.compiler = text_of(entry.compiler);
    plugin.build_type = text_of(entry.build_type);
    plugin.abi_major = entry.abi_major;
    plugin.abi_minor = entry.abi_minor;
    if (faults.none()) {
      description.plugins.push_back(std::move(plugin));
    } else {
      description.faults.push_back("plugin " + in_quotes(plugin.id) + ": " +
                                   faults.text());
    }
    ++count;
  });
  if (!endless.none()) return refusal(endless.text());
  if (count == 0) return refusal("offers no plugin");
  return description;
}

}  // namespace

Result<Description> describe(cowbench_entry_function entry,
                             const std::filesystem::path& file) {
  Result<Result<Description>> described = fenced(
      COWBENCH_ENTRY_SYMBOL, [&] { return describe_unfenced(entry, file); });
  if (!described) return described.error();
  return *std::move(described);
}

}  // namespace cowbench
