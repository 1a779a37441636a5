// SPDX-License-Identifier: Apache-2.0
#include "base/json.hpp"
#include "base/text.hpp"
#include "cli/commands.hpp"
#include "cli/common.hpp"
#include "report/table.hpp"

namespace cowbench {

namespace {

const char* kind_name(Plugin::Kind kind) {
  switch (kind) {
    case Plugin::Kind::kLayer:
      return "backend";
    case Plugin::Kind::kPhase:
      return "phase";
    case Plugin::Kind::kOther:
      break;
  }
  return "unknown";
}

const char* type_name(OptionType type) {
  switch (type) {
    case OptionType::kText:
      return "text";
    case OptionType::kBoolean:
      return "boolean";
    case OptionType::kInteger:
      return "integer";
    case OptionType::kNumber:
      return "number";
    case OptionType::kSize:
      return "size";
    case OptionType::kDuration:
      return "duration";
    case OptionType::kTextList:
      break;
  }
  return "list of texts";
}

const char* need_name(int kind) {
  switch (kind) {
    case COWBENCH_NEEDS_TOOL:
      return "tool";
    case COWBENCH_NEEDS_FILESYSTEM:
      return "filesystem";
    case COWBENCH_NEEDS_MODULE:
      return "module";
    default:
      return "unknown need";
  }
}

void write_option(JsonWriter& json, const OptionSpec& option) {
  json.begin_object()
      .field("key", option.key)
      .field("type", type_name(option.type))
      .field("required", option.required)
      .field("summary", option.summary);
  if (option.default_value) json.field("default", *option.default_value);
  json.key("allowed").begin_array();
  for (const std::string& word : option.allowed) json.value(word);
  json.end_array();
  if (option.minimum != 0 || option.maximum != 0) {
    json.field("minimum", option.minimum).field("maximum", option.maximum);
  }
  json.end_object();
}

void write_plugin(JsonWriter& json, const Plugin& plugin) {
  json.begin_object()
      .field("id", plugin.id)
      .field("name", plugin.name)
      .field("kind", kind_name(plugin.kind))
      .field("version", plugin.version)
      .field("summary", plugin.summary)
      .field("licence", plugin.licence)
      .field("home_page", plugin.home_page)
      .field("path", plugin.path.string())
      .field("abi", std::to_string(plugin.abi_major) + "." +
                        std::to_string(plugin.abi_minor))
      .field("sdk_version", plugin.sdk_version)
      .field("compiler", plugin.compiler)
      .field("build_type", plugin.build_type);
  json.key("options").begin_array();
  for (const OptionSpec& option : plugin.options) write_option(json, option);
  json.end_array().key("requirements").begin_array();
  for (const RequirementSpec& need : plugin.requirements) {
    json.begin_object()
        .field("kind", need_name(need.kind))
        .field("name", need.name)
        .field("package", need.package)
        .end_object();
  }
  json.end_array().key("metrics").begin_array();
  for (const MetricSpec& metric : plugin.metrics) {
    json.begin_object()
        .field("key", metric.key)
        .field("unit", metric.unit)
        .field("label", metric.label)
        .field("definition", metric.definition)
        .field("method", metric.method_version)
        .end_object();
  }
  json.end_array().key("needs_abilities").begin_array();
  for (const std::string& id : plugin.needed_abilities) json.value(id);
  json.end_array().key("abilities").begin_array();
  for (const std::string& id : plugin.offered_abilities) json.value(id);
  json.end_array().end_object();
}

std::string plugin_text(const Plugin& plugin) {
  std::string text =
      plugin.name + " (" + kind_name(plugin.kind) + ") " + plugin.version +
      "\n  " + plugin.summary + "\n  id        " + plugin.id +
      "\n  file      " + plugin.path.string() + "\n  ABI       " +
      std::to_string(plugin.abi_major) + "." +
      std::to_string(plugin.abi_minor) + ", SDK " + plugin.sdk_version +
      ", built with " + plugin.compiler + " (" + plugin.build_type +
      ")\n  licence   " + plugin.licence + "\n";
  if (!plugin.home_page.empty())
    text += "  home page " + plugin.home_page + "\n";
  for (const RequirementSpec& need : plugin.requirements) {
    text +=
        std::string("  needs     ") + need_name(need.kind) + " " + need.name +
        (need.package.empty() ? "" : " (package " + need.package + ")") + "\n";
  }
  for (const std::string& id : plugin.offered_abilities) {
    text += "  ability   " + id + "\n";
  }
  for (const std::string& id : plugin.needed_abilities) {
    text += "  needs ability " + id + "\n";
  }
  if (!plugin.options.empty()) text += "  options\n";
  for (const OptionSpec& option : plugin.options) {
    text +=
        "    " + option.key + " (" + type_name(option.type) +
        (option.default_value ? ", default " + *option.default_value : "") +
        (option.required ? ", required" : "") + "): " + option.summary +
        (option.allowed.empty() ? ""
                                : "; one of " + join(option.allowed, ", ")) +
        "\n";
  }
  if (!plugin.metrics.empty()) text += "  metrics\n";
  for (const MetricSpec& metric : plugin.metrics) {
    text += "    " + metric.key + " [" + metric.unit + ", method " +
            std::to_string(metric.method_version) + "]: " + metric.definition +
            "\n";
  }
  return text;
}

int list_plugins(const Catalog& catalog, bool as_json) {
  if (as_json) {
    JsonWriter json;
    json.begin_object().key("plugins").begin_array();
    for (const Plugin& plugin : catalog.plugins()) write_plugin(json, plugin);
    json.end_array().key("refused").begin_array();
    for (const Refusal& refusal : catalog.refusals()) {
      json.begin_object()
          .field("path", refusal.path.string())
          .field("reason", refusal.reason)
          .end_object();
    }
    json.end_array().key("warnings").begin_array();
    for (const std::string& warning : catalog.warnings()) json.value(warning);
    print(json.end_array().end_object().text() + "\n");
    return kExitOk;
  }
  Table table;
  table.columns = {{"name"}, {"kind"}, {"version"}, {"id"}, {"file"}};
  for (const Plugin& plugin : catalog.plugins()) {
    TableRow row;
    row.cells = {plugin.name, kind_name(plugin.kind), plugin.version, plugin.id,
                 plugin.path.string()};
    table.rows.push_back(std::move(row));
  }
  print(table_text(table));
  for (const Refusal& refusal : catalog.refusals()) {
    print("not loaded: " + refusal.sentence() + "\n");
  }
  for (const std::string& warning : catalog.warnings()) {
    print("warning: " + warning + "\n");
  }
  return kExitOk;
}

int describe_plugins(const Catalog& catalog,
                     const std::vector<std::string>& wanted, bool as_json) {
  std::vector<const Plugin*> found;
  std::vector<std::string> faults;
  std::vector<std::string> known;
  for (const Plugin& plugin : catalog.plugins()) known.push_back(plugin.name);
  for (const std::string& name : wanted) {
    const std::size_t before = found.size();
    for (const Plugin& plugin : catalog.plugins()) {
      if (plugin.name == name || plugin.id == name) found.push_back(&plugin);
    }
    if (found.size() == before) {
      faults.push_back("plugin describe: no plugin is called \"" + name + "\"" +
                       did_you_mean(name, known) +
                       "; see: cowbench plugin list");
    }
  }
  if (!faults.empty()) return fail(faults, kExitUsage);
  if (!as_json) {
    for (const Plugin* plugin : found) print(plugin_text(*plugin));
    return kExitOk;
  }
  JsonWriter json;
  json.begin_object().key("plugins").begin_array();
  for (const Plugin* plugin : found) write_plugin(json, *plugin);
  print(json.end_array().end_object().text() + "\n");
  return kExitOk;
}

int plugin(const CommandLine& line) {
  std::vector<std::string> words = line.texts("word");
  const std::string action = words.empty() ? "list" : words.front();
  const Catalog catalog = Catalog::load(plugin_search_of(line));
  if (action == "list" && words.size() <= 1) {
    return list_plugins(catalog, line.has("json"));
  }
  if (action == "describe" && words.size() > 1) {
    words.erase(words.begin());
    return describe_plugins(catalog, words, line.has("json"));
  }
  return fail({"plugin " + join(words, " ") +
               ": give `plugin list` or `plugin describe NAME...`"},
              kExitUsage);
}

}  // namespace

CliCommand make_plugin_command() {
  CliCommand command;
  command.name = "plugin";
  command.summary = "list and describe plugins, and say why one was refused";
  command.arguments = "list | describe NAME...";
  command.description =
      "Shows what the plugins say of themselves: options, needs, metrics, "
      "abilities, and how they were built. Needs no root.";
  command.options.add_options()("json", "as JSON");
  add_search_options(command.options);
  command.positional = "word";
  command.run = plugin;
  return command;
}

}  // namespace cowbench
