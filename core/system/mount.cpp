// SPDX-License-Identifier: Apache-2.0
#include "system/mount.hpp"

#include <libmount/libmount.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <memory>

#include "base/text.hpp"
#include "system/clock.hpp"
#include "system/kernel_log.hpp"
#include "system/process_list.hpp"
#include "system/system_error.hpp"

namespace cowbench {
namespace {

struct FreeContext {
  void operator()(libmnt_context* context) const { mnt_free_context(context); }
};
using Context = std::unique_ptr<libmnt_context, FreeContext>;

Category category_of(libmnt_context* context) {
  if (mnt_context_syscall_called(context) == 0) return Category::kToolFailed;
  const int error = mnt_context_get_syscall_errno(context);
  return system_error("", "", error < 0 ? -error : error).category();
}

// What libmount says about the outcome of a mount or unmount.
Error context_error(libmnt_context* context, int outcome,
                    const std::string& action) {
  char text[512] = "";
  mnt_context_get_excode(context, outcome, text, sizeof text);
  std::string detail = text;
  if (detail.empty() && outcome < 0) detail = errno_text(-outcome);
  if (detail.empty()) {
    detail = "libmount says " + std::to_string(outcome);
  }
  return Error(category_of(context), action + ": " + detail);
}

// What the kernel has said since then, where it may be read: a refused mount
// itself only says "wrong type, bad option or bad superblock".
std::string kernel_comment(const Result<std::uint64_t>& position) {
  if (!position) return {};
  const auto records = kernel_warnings_since(*position);
  if (!records || records->empty()) return {};
  std::vector<std::string> texts;
  for (const auto& record : *records) texts.push_back(record.text);
  constexpr std::size_t kMostUseful = 5;
  if (texts.size() > kMostUseful) texts.resize(kMostUseful);
  return "; the kernel log says: " + join(texts, " | ");
}

bool is_regular_file(const std::string& path) {
  struct stat facts {};
  return stat(path.c_str(), &facts) == 0 && S_ISREG(facts.st_mode);
}

// One attempt; busy tells whether trying again makes sense.
Status unmount_once(const std::string& target, bool& busy) {
  busy = false;
  const Context context(mnt_new_context());
  if (!context) return system_error("unmount", target, ENOMEM);
  // Looking at the target would hang on a filesystem that is stuck.
  mnt_context_disable_canonicalize(context.get(), 1);
  mnt_context_set_target(context.get(), target.c_str());
  const int outcome = mnt_context_umount(context.get());
  if (outcome == 0 && mnt_context_get_status(context.get()) == 1) return {};
  if (mnt_context_syscall_called(context.get()) != 0) {
    const int error = mnt_context_get_syscall_errno(context.get());
    busy = error == EBUSY || error == -EBUSY;
  }
  return context_error(context.get(), outcome, "unmount " + target);
}

}  // namespace

Result<MountEntry> mount_filesystem(const MountRequest& request) {
  const std::string action = "mount " + request.source + " on " +
                             request.target + " as " + request.type;
  if (is_regular_file(request.source)) {
    return Error(Category::kUsage,
                 action +
                     ": the source is a regular file; attach it to a "
                     "loop device first");
  }
  const auto before = find_mount(request.target);
  const auto log_position = kernel_log_position();
  const Context context(mnt_new_context());
  if (!context) return system_error(action, "", ENOMEM);
  mnt_context_set_source(context.get(), request.source.c_str());
  mnt_context_set_target(context.get(), request.target.c_str());
  mnt_context_set_fstype(context.get(), request.type.c_str());
  if (!request.options.empty()) {
    mnt_context_set_options(context.get(), request.options.c_str());
  }
  const int outcome = mnt_context_mount(context.get());
  if (outcome != 0 || mnt_context_get_status(context.get()) != 1) {
    const auto error = context_error(context.get(), outcome, action);
    return Error(error.category(),
                 error.message() + kernel_comment(log_position));
  }
  const auto after = find_mount(request.target);
  if (!after || (before && before->id == after->id)) {
    return Error(Category::kToolFailed,
                 action +
                     ": claimed success, but the mount table does not "
                     "show it");
  }
  return *after;
}

Status unmount(const std::string& target, std::uint64_t timeout_ns) {
  const auto mounted = find_mount(target);
  if (!mounted) return {};
  const std::uint64_t deadline = now_ns() + timeout_ns;
  std::uint64_t pause = 50 * kNsPerMs;
  for (;;) {
    bool busy = false;
    const auto status = unmount_once(mounted->target, busy);
    const auto left = find_mount(mounted->target);
    // The entry may have gone by other hands; what counts is the table.
    if (!left || left->id != mounted->id) return {};
    if (now_ns() >= deadline || (!status && !busy)) {
      const std::string reason =
          status ? "unmount " + mounted->target +
                       ": claimed success, but the mount table still shows it"
                 : status.error().message();
      return Error(
          status ? Category::kToolFailed : status.error().category(),
          reason + "; " + describe_holders(holders_of(mounted->target)));
    }
    sleep_ns(pause);
    pause = std::min(pause * 2, 500 * kNsPerMs);
  }
}

}  // namespace cowbench
