# SPDX-License-Identifier: Apache-2.0
# The vocabulary of the system tests. A test sources this file, says what it
# requires, makes a world of its own, and then tells its behaviours:
#
#   . "$(dirname "$0")/lib.sh" || exit
#   requires_loop
#   new_world
#   it "measures a stack and leaves nothing behind"
#   expect_exit 0 cowbench run ext4-single --profile "$tiny" --phases sparse
#   expect_equal ok "$(job_outcome)"
#
# ctest gives the program in COWBENCH. Exit code 77: skipped.
set -uo pipefail

# As the program itself does: a user's own path may lack them.
PATH=$PATH:/usr/sbin:/sbin

fixtures=$(cd "${BASH_SOURCE[0]%/*}/../fixtures" && pwd)
# A profile whose jobs are over in seconds.
tiny=$fixtures/profiles/tiny.json
: "${COWBENCH:?give the path of the program under test}"
COWBENCH=$(realpath "$COWBENCH")
# The tests' own plugins and programs.
built=${COWBENCH_TESTS_BUILT:-${COWBENCH%/bin/*}/tests/system}
behaviour=setup

skip() {
  echo "SKIP: $*"
  exit 77
}

requires_root() {
  [ "$(id -u)" -eq 0 ] || skip "needs root"
}

requires_loop() {
  requires_root
  [ -w /dev/loop-control ] || skip "this machine has no loop devices"
}

# requires_tool PROGRAM...
requires_tool() {
  local tool
  for tool in "$@"; do
    command -v "$tool" >/dev/null || skip "the program $tool is not installed"
  done
}

requires_built() {
  [ -d "$built/plugins" ] || skip "the tests' own plugins are not in $built"
}

# it SENTENCE: names the behaviour that the lines after it show.
it() {
  behaviour=$1
  echo "- $behaviour"
}

# fail TEXT...: ends the test, with what the last command said.
fail() {
  echo "FAILED: $behaviour" >&2
  printf '  %s\n' "$@" >&2
  if [ -s "${said:-}" ]; then
    echo "  the last command said:" >&2
    sed 's/^/    /' "$said" >&2
  fi
  exit 1
}

# new_world: a folder with state/, results/ and work/ that lasts as long as the
# test. At the end everything registered with at_end is undone, and the test
# fails if a loop device, mount, ledger or process of this world is left.
new_world() {
  world=$(mktemp -d /var/tmp/cowbench-test.XXXXXX)
  state=$world/state results=$world/results work=$world/work
  # Standard output, standard error and both of the last expect_exit.
  out=$world/out err=$world/err said=$world/said
  # Marks every program that this test starts.
  export COWBENCH_TEST_WORLD=$world
  export TMPDIR=$world/tmp
  mkdir --mode=1777 "$TMPDIR"
  at_end_commands=()
  trap end_world EXIT
  trap 'exit 129' HUP INT TERM
}

# patient_profile FILE: $tiny, for machines where everything takes ten times as
# long.
patient_profile() {
  sed "s/\"1min\"/\"10min\"/; s/\"tiny\"/\"$(basename "$1" .json)\"/" \
    "$tiny" >"$1"
}

# at_end COMMAND...: runs when the test ends, last registered first.
at_end() {
  at_end_commands+=("$(printf '%q ' "$@")")
}

end_world() {
  local code=$? i left
  trap - EXIT
  for ((i = ${#at_end_commands[@]} - 1; i >= 0; --i)); do
    eval "${at_end_commands[i]}" >/dev/null 2>&1
  done
  left=$(left_behind "$world")
  if [ -n "$left" ]; then
    # A test that has failed already may well leave things.
    if [ "$code" -eq 0 ]; then
      echo "FAILED: $behaviour" >&2
      code=1
    fi
    echo "left behind in $world:" >&2
    sed 's/^/  /' <<<"$left" >&2
    remove_remains
  fi
  chattr -R -i "$world" 2>/dev/null
  rm -rf --one-file-system "$world"
  exit "$code"
}

# Programs that carry this world's mark. The shell itself carries none: it was
# started before the mark was made.
processes_of_world() {
  local pid pids
  pids=$(grep -lsz "^COWBENCH_TEST_WORLD=$world\$" /proc/[0-9]*/environ |
    cut -d/ -f3)
  # Those that did the looking have ended by now.
  for pid in $pids; do
    [ -d "/proc/$pid" ] && echo "$pid"
  done
  true
}

no_processes() { [ -z "$(processes_of_world)" ]; }

# Mount points below a folder, innermost first.
mounts_below() {
  awk -v below="$1/" 'index($5, below) == 1 { print $5 }' \
    /proc/self/mountinfo | sort -r
}

# Loop devices over files below a folder.
loops_below() {
  losetup --noheadings --raw --output NAME,BACK-FILE 2>/dev/null |
    awk -v below="$1/" 'index($2, below) == 1 { print $1 }'
}

# left_behind FOLDER...: what is left of this world, a line each; nothing:
# empty. Mounts and loop devices count where they have to do with a FOLDER.
left_behind() {
  local folder pid item
  for pid in $(processes_of_world); do
    echo "process $pid: $(tr '\0' ' ' <"/proc/$pid/cmdline" 2>/dev/null)"
  done
  for folder in "$@"; do
    for item in $(mounts_below "$folder"); do echo "mount $item"; done
    for item in $(loops_below "$folder"); do echo "loop device $item"; done
  done
  for item in "$state"/ledgers/* "$state"/run/* "$work"/* "$TMPDIR"/*; do
    [ -e "$item" ] && echo "$item"
  done
  true
}

remove_remains() {
  local item
  for item in $(processes_of_world); do kill -KILL "$item" 2>/dev/null; done
  eventually no_processes
  for item in $(mounts_below "$world"); do umount "$item"; done
  for item in $(loops_below "$world"); do losetup --detach "$item"; done
}

# expect_nothing_left: all that the program made in this world is gone; what
# the test itself made elsewhere in it may be there.
expect_nothing_left() {
  local left
  left=$(left_behind "$state" "$work")
  [ -z "$left" ] || fail "left behind:" "$left"
}

# Seconds that one command may take; a test that runs long jobs raises it.
command_limit=120

# cowbench COMMAND ARGUMENT...: the program, in this world.
cowbench() {
  timeout --kill-after=20 "$command_limit" "$COWBENCH" "$1" $(folders_for "$1") "${@:2}"
}

# Its options for this world; no folder of a world has a blank in its name.
folders_for() {
  case $1 in
    run) echo "--state-dir $state --work-dir $work --results $results" ;;
    clean | doctor) echo "--state-dir $state" ;;
  esac
}

# start_cowbench COMMAND ARGUMENT...: in the background, as $started, with its
# output in $out and $err. A shell's background processes ignore SIGINT, so
# that is put right.
start_cowbench() {
  # Emptied here, so that nobody finds what an earlier one said.
  : >"$said" >"$out" >"$err"
  env --default-signal=INT,QUIT \
    "$COWBENCH" "$1" $(folders_for "$1") "${@:2}" >"$out" 2>"$err" &
  started=$!
}

# expect_event TEXT: what start_cowbench started says it, at last.
expect_event() {
  eventually said_or_ended "$1" && grep -qF -- "$1" "$out" && return
  cat "$out" "$err" >"$said"
  fail "no event: $1"
}

said_or_ended() {
  grep -qF -- "$1" "$out" || ! kill -0 "$started" 2>/dev/null
}

# expect_end CODE: what start_cowbench started ends with that exit code.
expect_end() {
  local code=0
  wait "$started" 2>/dev/null || code=$?
  cat "$out" "$err" >"$said"
  [ "$code" -eq "$1" ] || fail "exit code $code, expected $1"
}

# expect_exit CODE COMMAND ARGUMENT...
expect_exit() {
  local code=0
  "${@:2}" >"$out" 2>"$err" </dev/null || code=$?
  cat "$out" "$err" >"$said"
  [ "$code" -eq "$1" ] || fail "exit code $code, expected $1, of: ${*:2}"
}

# expect_text TEXT...: the last command said each of these.
expect_text() {
  local text
  for text in "$@"; do
    grep -qF -- "$text" "$said" || fail "not said: $text"
  done
}

expect_no_text() {
  local text
  for text in "$@"; do
    grep -qF -- "$text" "$said" && fail "said, but should not be: $text"
  done
  true
}

# expect_equal WANTED FOUND
expect_equal() {
  [ "$1" = "$2" ] || fail "found \"$2\", expected \"$1\""
}

# expect_match REGULAR-EXPRESSION TEXT: a line of the text matches.
expect_match() {
  grep -qE -- "$1" <<<"$2" || fail "found \"$2\", expected /$1/"
}

# eventually COMMAND...: true as soon as it succeeds; false after 100 seconds,
# which a busy machine may well take.
eventually() {
  local deadline=$((SECONDS + 100))
  until "$@"; do
    [ "$SECONDS" -lt "$deadline" ] || return 1
    sleep 0.05
  done
}

# The result.json of the newest job of this world.
newest_result() {
  find "$results" -name result.json -printf '%T@ %p\n' 2>/dev/null |
    sort -n | tail -1 | cut -d' ' -f2-
}

# from_result JQ-FILTER: of the newest job's result.
from_result() {
  local result
  result=$(newest_result)
  [ -n "$result" ] || fail "there is no result.json"
  jq -r "$1" "$result"
}

job_outcome() { from_result .job.outcome; }
job_reason() { from_result .job.reason; }

# phase_outcome PHASE, phase_reason PHASE
phase_outcome() {
  from_result ".phases[] | select(.name == \"$1\") | .outcome"
}
phase_reason() {
  from_result ".phases[] | select(.name == \"$1\") | .reason"
}

# expect_valid_results: what this world wrote is what the published schema
# describes. Needs requires_built.
expect_valid_results() {
  find "$results" -name result.json -print0 | xargs -0 --no-run-if-empty \
    "$built/schema-check" "$fixtures/../../configs/schema/result.schema.json" \
    >"$said" 2>&1 || fail "a result is not what the schema describes"
}

# loop_over NAME SIZE [OPTION]...: a loop device over a new sparse file of this
# world, as $loop. It is detached at the end.
loop_over() {
  truncate -s "$2" "$world/$1"
  loop=$(losetup --find --show "${@:3}" "$world/$1") ||
    fail "attach a loop device"
  at_end losetup --detach "$loop"
}
