// SPDX-License-Identifier: Apache-2.0
#include "vm/build.hpp"

#include <unistd.h>

#include <algorithm>

#include "base/json.hpp"
#include "base/text.hpp"
#include "base/units.hpp"
#include "system/clock.hpp"
#include "system/file.hpp"
#include "system/file_lock.hpp"
#include "system/filesystem.hpp"
#include "vm/builder.hpp"

namespace cowbench {

namespace {

std::string lines(const std::vector<std::string>& parts) {
  return join(parts, "\n");
}

// Shared by every build of a cache; waits for whoever builds there now.
Result<FileLock> lock_cache(const BuildRequest& request) {
  if (Status made = make_directories(request.cache); !made) {
    return made.error().within("make the cache " + request.cache);
  }
  bool told = false;
  while (true) {
    auto lock = FileLock::try_lock(request.cache + "/lock");
    if (!lock) return lock.error();
    if (lock->has_value()) return std::move(**lock);
    if (!told && request.warn) {
      request.warn("another build is at work in " + request.cache +
                   "; waiting for it to end");
    }
    told = true;
    if (request.should_stop && request.should_stop()) {
      return Error(Category::kCancelled,
                   "stopped while waiting for another build");
    }
    sleep_ns(200 * kNsPerMs);
  }
}

std::string first_line_with(const std::vector<std::string>& all,
                            std::string_view mark) {
  for (const std::string& line : all) {
    if (line.find(mark) != std::string::npos) return line;
  }
  return "";
}

}  // namespace

std::string compiler_reason(std::string_view log) {
  const auto all = split(log, '\n');
  std::string reason;
  for (const char* mark : {"configure: error:", " error: ", "error:", "ERROR:",
                           "Error! ", "*** "}) {
    reason = first_line_with(all, mark);
    if (!reason.empty()) break;
  }
  for (auto line = all.rbegin(); reason.empty() && line != all.rend(); ++line) {
    reason = std::string(trim(*line));
  }
  reason = std::string(trim(reason));
  if (reason.size() > 200) reason = valid_utf8(reason.substr(0, 197)) + "...";
  return reason;
}

std::vector<NeededTool> needed_tools(const Recipe& recipe) {
  std::vector<NeededTool> tools = {{"apt-get", "apt"},
                                   {"dpkg-deb", "dpkg"},
                                   {"mmdebstrap", "mmdebstrap"},
                                   {recipe.image.program, recipe.image.package},
                                   {"busybox", "busybox-static"},
                                   {"depmod", "kmod"},
                                   {"modprobe", "kmod"},
                                   {"strip", "binutils"},
                                   {"xz", "xz-utils"},
                                   {"zstd", "zstd"}};
  // The mapping of users that a build without root works in.
  if (geteuid() != 0) tools.push_back({"newuidmap", "uidmap"});
  for (NeededTool& tool : tools) {
    tool.found = find_program(tool.program).has_value();
  }
  tools.push_back(
      {recipe.keyring, "debian-archive-keyring", path_exists(recipe.keyring)});
  return tools;
}

Result<BuildResult> build_guest(const BuildRequest& request) {
  return Builder(request).build();
}

Builder::Builder(const BuildRequest& request)
    : request_(request), recipe_(request.recipe), store_(request.cache) {}

Status Builder::check_tools() const {
  std::vector<std::string> programs;
  std::vector<std::string> packages;
  for (const NeededTool& tool : needed_tools(recipe_)) {
    if (tool.found) continue;
    programs.push_back(tool.program);
    if (std::find(packages.begin(), packages.end(), tool.package) ==
        packages.end()) {
      packages.push_back(tool.package);
    }
  }
  if (programs.empty()) return {};
  return Error(
      Category::kEnvironment,
      "building a guest needs what is not installed: " + join(programs, ", ") +
          "; install it: apt-get install " + join(packages, " "));
}

Status Builder::check_space() const {
  std::vector<std::string> folders = {request_.cache};
  if (geteuid() != 0) folders.emplace_back("/var/tmp");  // of scratch()
  for (const std::string& folder : folders) {
    auto facts = filesystem_facts(folder);
    if (!facts) return facts.error();
    if (facts->available_bytes >= recipe_.space_bytes) continue;
    return Error(Category::kNoSpace,
                 "building a guest needs " + format_size(recipe_.space_bytes) +
                     " in " + folder + ", of which " +
                     format_size(facts->available_bytes) +
                     " are free; make room" +
                     (folder == request_.cache
                          ? ", or name another folder with --cache-dir"
                          : ""));
  }
  return {};
}

Status Builder::open_apt() {
  mirror_ = request_.mirror;
  if (mirror_.empty()) {
    auto found = host_mirror();
    if (!found) return found.error();
    mirror_ = *found;
  }
  std::vector<AptSource> sources = {{recipe_.suite, recipe_.components}};
  const auto add = [&](const std::string& suite,
                       const std::vector<std::string>& components) {
    for (const AptSource& source : sources) {
      if (source.suite == suite) return;
    }
    if (!suite.empty()) sources.push_back({suite, components});
  };
  for (const AlsoFrom& also : recipe_.root_also) {
    add(also.suite, also.components);
  }
  if (kernel_.path.empty()) add(kernel_.suite, recipe_.components);
  for (const ModulePart& part : recipe_.extra_modules) {
    add(part.suite, recipe_.components);
  }
  std::string name = mirror_;
  for (const AptSource& source : sources) {
    name += " " + source.suite + " " + join(source.components, ",");
  }
  apt_.emplace(store_.cache() + "/apt/" + content_key({name}), mirror_,
               recipe_.keyring, std::move(sources), request_.should_stop);
  const std::uint64_t started = now_ns();
  if (request_.begins) request_.begins("package lists");
  std::string why;
  auto updated = apt_->update(why);
  if (!updated) return updated.error();
  if (!*updated && request_.warn) {
    request_.warn("the mirror " + mirror_ + " does not answer (" + why +
                  "); going by the lists of an earlier time");
  }
  StageReport report;
  report.name = "package lists";
  report.seconds = static_cast<double>(now_ns() - started) / 1e9;
  report.bytes = disk_bytes(store_.cache() + "/apt/" + content_key({name}));
  if (request_.ends) request_.ends(report);
  reports_.push_back(report);
  return {};
}

Result<std::string> Builder::script(const std::string& name) const {
  return read_file(request_.scripts_folder + "/" + name);
}

Result<std::string> Builder::stage(const std::string& name,
                                   const std::string& key, const Make& make,
                                   const std::string& note) {
  StageReport report;
  report.name = name;
  report.note = note;
  report.cached = store_.has(name, key);
  if (!report.cached) {
    if (request_.begins) request_.begins(name);
    if (all_cached_) {
      // Asked here, so that a whole cache needs no space.
      if (Status space = check_space(); !space) return space.error();
    }
    all_cached_ = false;
    const std::uint64_t started = now_ns();
    auto folder = store_.begin(name, key);
    if (!folder) return folder.error();
    Status made = make(*folder);
    if (!made) {
      (void)store_.discard(name, key);
      return made.error().within(name);
    }
    if (Status done = store_.finish(name, key); !done) return done.error();
    report.seconds = static_cast<double>(now_ns() - started) / 1e9;
  }
  report.bytes = disk_bytes(store_.folder(name, key));
  if (request_.ends) request_.ends(report);
  reports_.push_back(report);
  return store_.folder(name, key);
}

namespace {

void write_modules(JsonWriter& json, const std::vector<ExtraModule>& modules) {
  json.key("extra_modules").begin_array();
  for (const ExtraModule& module : modules) {
    json.begin_object()
        .field("name", module.name)
        .field("version", module.version)
        .field("outcome", module.outcome);
    if (!module.reason.empty()) json.field("reason", module.reason);
    if (!module.log.empty()) json.field("log", module.log);
    json.end_object();
  }
  json.end_array();
}

void write_lines(JsonWriter& json, const char* key, const std::string& path) {
  json.key(key).begin_array();
  if (auto text = read_file(path)) {
    for (const std::string& line : split(*text, '\n')) {
      if (!line.empty()) json.value(line);
    }
  }
  json.end_array();
}

void write_packages(JsonWriter& json, const std::string& path) {
  json.key("packages").begin_object();
  if (auto text = read_file(path)) {
    for (const std::string& line : split(*text, '\n')) {
      const auto words = split(line, ' ');
      if (words.size() == 2) json.field(words[0], words[1]);
    }
  }
  json.end_object();
}

}  // namespace

Status Builder::write_guest(const std::string& key) {
  const std::string folder = store_.cache() + "/guests/" + request_.guest_name;
  if (Status made = make_directories(folder); !made) return made;
  std::vector<ExtraModule> modules;
  for (const BuiltModule& built : extra_) modules.push_back(built.module);
  JsonWriter json;
  json.begin_object()
      .field("format", 1)
      .field("name", request_.guest_name)
      .field("key", key)
      .field("suite", recipe_.suite)
      .field("kernel_release", kernel_.release)
      .field("kernel_source", kernel_.source)
      .field("kernel_fingerprint", kernel_.fingerprint)
      .field("mirror", mirror_)
      .field("vmlinuz", kernel_stage_ + "/vmlinuz")
      .field("initrd", initrd_stage_ + "/initrd.cpio")
      .field("root", root_stage_ + "/" + image_name("root"))
      .field("modules", modules_stage_ + "/" + image_name("modules"));
  const std::string cache = store_.cache() + "/";
  write_packages(json, cache + root_stage_ + "/packages");
  write_modules(json, modules);
  write_lines(json, "missing_modules", cache + modules_stage_ + "/missing");
  json.field("built_at", utc_now_iso8601()).key("recipe").raw(recipe_.json);
  json.key("seconds").begin_object();
  for (const StageReport& report : reports_) {
    if (!report.cached) json.field(report.name, report.seconds);
  }
  json.end_object().key("bytes").begin_object();
  for (const StageReport& report : reports_) {
    json.field(report.name, report.bytes);
  }
  json.end_object().end_object();
  auto document = parse_json(json.text());
  if (!document) return document.error();
  return write_file_durable(folder + "/guest.json",
                            pretty_json(*document) + "\n");
}

Result<BuildResult> Builder::conclude() {
  std::vector<std::string> keys = {root_key_, kernel_.key, modules_key_,
                                   initrd_key_, recipe_.json};
  for (const BuiltModule& built : extra_) {
    keys.push_back(built.key + built.module.outcome + built.module.reason);
  }
  const std::string key = content_key({lines(keys)});
  auto before = read_guest(store_.cache(), request_.guest_name);
  BuildResult result;
  result.nothing_to_do = all_cached_ && before && before->key == key;
  if (!result.nothing_to_do) {
    if (Status written = write_guest(key); !written) return written.error();
  }
  auto guest = read_guest(store_.cache(), request_.guest_name);
  if (!guest) return guest.error();
  result.guest = *std::move(guest);
  result.stages = std::move(reports_);
  return result;
}

Result<BuildResult> Builder::build() {
  if (Status tools = check_tools(); !tools) return tools.error();
  auto lock = lock_cache(request_);
  if (!lock) return lock.error();
  auto unfinished = store_.discard_unfinished();
  if (!unfinished) return unfinished.error();
  if (*unfinished > 0 && request_.warn) {
    request_.warn("threw away what an earlier build left unfinished (" +
                  std::to_string(*unfinished) +
                  (*unfinished == 1 ? " stage)" : " stages)"));
  }
  if (Status made = make_directories(store_.cache() + "/stages"); !made) {
    return made.error();
  }
  // Which suites there are to be depends on the kernel that is asked for.
  if (Status found = find_kernel(); !found) return found.error();
  if (Status root = build_root(); !root) return root.error();
  if (Status kernel = build_kernel(); !kernel) return kernel.error();
  for (const ModulePart& part : recipe_.extra_modules) {
    if (Status module = build_module(part); !module) return module.error();
  }
  if (Status modules = build_modules(); !modules) return modules.error();
  if (Status initrd = build_initrd(); !initrd) return initrd.error();
  return conclude();
}

}  // namespace cowbench
