// SPDX-License-Identifier: Apache-2.0
#include "bcachefs/format.hpp"

#include <cstdlib>
#include <memory>
#include <set>

#include "bcachefs/words.hpp"

namespace cowbench::bcachefs {
namespace {

// Keys of a stack file and what the filesystem calls them.
constexpr std::pair<const char*, const char*> kTargets[] = {
    {"foreground", "foreground_target"},
    {"promote", "promote_target"},
    {"background", "background_target"},
    {"metadata", "metadata_target"},
};

struct Free {
  void operator()(char* text) const { std::free(text); }
};

// In a plan the device doesn't exist yet; then as given.
std::string resolved(const char* path) {
  const std::unique_ptr<char, Free> real(realpath(path, nullptr));
  return real ? real.get() : path;
}

std::vector<FormatMember> members_of(const Host& host, bool labelled) {
  std::map<std::string, std::uint64_t> durability;
  for (const std::string& item : host.text_list("durability")) {
    durability.insert(parse_durability(item));
  }
  std::vector<FormatMember> members;
  std::map<std::string, int> count;
  for (const cowbench_device* device : host.devices()) {
    const std::string group = device->group;
    FormatMember member;
    member.path = resolved(device->path);
    if (labelled) {
      member.label = group + "." + group + std::to_string(count[group]++);
    }
    const auto found = durability.find(group);
    if (found != durability.end()) member.durability = found->second;
    members.push_back(std::move(member));
  }
  return members;
}

bool several_groups(const Host& host) {
  std::set<std::string> groups;
  for (const cowbench_device* device : host.devices()) {
    groups.insert(device->group);
  }
  return groups.size() > 1;
}

}  // namespace

std::pair<std::string, std::uint64_t> parse_durability(
    const std::string& text) {
  const std::size_t equals = text.find('=');
  const auto number = equals == std::string::npos
                          ? std::nullopt
                          : number_of(text.substr(equals + 1));
  if (equals == 0 || !number || *number > 3) {
    throw Error(COWBENCH_BAD_CONFIG,
                "durability: \"" + text +
                    "\" is not of the form GROUP=N with N from 0 to 3");
  }
  return {text.substr(0, equals), *number};
}

std::uint64_t replicas_of(const Host& host, const char* key) {
  return host.amount(host.has(key) ? key : "replicas");
}

FormatOptions format_options(const Host& host, const std::string& uuid) {
  FormatOptions options;
  options.uuid = uuid;
  options.data_replicas = replicas_of(host, "data_replicas");
  options.metadata_replicas = replicas_of(host, "metadata_replicas");
  options.erasure_code = host.boolean("erasure_code");
  options.encryption = host.boolean("encryption");
  options.discard = host.boolean("discard");
  options.compression = host.text("compression");
  options.background_compression = host.text("background_compression");
  options.data_checksum = host.text("data_checksum");
  options.metadata_checksum = host.text("metadata_checksum");
  options.block_bytes = host.amount("block_size");
  options.node_bytes = host.amount("btree_node_size");
  options.bucket_bytes = host.amount("bucket_size");
  for (const auto& [key, name] : kTargets) {
    if (host.has(key)) options.targets[name] = host.text(key);
  }
  options.members =
      members_of(host, !options.targets.empty() || several_groups(host));
  options.arguments = host.text_list("format_arguments");
  return options;
}

std::vector<std::string> format_command(const FormatOptions& options) {
  // --force: old superblocks are ours to overwrite; without it the tool asks.
  std::vector<std::string> argv = {"bcachefs", "format", "--force", "--quiet",
                                   "--uuid=" + options.uuid};
  const auto add = [&argv](const std::string& name, const std::string& value) {
    argv.push_back("--" + name + "=" + value);
  };
  const auto add_size = [&add](const char* name, std::uint64_t bytes) {
    if (bytes != 0) add(name, std::to_string(bytes));
  };
  add("data_replicas", std::to_string(options.data_replicas));
  add("metadata_replicas", std::to_string(options.metadata_replicas));
  add("data_checksum", options.data_checksum);
  add("metadata_checksum", options.metadata_checksum);
  if (options.compression != "none") add("compression", options.compression);
  if (options.background_compression != "none") {
    add("background_compression", options.background_compression);
  }
  add_size("block_size", options.block_bytes);
  add_size("btree_node_size", options.node_bytes);
  add_size("bucket", options.bucket_bytes);
  for (const auto& [name, group] : options.targets) add(name, group);
  if (options.erasure_code) argv.push_back("--erasure_code");
  if (options.encryption) argv.push_back("--encrypted");
  if (options.discard) argv.push_back("--discard");
  argv.insert(argv.end(), options.arguments.begin(), options.arguments.end());
  // Options of a device hold for all after it, so each gets its own.
  for (const FormatMember& member : options.members) {
    if (!member.label.empty()) add("label", member.label);
    add("durability", std::to_string(member.durability));
    argv.push_back(member.path);
  }
  return argv;
}

std::map<std::string, std::string> expected_options(
    const FormatOptions& options) {
  std::map<std::string, std::string> expected = options.targets;
  expected["data_replicas"] = std::to_string(options.data_replicas);
  expected["metadata_replicas"] = std::to_string(options.metadata_replicas);
  expected["erasure_code"] = options.erasure_code ? "1" : "0";
  expected["compression"] = options.compression;
  expected["background_compression"] = options.background_compression;
  expected["data_checksum"] = options.data_checksum;
  expected["metadata_checksum"] = options.metadata_checksum;
  if (options.block_bytes != 0) {
    expected["block_size"] = std::to_string(options.block_bytes);
  }
  if (options.node_bytes != 0) {
    expected["btree_node_size"] = std::to_string(options.node_bytes);
  }
  return expected;
}

std::string mount_source(const FormatOptions& options) {
  std::string source;
  for (const FormatMember& member : options.members) {
    source += (source.empty() ? "" : ":") + member.path;
  }
  return source;
}

double raw_factor(const FormatOptions& options, const std::string& stripes) {
  const std::size_t slash = stripes.find('/');
  if (slash == std::string::npos) {
    return static_cast<double>(options.data_replicas);
  }
  const auto data = number_of(stripes.substr(0, slash));
  const auto all = number_of(stripes.substr(slash + 1));
  if (!data || !all || *data == 0) {
    throw Error(COWBENCH_INTERNAL, "stripes of \"" + stripes + "\"");
  }
  return static_cast<double>(*all) / static_cast<double>(*data);
}

std::string parse_version(const std::string& text) {
  for (const std::string& word : words_of(text)) {
    if (word.find_first_not_of("0123456789.") == std::string::npos &&
        word.find('.') != std::string::npos) {
      return word;
    }
  }
  return {};
}

}  // namespace cowbench::bcachefs
