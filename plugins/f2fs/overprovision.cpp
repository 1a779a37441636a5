// SPDX-License-Identifier: Apache-2.0
#include "f2fs/overprovision.hpp"

#include <algorithm>
#include <cowbench/error.hpp>
#include <cstdio>
#include <cstdlib>

namespace cowbench::f2fs {
namespace {

double number(const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (!text.empty() && *end == '\0') return value;
  throw Error(COWBENCH_TOOL_FAILED,
              "overprovision_segments is not a number: " + text);
}

// mkfs.f2fs first reserves sections for its own cleaning, the more the smaller
// the share, and takes the share of what is left.
double share_of(const Superblock& superblock, double percent, double reserved) {
  const double left = std::max(0.0, superblock.main_segments - reserved);
  return left * percent / 100;
}

// Since 1.16: at least what is reserved, and two sections so that cleaning
// begins in time.
double segments_since_116(const Superblock& superblock, double percent) {
  const double section = superblock.segments_per_section;
  const double reserved = (100 / percent + 1 + 6) * section;
  return std::max(share_of(superblock, percent, reserved), reserved) +
         2 * section;
}

// Up to 1.15: what is reserved comes on top.
double segments_until_115(const Superblock& superblock, double percent) {
  const double section = superblock.segments_per_section;
  const double reserved = (2 * (100 / percent + 1) + 6) * section;
  return share_of(superblock, percent, reserved) + reserved;
}

}  // namespace

void require_overprovision(const Superblock& superblock, double percent,
                           const std::string& segments) {
  if (percent <= 0) return;
  const double found = number(segments);
  // Releases differ in where they round, by a section each time.
  const double tolerance = 2 * superblock.segments_per_section;
  const double since_116 = segments_since_116(superblock, percent);
  const double until_115 = segments_until_115(superblock, percent);
  for (const double expected : {since_116, until_115}) {
    if (found >= expected - tolerance && found <= expected + tolerance) return;
  }
  char text[200];
  std::snprintf(
      text, sizeof text,
      "overprovision_percent: asked for %g, which makes %.0f segments "
      "of %u, or %.0f with mkfs.f2fs before 1.16; in effect are %s",
      percent, since_116, superblock.main_segments, until_115,
      segments.c_str());
  throw Error(COWBENCH_TOOL_FAILED, text);
}

std::string overprovision_text(const Superblock& superblock,
                               const std::string& segments) {
  const double all = superblock.main_segments;
  char text[32];
  std::snprintf(text, sizeof text, "%.2f",
                all > 0 ? 100 * number(segments) / all : 0.0);
  return text;
}

}  // namespace cowbench::f2fs
