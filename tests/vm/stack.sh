# SPDX-License-Identifier: Apache-2.0
# stack.sh STACK: its smoke run in a fresh guest, held against everything that
# must be true of any stack. Which stacks run: COWBENCH_VM_STACKS, names with
# blanks between them, or "all"; none is the default, as each takes minutes.
# COWBENCH_VM_DEADLINE (seconds of the epoch): no stack begins after it.
stack=$1
. "$(dirname "$0")/../system/lib.sh" || exit
. "$(dirname "$0")/../system/smoke.bash" || exit
case " ${COWBENCH_VM_STACKS:-} " in
  *" all "* | *" $stack "*) ;;
  *) skip "not run: budget (./check --all-stacks runs every stack)" ;;
esac
if [ -n "${COWBENCH_VM_DEADLINE:-}" ] &&
  [ "$(date +%s)" -gt "$COWBENCH_VM_DEADLINE" ]; then
  skip "not run: budget (the time for stacks in guests was over)"
fi
requires_tool jq qemu-system-x86_64
requires_built
"$COWBENCH" vm list --json | jq -e '.guests | length > 0' >/dev/null ||
  skip "no guest is built: cowbench vm build"
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
printf 'TIME: %s %s s\n' "$stack" "$(from_result '.job.duration_ns / 1e9 | floor')"
