# SPDX-License-Identifier: Apache-2.0
# clean leaves alone what lives, announces what it would remove, and says what
# it could not.
. "$(dirname "$0")/lib.sh" || exit
requires_loop
requires_tool jq mkfs.ext4 pgrep setpriv
new_world

# dead_job: a job whose supervisor and worker were killed with the stack up.
dead_job() {
  start_cowbench run ext4-single --profile "$tiny" --phases sparse --events \
    --set sparse.samples=200
  expect_event '"type":"phase-start"'
  kill -KILL "$started" $(pgrep -f "internal-worker [0-9]+ $state/")
  wait "$started" 2>/dev/null
  eventually no_processes || fail "the job's processes live on"
  mounted=$(mounts_below "$state" | grep '/mnt$')
  attached=$(loops_below "$work")
  [ -n "$mounted" ] && [ -n "$attached" ] || fail "nothing was left to clean"
}

it "finds nothing where nothing ever ran"
expect_exit 0 cowbench clean
expect_text 'Nothing to clean'
[ ! -e "$state" ] || fail "a folder was made"

it "needs root for what is not the user's own, except to look"
chmod 755 "$world"
mkdir -p "$state/ledgers"
as_nobody=(setpriv --reuid=65534 --regid=65534 --clear-groups)
if "${as_nobody[@]}" "$COWBENCH" --version >/dev/null 2>&1; then
  expect_exit 3 "${as_nobody[@]}" "$COWBENCH" clean $(folders_for clean)
  expect_text sudo
  expect_exit 0 "${as_nobody[@]}" "$COWBENCH" clean --dry-run \
    $(folders_for clean)
fi

it "leaves a job alone that is still running"
start_cowbench run ext4-single --profile "$tiny" --phases sparse --events \
  --set sparse.samples=50
expect_event '"type":"phase-start"'
running_out=$out
out=$world/clean.out
expect_exit 0 cowbench clean
expect_text 'still running, left alone'
expect_no_text removed
expect_exit 0 cowbench clean --json
expect_equal true "$(jq '.ledgers[0].live' "$out")"
out=$running_out
expect_end 0
expect_equal ok "$(job_outcome)"

it "a dry run announces everything and touches nothing"
dead_job
expect_exit 0 cowbench clean --dry-run
expect_text "would remove: mount $mounted" "would remove: loop device over" \
  "would remove: image" "would remove: folder" "would remove: processes"
expect_no_text '  removed:'
expect_equal "$mounted" "$(mounts_below "$state" | grep '/mnt$')"
expect_equal "$attached" "$(loops_below "$work")"

it "doctor tells of the dead job"
expect_exit 3 cowbench doctor
expect_text 'left things behind; run: cowbench clean'

it "says what it could not remove, and removes it when it can"
sleep 60 <"$mounted" &
holder=$!
expect_exit 1 cowbench clean
expect_text "NOT REMOVED: mount $mounted" "$holder"
kill "$holder"
wait "$holder" 2>/dev/null
expect_exit 0 cowbench clean
expect_text "removed: mount $mounted"
expect_nothing_left
expect_exit 0 cowbench clean
expect_text 'Nothing to clean'

it "makes a result of the dead job's log"
expect_equal interrupted "$(job_outcome)"

it "a new run cleans up first"
dead_job
expect_exit 0 cowbench run ext4-single --profile "$tiny" --phases sparse
expect_text 'cleaned up after job'
expect_nothing_left
expect_equal 2 "$(grep -l '"outcome": *"interrupted"' \
  $(find "$results" -name result.json) | wc -l)"

it "keeps a ledger of another version and says so"
echo '{"ledger":99,"job_id":"later"}' >"$state/ledgers/later.jsonl"
expect_exit 1 cowbench clean
expect_text "$state/ledgers/later.jsonl: written by another version"
[ -e "$state/ledgers/later.jsonl" ] || fail "the ledger is gone"
rm "$state/ledgers/later.jsonl"
