// SPDX-License-Identifier: Apache-2.0
// A made-up published history with everything that a page must get right:
// names that are markup, gaps, zeros, a change of method, curves.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export const hostile = "<img src=x onerror=alert(1)>";

const stacks = [
  ["btrfs", "raid1", true],
  ["btrfs", "single", null],
  ["ext4", "md-raid10", false],
  ["xfs", "md-raid10", "sometimes"],
  ["zfs", "mirror", true],
  [hostile, "</script><script>alert(2)</script>", true],
];

function results(run, s, intact) {
  const noise = 1 + 0.02 * (((run * 7 + s * 3) % 10) / 10);
  return {
    seqwrite_mbps: 100 * (s + 1) * noise,
    // In the runs up to 63 the file was read from memory.
    seqread_mbps: run <= 63 ? 2000 * noise : 300 * noise,
    randwrite_iops: 1000 * (s + 1) * noise,
    fsync_p99_ms: [1.5, 3, 200, 40, 12, 7][s] * noise,
    nearfull95_write_mbps: s === 0 ? 0 : 50 * noise,
    snapshot_create_ms: s === 2 ? null : 10 * noise,
    scrub_found: 100 + s,
    data_intact: intact === "sometimes" ? run % 3 !== 0 : intact,
    aging_mbps: Array.from({ length: 12 + s }, (_, i) => 90 - i * (s + 1)),
  };
}

export function write(folder, first = 60, last = 80) {
  for (let run = first; run <= last; ++run) {
    const path = join(folder, String(run));
    mkdirSync(path, { recursive: true });
    stacks.forEach(([fs, layout, intact], s) => {
      if (s === 4 && run % 5 === 0) return; // a gap
      const day = String(1 + Math.floor(run / 8)).padStart(2, "0");
      const hour = String((run % 8) * 3).padStart(2, "0");
      const document = {
        schema_version: 5,
        fs,
        layout,
        kernel: "7.0.0",
        version: "1.0",
        date: `2026-07-${day}T${hour}:00:00Z`,
        devices: "loop",
        ndev: 4,
        calibration: { seqwrite_mbps: 400, randwrite_iops: 14700 },
        results: results(run, s, intact),
      };
      writeFileSync(
        join(path, `result-${s}.json`),
        JSON.stringify(document),
      );
    });
  }
}
