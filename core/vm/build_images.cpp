// SPDX-License-Identifier: Apache-2.0
// The stages of the modules' image and of the initrd.
#include <algorithm>
#include <filesystem>

#include "base/text.hpp"
#include "system/file.hpp"
#include "vm/builder.hpp"
#include "vm/cpio.hpp"

namespace cowbench {

namespace {

namespace fs = std::filesystem;
using Texts = std::vector<std::string>;

constexpr char kModulesMethod[] = "modules 1";
constexpr char kInitrdMethod[] = "initrd 1";
// The forms in which a distribution packs a module.
constexpr const char* kModuleSuffixes[] = {".ko", ".ko.xz", ".ko.zst"};
// Programs take so many files at once without the command line overflowing.
constexpr std::size_t kFilesAtOnce = 200;

Status copy(const fs::path& from, const fs::path& to) {
  std::error_code error;
  fs::create_directories(to.parent_path(), error);
  if (!error) {
    fs::copy(from, to,
             fs::copy_options::recursive | fs::copy_options::skip_symlinks,
             error);
  }
  if (!error) return {};
  return Error(
      error == std::errc::no_space_on_device ? Category::kNoSpace
                                             : Category::kToolFailed,
      "copy " + from.string() + " to " + to.string() + ": " + error.message());
}

// The kernel's list of what is built in: a line "kernel/fs/x/x.ko" each.
bool built_in(const std::string& list, const std::string& wanted) {
  return list.find("kernel/" + wanted + "/") != std::string::npos ||
         list.find("kernel/" + wanted + ".ko") != std::string::npos;
}

Texts files_ending(const std::string& folder, const std::string& suffix) {
  Texts found;
  std::error_code error;
  for (fs::recursive_directory_iterator entry(folder, error), end;
       !error && entry != end; entry.increment(error)) {
    if (entry->path().extension() == suffix) {
      found.push_back(entry->path().string());
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

Status run_over(const Texts& program, const Texts& files,
                const ShouldStop& should_stop) {
  for (std::size_t at = 0; at < files.size(); at += kFilesAtOnce) {
    Command command;
    command.argv = program;
    const std::size_t end = std::min(files.size(), at + kFilesAtOnce);
    for (std::size_t i = at; i < end; ++i) command.argv.push_back(files[i]);
    if (auto ran = run_checked(command, should_stop); !ran) return ran.error();
  }
  return {};
}

// The files that loading a module takes, in order; empty: built in. An error:
// the kernel has no such module.
Result<Texts> files_for(const std::string& tree, const std::string& release,
                        const std::string& module) {
  Command ask;
  ask.argv = {"modprobe", "--dirname",      tree,  "--set-version",
              release,    "--show-depends", module};
  auto said = run_checked(ask);
  if (!said) return said.error();
  Texts files;
  for (const std::string& line : split(said->out, '\n')) {
    const auto words = split(line, ' ');
    if (words.size() > 1 && words[0] == "insmod") files.push_back(words[1]);
  }
  return files;
}

// Removes the packaged one of a module that was built anew.
void remove_packaged(const std::string& folder, const std::string& module) {
  std::error_code error;
  Texts doomed;
  for (fs::recursive_directory_iterator entry(folder, error), end;
       !error && entry != end; entry.increment(error)) {
    for (const char* suffix : kModuleSuffixes) {
      if (entry->path().filename() == module + suffix) {
        doomed.push_back(entry->path().string());
      }
    }
  }
  for (const std::string& file : doomed) (void)remove_tree(file);
}

}  // namespace

Status Builder::make_image(const std::string& from, const std::string& image,
                           bool owned_by_root) const {
  const ImageTool& tool = recipe_.image;
  Command command;
  command.argv = {tool.program};
  command.argv.insert(command.argv.end(), tool.arguments.begin(),
                      tool.arguments.end());
  if (owned_by_root) {
    command.argv.insert(command.argv.end(), tool.owned_by_root.begin(),
                        tool.owned_by_root.end());
  }
  command.argv.push_back(image);
  command.argv.push_back(from);
  auto ran = run_checked(command, request_.should_stop);
  return ran ? Status() : Status(ran.error());
}

// Copies what the recipe keeps; answers what the kernel does not have.
Status Builder::copy_modules(const std::string& to, Texts& missing) const {
  const std::string from = store_.cache() + "/" + kernel_stage_ + "/modules";
  for (const char* list :
       {"modules.order", "modules.builtin", "modules.builtin.modinfo"}) {
    if (!path_exists(from + "/" + list)) continue;
    if (Status done = copy(from + "/" + list, to + "/" + list); !done) {
      return done;
    }
  }
  auto list = read_file(from + "/modules.builtin");
  const std::string builtin = list ? *list : "";
  for (const std::string& wanted : recipe_.kernel.modules) {
    const std::string place = "/kernel/" + wanted;
    bool found = path_exists(from + place);
    if (found) {
      if (Status done = copy(from + place, to + place); !done) return done;
    }
    for (const char* suffix : kModuleSuffixes) {
      const std::string file = place + suffix;
      if (found || !path_exists(from + file)) continue;
      found = true;
      if (Status done = copy(from + file, to + file); !done) return done;
    }
    if (!found && !built_in(builtin, wanted)) missing.push_back(wanted);
  }
  return {};
}

Status Builder::copy_extra_modules(const std::string& to) const {
  for (const BuiltModule& built : extra_) {
    if (built.folder.empty()) continue;
    for (const std::string& file : list_folder(built.folder)) {
      const auto dot = file.find(".ko");
      if (dot == std::string::npos) continue;
      remove_packaged(to + "/kernel", file.substr(0, dot));
      if (Status done =
              copy(built.folder + "/" + file, to + "/updates/" + file);
          !done) {
        return done;
      }
    }
  }
  return {};
}

// Those that the initrd loads, numbered by their order in "order".
Status Builder::take_initrd_modules(const std::string& tree,
                                    const std::string& folder) const {
  std::string order;
  Texts taken;
  for (const std::string& module : recipe_.initrd_modules) {
    auto files = files_for(tree, kernel_.release, module);
    if (!files) {
      return Error(Category::kEnvironment,
                   "kernel " + kernel_.release + " lacks the module " + module +
                       ", without which a guest cannot start; it must be in "
                       "one of the folders under \"kernel\", \"modules\" of "
                       "the recipe");
    }
    for (const std::string& file : *files) {
      if (std::find(taken.begin(), taken.end(), file) != taken.end()) continue;
      taken.push_back(file);
      const std::string name = fs::path(file).filename().string();
      if (Status done = copy(file, folder + "/initrd-modules/" + name); !done) {
        return done;
      }
      order += name + "\n";
    }
  }
  if (Status made = make_directories(folder + "/initrd-modules"); !made) {
    return made;
  }
  return write_file_durable(folder + "/initrd-modules/order", order);
}

Status Builder::make_modules(const std::string& folder) {
  const std::string tree = folder + "/tree";
  const std::string to = tree + "/lib/modules/" + kernel_.release;
  Texts missing;
  if (Status made = make_directories(to); !made) return made;
  if (Status done = copy_modules(to, missing); !done) return done;
  if (Status done = copy_extra_modules(to); !done) return done;
  const ShouldStop& stop = request_.should_stop;
  if (Status done =
          run_over({"xz", "--decompress"}, files_ending(to, ".xz"), stop);
      !done) {
    return done;
  }
  if (Status done = run_over({"zstd", "--quiet", "--decompress", "--rm"},
                             files_ending(to, ".zst"), stop);
      !done) {
    return done;
  }
  if (Status done =
          run_over({"strip", "--strip-debug"}, files_ending(to, ".ko"), stop);
      !done) {
    return done;
  }
  Command index;
  index.argv = {"depmod", "--basedir", tree, kernel_.release};
  if (auto ran = run_checked(index, stop); !ran) return ran.error();
  for (const std::string& module : recipe_.modprobe) {
    if (!files_for(tree, kernel_.release, module)) missing.push_back(module);
  }
  if (Status put =
          write_file_durable(folder + "/missing", join(missing, "\n") + "\n");
      !put) {
    return put;
  }
  if (Status done = take_initrd_modules(tree, folder); !done) return done;
  const std::string image = folder + "/" + image_name("modules");
  if (Status made = make_image(tree, image, true); !made) return made;
  return remove_tree(tree);
}

Status Builder::build_modules() {
  Texts keys = {kModulesMethod,
                kernel_.key,
                join(recipe_.kernel.modules, " "),
                join(recipe_.modprobe, " "),
                join(recipe_.initrd_modules, " "),
                recipe_.image.program,
                recipe_.image.suffix,
                join(recipe_.image.arguments, " "),
                join(recipe_.image.owned_by_root, " ")};
  for (const BuiltModule& built : extra_) {
    if (!built.folder.empty()) keys.push_back(built.key);
  }
  modules_key_ = content_key(keys);
  modules_stage_ = StageStore::relative("modules", modules_key_);
  auto folder = stage("modules", modules_key_,
                      [&](const std::string& to) { return make_modules(to); });
  if (!folder) return folder.error();
  auto missing = read_file(*folder + "/missing");
  const std::string names =
      missing ? join(split(std::string(trim(*missing)), '\n'), ", ") : "";
  if (!names.empty() && request_.warn) {
    request_.warn("kernel " + kernel_.release +
                  " lacks modules that the recipe wants: " + names);
  }
  return {};
}

Status Builder::make_initrd(const std::string& folder) {
  CpioArchive archive;
  for (const char* name : {"bin", "dev", "proc", "sys", "modules"}) {
    archive.add_folder(name);
  }
  auto busybox = read_file(*find_program("busybox"));
  if (!busybox) return busybox.error();
  archive.add_file("bin/busybox", *busybox, 0755);
  for (const auto& [from, to] : {std::pair("init/initramfs-init", "init"),
                                 std::pair("init/guest-init", "guest-init")}) {
    auto text = script(from);
    if (!text) return text.error();
    archive.add_file(to, *text, 0755);
  }
  const std::string modules =
      store_.cache() + "/" + modules_stage_ + "/initrd-modules";
  for (const std::string& name : list_folder(modules)) {
    auto content = read_file(modules + "/" + name);
    if (!content) return content.error();
    archive.add_file("modules/" + name, *content);
  }
  return write_file_durable(folder + "/initrd.cpio",
                            std::move(archive).finish());
}

Status Builder::build_initrd() {
  auto busybox = read_file(*find_program("busybox"));
  if (!busybox) return busybox.error();
  // There is no loader and no library in an initrd.
  if (busybox->substr(0, 4096).find("/ld-linux") != std::string::npos) {
    return Error(Category::kEnvironment,
                 "the busybox of this host is not linked statically; install "
                 "it: apt-get install busybox-static");
  }
  Texts keys = {kInitrdMethod, modules_key_, *busybox};
  for (const char* name : {"init/initramfs-init", "init/guest-init"}) {
    auto text = script(name);
    if (!text) return text.error();
    keys.push_back(*text);
  }
  initrd_key_ = content_key(keys);
  initrd_stage_ = StageStore::relative("initrd", initrd_key_);
  auto folder = stage("initrd", initrd_key_,
                      [&](const std::string& to) { return make_initrd(to); });
  return folder ? Status() : Status(folder.error());
}

}  // namespace cowbench
