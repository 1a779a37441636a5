// SPDX-License-Identifier: Apache-2.0
#include "lvm/shares.hpp"

#include <algorithm>
#include <cowbench/mounted.hpp>
#include <cstdio>
#include <numeric>

namespace cowbench::lvm {
namespace {

std::string text_of(std::uint64_t number) { return std::to_string(number); }

std::uint64_t sum_of(const std::vector<std::uint64_t>& extents) {
  return std::accumulate(extents.begin(), extents.end(), std::uint64_t{0});
}

// Of all devices of the volume together. Of devices of several sizes a layout
// takes no more than of the smallest.
std::uint64_t granted_extents(const Settings& settings, const ReadBack& found) {
  const std::vector<std::uint64_t>& data = found.devices.data;
  std::uint64_t granted = 0;
  for (const std::uint64_t device : data) {
    const std::uint64_t usable =
        settings.type == "linear" ? device
                                  : *std::min_element(data.begin(), data.end());
    granted += usable * settings.volume_percent / 100;
  }
  return granted;
}

// The size of what LVM was told to make is exact, for the extents that it was
// given divide by the stripes. What it adds by itself must not go beyond the
// share; below, it may stay: a pool's metadata don't lie on every device for
// which they are reserved.
void require_volume_percent(const Settings& settings, const ReadBack& found) {
  const Extents planned =
      share_out(settings, found.devices.data, found.devices.cache);
  const std::string base = base_volume(settings);
  require_effective("size of " + base,
                    text_of(planned.volume * settings.extent_bytes),
                    found.volume(base).text("lv_size"));
  const std::uint64_t taken = taken_extents(settings, found);
  const std::uint64_t granted = granted_extents(settings, found);
  if (taken <= granted) return;
  throw Error(COWBENCH_TOOL_FAILED,
              "volume_percent: asked for " + text_of(settings.volume_percent) +
                  ", in effect is " +
                  percent_text(taken, sum_of(found.devices.data)) + ": " +
                  text_of(taken) + " extents are taken, and " +
                  text_of(granted) + " may be");
}

// Of the volume that the pool's data lie on, in bytes.
std::uint64_t pool_bytes(const Settings& settings, const ReadBack& found) {
  return found.volume(base_volume(settings)).number("lv_size");
}

}  // namespace

std::string percent_text(std::uint64_t part, std::uint64_t whole) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f",
                whole == 0 ? 0.0
                           : 100.0 * static_cast<double>(part) /
                                 static_cast<double>(whole));
  return text;
}

std::uint64_t taken_extents(const Settings& settings, const ReadBack& found) {
  const std::uint64_t all = found.group.number("vg_extent_count") -
                            found.group.number("vg_free_count");
  if (settings.cache == Cache::kNone) return all;
  const Row& fast = cache_volume(settings, found);
  const std::uint64_t bytes =
      fast.number("lv_size") + fast.number("lv_metadata_size");
  return all - std::min(all, bytes / settings.extent_bytes);
}

void require_virtual_size(const Settings& settings, std::uint64_t data,
                          std::uint64_t volume) {
  if (settings.sized_by_pool()) {
    if (volume <= data) return;
    throw Error(COWBENCH_TOOL_FAILED,
                "virtual_percent: the volume claims " +
                    percent_text(volume, data) +
                    " % of the pool's data, which cannot hold that much");
  }
  // LVM rounds up to whole extents.
  const std::uint64_t asked = virtual_extents(settings, data);
  if (volume == asked || volume == asked + 1) return;
  require_effective("extents for virtual_percent " + percent_text(asked, data),
                    text_of(asked), text_of(volume));
}

void require_thin_metadata(const Settings& settings,
                           const DeviceExtents& devices,
                           const std::string& reported) {
  // Asked for or not, it was made of so many extents.
  const Extents planned = share_out(settings, devices.data, devices.cache);
  require_effective("thin_metadata_size",
                    text_of(planned.metadata * settings.extent_bytes),
                    reported);
}

void require_shares(const Settings& settings, const ReadBack& found) {
  require_volume_percent(settings, found);
  if (settings.pool == Pool::kNone) return;
  require_virtual_size(
      settings, pool_bytes(settings, found) / settings.extent_bytes,
      found.volume(kVolume).number("lv_size") / settings.extent_bytes);
  if (settings.pool != Pool::kThin) return;
  require_thin_metadata(settings, found.devices,
                        found.volume(kPool).text("lv_metadata_size"));
}

void report_shares(const Host& host, const Settings& settings,
                   const ReadBack& found) {
  host.effective("volume_percent", percent_text(taken_extents(settings, found),
                                                sum_of(found.devices.data)));
  if (settings.pool == Pool::kNone) return;
  host.effective("virtual_percent",
                 percent_text(found.volume(kVolume).number("lv_size"),
                              pool_bytes(settings, found)));
}

}  // namespace cowbench::lvm
