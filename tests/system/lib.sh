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

fixtures=$(cd "${BASH_SOURCE[0]%/*}/../fixtures" && pwd)
# A profile whose jobs are over in seconds.
tiny=$fixtures/profiles/tiny.json
: "${COWBENCH:?give the path of the program under test}"
COWBENCH=$(realpath "$COWBENCH")
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
  at_end_commands=()
  trap end_world EXIT
  trap 'exit 129' HUP INT TERM
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
  left=$(left_behind)
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

# Programs that carry this world's mark. The marks of threads of the shell
# itself are none: it was started before the mark was made.
processes_of_world() {
  grep -lsz "^COWBENCH_TEST_WORLD=$world\$" /proc/[0-9]*/environ |
    grep -v "^/proc/self/" | cut -d/ -f3 |
    while read -r pid; do
      [ -d "/proc/$pid" ] && [ "$(comm_of "$pid")" != grep ] && echo "$pid"
    done
  true
}

comm_of() {
  cat "/proc/$1/comm" 2>/dev/null
}

mounts_of_world() {
  awk -v below="$world/" 'index($5, below) == 1 { print $5 }' \
    /proc/self/mountinfo | sort -r
}

loops_of_world() {
  losetup --noheadings --raw --output NAME,BACK-FILE 2>/dev/null |
    awk -v below="$world/" 'index($2, below) == 1 { print $1 }'
}

# What is left of this world, a line each; nothing: empty.
left_behind() {
  local pid item
  for pid in $(processes_of_world); do
    echo "process $pid: $(tr '\0' ' ' <"/proc/$pid/cmdline" 2>/dev/null)"
  done
  for item in $(mounts_of_world); do echo "mount $item"; done
  for item in $(loops_of_world); do echo "loop device $item"; done
  for item in "$state"/ledgers/* "$state"/run/* "$work"/*; do
    [ -e "$item" ] && echo "$item"
  done
  true
}

remove_remains() {
  local item
  for item in $(processes_of_world); do kill -KILL "$item" 2>/dev/null; done
  for item in $(mounts_of_world); do umount "$item"; done
  for item in $(loops_of_world); do losetup --detach "$item"; done
}

# expect_nothing_left: all that this world made on the system is gone.
expect_nothing_left() {
  local left
  left=$(left_behind)
  [ -z "$left" ] || fail "left behind:" "$left"
}

# cowbench COMMAND ARGUMENT...: the program, in this world, for two minutes at
# most.
cowbench() {
  timeout --kill-after=20 120 "$COWBENCH" "$1" $(folders_for "$1") "${@:2}"
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
  : >"$said"
  env --default-signal=INT,QUIT \
    "$COWBENCH" "$1" $(folders_for "$1") "${@:2}" >"$out" 2>"$err" &
  started=$!
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

# eventually COMMAND...: true as soon as it succeeds; false after 30 seconds.
eventually() {
  local deadline=$((SECONDS + 30))
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

job_outcome() { from_result .outcome; }
job_reason() { from_result .reason; }

# phase_outcome PHASE, phase_reason PHASE
phase_outcome() {
  from_result ".phases[] | select(.phase == \"$1\") | .outcome"
}
phase_reason() {
  from_result ".phases[] | select(.phase == \"$1\") | .reason"
}

# loop_over NAME SIZE [OPTION]...: a loop device over a new sparse file of this
# world, as $loop. It is detached at the end.
loop_over() {
  truncate -s "$2" "$world/$1"
  loop=$(losetup --find --show "${@:3}" "$world/$1") ||
    fail "attach a loop device"
  at_end losetup --detach "$loop"
}
