// SPDX-License-Identifier: Apache-2.0
#include "lvm/lvm.hpp"

#include <cowbench/mounted.hpp>
#include <cstdio>

#include "lvm/group.hpp"
#include "lvm/mapping.hpp"
#include "lvm/read_back.hpp"
#include "lvm/support.hpp"

namespace cowbench::lvm {
namespace {

std::string seconds_text(double seconds) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f s", seconds);
  return text;
}

}  // namespace

void Lvm::check() {
  const Settings settings = read_settings(host());
  for (const std::string& fault :
       faults_of(settings, host().text("cache_group"))) {
    host().problem(fault);
  }
}

void Lvm::plan() {
  const Settings settings = read_settings(host());
  const Commands commands(settings, host().object_name());
  // What LVM will find in them is known only then: a label and a header take
  // the first MiB.
  const auto extents_in = [&](bool cache) {
    std::vector<std::uint64_t> all;
    for (const cowbench_device* device : host().devices()) {
      const bool fast = settings.cache != Cache::kNone &&
                        host().text("cache_group") == device->group;
      if (fast != cache) continue;
      all.push_back((device->size_bytes - (1U << 20)) / settings.extent_bytes);
    }
    return all;
  };
  const Extents extents =
      share_out(settings, extents_in(false), extents_in(true));
  for (const std::string& device : settings.devices()) {
    host().plan_command(commands.make_device(device, "<uuid>"));
  }
  host().plan_command(commands.make_group());
  host().plan_command(commands.make_base(extents.volume));
  for (const Argv& argv : commands.make_upper(extents)) {
    host().plan_command(argv);
  }
  if (settings.sized_by_pool()) {
    host().plan_command(commands.grow_volume("<extents>"));
  }
  // For what stands on it to plan with.
  host().add_output(
      "/dev/mapper/" + mapping_name(host().object_name(), kVolume),
      extents.volume * settings.extent_bytes);
}

void Lvm::versions() {
  host().version("lvm2", parse_version(host().run_checked({"lvm", "version"})));
  const std::string targets = host().run_checked({"dmsetup", "targets"});
  for (const NeededTarget& target : needed_targets(read_settings(host()))) {
    host().version("dm-" + target.type, target_version(targets, target.type));
  }
}

void Lvm::assemble() {
  const Settings settings = read_settings(host());
  const Group group(host(), settings);
  group.require_support();
  group.refuse_conflicts();
  const double waited = group.make();
  const ReadBack found = read_back(group);
  require_as_asked(settings, found);
  host().set_state("vg_uuid", found.group.text("vg_uuid"));
  host().set_state("volume_uuid", found.volume(kVolume).text("lv_uuid"));
  report_effective(host(), settings, found);
  if (settings.redundant()) {
    host().effective("first_sync", "complete after " + seconds_text(waited));
  }
  const Row& volume = found.volume(kVolume);
  host().add_output(volume.text("lv_dm_path"), volume.number("lv_size"));
}

void Lvm::disassemble() {
  const Settings settings = read_settings(host());
  Group(host(), settings).remove();
}

void Lvm::deactivate() {
  const Settings settings = read_settings(host());
  Group(host(), settings).deactivate();
}

void Lvm::activate() {
  const Settings settings = read_settings(host());
  Group(host(), settings).activate();
  verify();
}

void Lvm::verify() {
  const Settings settings = read_settings(host());
  const ReadBack found = read_back(Group(host(), settings));
  require_effective("uuid of the group", host().state("vg_uuid"),
                    found.group.text("vg_uuid"));
  require_effective("uuid of the volume", host().state("volume_uuid"),
                    found.volume(kVolume).text("lv_uuid"));
  require_as_asked(settings, found);
}

}  // namespace cowbench::lvm
