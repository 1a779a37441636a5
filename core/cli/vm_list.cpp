// SPDX-License-Identifier: Apache-2.0
#include "base/json.hpp"
#include "base/units.hpp"
#include "cli/vm.hpp"
#include "report/table.hpp"
#include "vm/guest_image.hpp"

namespace cowbench {

namespace {

std::string modules_text(const GuestImage& guest) {
  std::string text;
  for (const ExtraModule& module : guest.extra_modules) {
    if (!text.empty()) text += ", ";
    text += module.name;
    if (!module.version.empty()) text += " " + module.version;
    if (module.outcome != "ok") text += " " + module.outcome;
  }
  return text;
}

std::string list_json(const GuestList& list) {
  JsonWriter json;
  json.begin_object().key("guests").begin_array();
  for (const GuestImage& guest : list.guests) {
    json.begin_object()
        .field("name", guest.name)
        .field("suite", guest.suite)
        .field("kernel_release", guest.kernel_release)
        .field("kernel_source", guest.kernel_source)
        .field("key", guest.key)
        .field("cache", guest.cache)
        .field("built_at", guest.built_at)
        .field("bytes", guest.bytes);
    json.key("extra_modules").begin_array();
    for (const ExtraModule& module : guest.extra_modules) {
      json.begin_object()
          .field("name", module.name)
          .field("version", module.version)
          .field("outcome", module.outcome)
          .field("reason", module.reason)
          .field("log", module.log)
          .end_object();
    }
    json.end_array().end_object();
  }
  json.end_array().key("unusable").begin_array();
  for (const UnusableGuest& guest : list.unusable) {
    json.begin_object()
        .field("path", guest.path)
        .field("reason", guest.reason)
        .end_object();
  }
  return json.end_array().end_object().text() + "\n";
}

}  // namespace

int vm_list(const CommandLine& line, const VmWords& words) {
  if (!words.empty()) {
    return fail(
        {"vm list: takes no further words, found \"" + words.front() + "\""},
        kExitUsage);
  }
  const auto caches = guest_cache_folders(line.text("cache-dir"));
  const GuestList list = list_guests(caches);
  if (line.has("json")) {
    print(list_json(list));
    return kExitOk;
  }
  for (const UnusableGuest& guest : list.unusable) {
    complain("not usable: " + guest.reason +
             "; build it again: cowbench vm build");
  }
  if (list.guests.empty()) {
    print("There is no guest yet; build one: cowbench vm build\n");
    return kExitOk;
  }
  Table table;
  table.columns = {{"name"},  {"kernel"},        {"size", Align::kRight},
                   {"built"}, {"extra modules"}, {"folder"}};
  for (const GuestImage& guest : list.guests) {
    TableRow row;
    row.cells = {guest.name,     guest.kernel_release, format_size(guest.bytes),
                 guest.built_at, modules_text(guest),  guest.cache};
    table.rows.push_back(std::move(row));
  }
  print(table_text(table));
  for (const GuestImage& guest : list.guests) {
    for (const ExtraModule& module : guest.extra_modules) {
      if (module.outcome == "ok") continue;
      print(guest.name + ": " + module.name + " is " + module.outcome + ": " +
            module.reason + "\n");
    }
  }
  return kExitOk;
}

}  // namespace cowbench
