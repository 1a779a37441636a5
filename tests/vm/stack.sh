# SPDX-License-Identifier: Apache-2.0
# stack.sh STACK: its smoke run in a fresh guest, held against everything that
# must be true of any stack. Which stacks run: COWBENCH_VM_STACKS, names with
# blanks between them, or "all"; none is the default, as each takes minutes.
# COWBENCH_VM_DEADLINE (seconds of the epoch): no stack begins after it.
stack=$1
. "$(dirname "$0")/../system/lib.sh" || exit
. "$(dirname "$0")/../system/smoke.bash" || exit
. "$(dirname "$0")/guest.bash" || exit
requires_turn "${COWBENCH_VM_STACKS:-}" "$stack"
requires_guest
requires_built
new_world
command_limit=800

# One boot, all phases; what emulation may take is in the issue: 150 s.
it "runs every phase on $stack in a guest"
expect_exit 0 cowbench run --vm "$stack" --profile smoke
expect_equal ok "$(job_outcome)"
expect_none "phases that are not ok" \
  '.phases[] | select(.outcome != "ok") | "\(.name): \(.reason)"'
expect_equal '[]' "$(from_result '.left_over | tostring')"
expect_none "errors in the log" '.log[] | select(.level == "error") | .text'
expect_nothing_left

it "has every figure, and each is one that can be"
expect_declared_figures
expect_plausible_figures

it "proves that cold was cold"
expect_cold_proofs

it "accounts for what the members did"
expect_accounting

it "read back what was asked for"
expect_none "layers without parameters in effect" \
  '.stack.layers[] | select(.effective | length == 0) | .name'
expect_parameters_read_back

it "writes what the schema describes"
expect_valid_results

# 150 s on a machine that does nothing else; more only shows that it does.
it "is quick enough for an emulated guest"
took=$(from_result '.job.duration_ns / 1e9 | floor')
printf 'TIME: %s %s s, load %s\n' "$stack" "$took" \
  "$(cut -d' ' -f1 /proc/loadavg)"
[ "$took" -le 450 ] || fail "it took $took s"
