# SPDX-License-Identifier: Apache-2.0
# A machine below the floors of calibration is told apart, not measured.
. "$(dirname "$0")/lib.sh" || exit
requires_loop
requires_tool jq mkfs.ext4 fio
new_world

it "marks the job and ends it before anything is built"
expect_exit 0 cowbench run ext4-single --profile "$tiny" \
  --phases calibration,sparse --set calibration.floor_seqwrite_mbps=1000000
expect_equal 'weak host' "$(from_result '.job.marks[0].name')"
expect_match 'calibration_seqwrite_mbps|MiB/s' \
  "$(from_result '.job.marks[0].reason')"
expect_equal ok "$(phase_outcome calibration)"
expect_equal not-available "$(phase_outcome sparse)"
expect_match '^not started: weak host' "$(phase_reason sparse)"
expect_equal false "$(from_result '.stack | has("mount") and (.mount != null)')"
expect_nothing_left
