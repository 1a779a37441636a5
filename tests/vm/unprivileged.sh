# SPDX-License-Identifier: Apache-2.0
# A user without root measures in a guest, with all of it in the result.
. "$(dirname "$0")/../system/lib.sh" || exit
. "$(dirname "$0")/guest.bash" || exit
requires_guest
requires_built
new_world
command_limit=800

# As a user without any power; the program is where it is.
user() {
  if [ "$(id -u)" -eq 0 ]; then
    setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all "$@"
  else
    "$@"
  fi
}
if [ "$(id -u)" -eq 0 ]; then
  chown -R 65534:65534 "$world"
  user test -x "$COWBENCH" || skip "another user cannot run $COWBENCH"
fi
mkdir -p "$world/home"
chmod 777 "$world/home"
state=$world/home/.local/state/cowbench work=$state/images
as_user() {
  user env -u COWBENCH_STATE_DIR -u XDG_STATE_HOME -u SUDO_UID \
    HOME="$world/home" timeout "$command_limit" "$COWBENCH" "$@"
}

it "measures a stack in a guest without root"
# shellcheck disable=SC2046
expect_exit 0 as_user $(in_guest --phases throughput) --results "$results"
expect_equal ok "$(job_outcome)"
expect_equal ok "$(phase_outcome throughput)"
expect_nothing_left
no_emulator || fail "an emulator is left"

it "says in the result what it ran in"
expect_equal "$guest" "$(from_result .guest.name)"
expect_equal writeback "$(from_result .guest.cache_mode)"
expect_match '^QEMU [0-9]' "$(from_result .guest.emulator)"
expect_equal true "$(from_result \
  '.environment.emulated == (.guest.accelerator == "tcg")')"
expect_equal true "$(from_result '.guest.boot_ns > 0')"
expect_equal true "$(from_result '.guest.kernel == .environment.kernel')"
expect_equal virtual "$(from_result '.members[0].kind')"
expect_equal data0 "$(from_result '.members[0].disk_of_guest.serial')"
expect_valid_results
expect_exit 0 cowbench show "$(newest_result)"
expect_text Guest accelerator boot_ns

it "drops the cache of the images on the host before cold reads"
cold=$(grep -rh '"type":"cold"' --include=events.jsonl "$results")
[ -n "$cold" ] || fail "nothing was read cold"
expect_equal true "$(jq -s 'all(.[]; .backing_dropped)' <<<"$cold")"

it "cleans its own without root, and nobody else's"
expect_exit 0 as_user clean
expect_text 'Nothing to clean'
if [ "$(id -u)" -eq 0 ]; then
  mkdir -p "$world/roots/ledgers"
  expect_exit 3 as_user clean --state-dir "$world/roots"
  expect_text 'needs root'
fi
