// SPDX-License-Identifier: Apache-2.0
#include "vm/models.hpp"

#include "base/json.hpp"
#include "config/library.hpp"
#include "system/file.hpp"

namespace cowbench {

Result<DiskModels> parse_disk_models(std::string_view text,
                                     const std::string& path) {
  auto json = parse_json(text);
  if (!json) return json.error().within(path);
  const JsonValue* list = member_at(*json, "models");
  if (list == nullptr || !list->IsObject()) {
    return Error(Category::kUsage, path + ": there is no object \"models\"");
  }
  DiskModels models;
  for (const auto& one : list->GetObject()) {
    const std::string name = one.name.GetString();
    if (!one.value.IsObject() || string_at(one.value, "why").empty()) {
      return Error(Category::kUsage,
                   path + ": model \"" + name + "\" has no \"why\"");
    }
    models[name] = {uint_at(one.value, "iops"),
                    uint_at(one.value, "bytes_per_second")};
  }
  return models;
}

Result<DiskModels> load_disk_models() {
  const auto folders = default_config_search({});
  if (folders.empty()) {
    return Error(Category::kInternal,
                 "read the models of disks: where the program lies is not "
                 "known");
  }
  const std::string path = folders.back() / "member-models.json";
  auto text = read_file(path);
  if (!text) return text.error().within("read the models of disks");
  return parse_disk_models(*text, path);
}

}  // namespace cowbench
