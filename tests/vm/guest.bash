# SPDX-License-Identifier: Apache-2.0
# What tests of guests share; sourced after lib.sh. Guests are emulated in most
# places, and then a boot takes a minute on a busy machine.

# requires_turn CHOSEN NAME: skips what the budget of this check leaves out.
# CHOSEN: names with blanks between them, or "all". Of these nothing begins
# after COWBENCH_VM_DEADLINE (seconds of the epoch).
requires_turn() {
  case " $1 " in
    *" all "* | *" $2 "*) ;;
    *) skip "not run: budget (./check --all-stacks runs everything)" ;;
  esac
  requires_time "${COWBENCH_VM_DEADLINE:-}"
}

requires_time() {
  [ -z "$1" ] || [ "$(date +%s)" -le "$1" ] ||
    skip "not run: budget (the time for guests was over)"
}

# Nothing at all begins in a guest after COWBENCH_CHECK_DEADLINE.
requires_guest() {
  requires_time "${COWBENCH_CHECK_DEADLINE:-}"
  requires_tool jq qemu-system-x86_64
  guest=$("$COWBENCH" vm list --json | jq -r '.guests[0].name // empty')
  [ -n "$guest" ] || skip "no guest is built: cowbench vm build"
}

# Emulators of this world.
emulators() { pgrep -f "^qemu-system-x86_64 .*$world/"; }
no_emulator() { [ -z "$(emulators)" ]; }
emulator_runs() { [ -n "$(emulators)" ]; }

# until_ready COMMAND...: as eventually, but as patient as guests need.
until_ready() {
  local deadline=$((SECONDS + 400))
  until "$@"; do
    [ "$SECONDS" -lt "$deadline" ] || fail "waited too long for: $*"
    kill -0 "$started" 2>/dev/null || {
      cat "$out" "$err" >"$said"
      fail "it ended before: $*"
    }
    sleep 0.2
  done
}

# events_say TEXT: the log of the only job of this world has it.
events_say() {
  grep -rqsF --include=events.jsonl -- "$1" "$results"
}

# in_guest ARGUMENT...: options of a short run in a guest.
in_guest() {
  echo "run --vm ext4-single --kernel $guest --profile $tiny $*"
}

# The worker's last words, or none, are in the result with what is known.
expect_lost_guest() {
  expect_match "$1" "$(job_reason)"
  [ -e "$(dirname "$(newest_result)")/raw/guest-console.txt" ] ||
    fail "the console was not kept"
  no_emulator || fail "an emulator is left: $(emulators)"
  expect_nothing_left
}
