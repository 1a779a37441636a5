# SPDX-License-Identifier: Apache-2.0
# What can be asked without root: plugins, lists, help, man page, completion.
. "$(dirname "$0")/lib.sh" || exit
requires_tool jq
new_world

it "lists the plugins and refuses none"
expect_exit 0 "$COWBENCH" plugin list
expect_text ext4 xfs btrfs throughput calibration
expect_exit 0 "$COWBENCH" plugin list --json
expect_equal '[]' "$(jq -c .refused "$out")"
expect_equal '[]' "$(jq -c .warnings "$out")"
names=$(jq -r '.plugins[].name' "$out")

it "describes every plugin completely"
# shellcheck disable=SC2086
expect_exit 0 "$COWBENCH" plugin describe $names --json
expect_equal "$(wc -w <<<"$names")" "$(jq '.plugins | length' "$out")"
jq -e '.plugins | all(.id and .version and .summary and .licence and
  ([.options[] | .summary] | all(. != "")) and
  ([.metrics[] | .definition] | all(. != "")) and
  (.kind == "backend" or (.metrics | length > 0)))' "$out" >/dev/null ||
  fail "a description lacks something"
for name in $names; do
  expect_exit 0 "$COWBENCH" plugin describe "$name"
  expect_text "$name" 'built with'
done

it "lists stacks, profiles, phases and backends, all usable"
for what in stacks profiles phases backends; do
  expect_exit 0 "$COWBENCH" list "$what"
  expect_no_text 'NOT USABLE'
  expect_exit 0 "$COWBENCH" list "$what" --json
  jq -e ".$what | length > 0 and all(.name != \"\" and .summary != \"\")" \
    "$out" >/dev/null || fail "the list of $what lacks something"
done

it "helps with every command, on standard output"
expect_exit 0 "$COWBENCH" --version
expect_exit 0 "$COWBENCH" help
commands=$(sed -n '/^Commands$/,/^$/ s/^  \([a-z]*\) .*/\1/p' "$out")
[ "$(wc -w <<<"$commands")" -ge 9 ] || fail "too few commands: $commands"
for name in $commands; do
  for words in "$name --help" "help $name" "$name -h"; do
    # shellcheck disable=SC2086
    expect_exit 0 "$COWBENCH" $words
    expect_text "Usage: cowbench $name" Options 'Exit codes'
    [ ! -s "$err" ] || fail "help came on standard error"
  done
done

it "has a man page that names every command and option"
expect_exit 0 "$COWBENCH" man
cp "$out" "$world/cowbench.1"
for name in $commands; do
  grep -q "^\.SS $name" "$world/cowbench.1" || fail "no section on $name"
done
if command -v man >/dev/null && command -v groff >/dev/null; then
  expect_exit 0 env MANROFFSEQ= MANWIDTH=80 LC_ALL=C.UTF-8 \
    man --warnings --local-file "$world/cowbench.1"
  [ ! -s "$err" ] || fail "the man page has faults"
  expect_text 'EXIT STATUS' '--member-limit'
else
  echo "SKIP: whether the man page is good roff: no man, or no groff"
fi

it "has completion that bash takes"
expect_exit 0 "$COWBENCH" completion
cp "$out" "$world/completion"
bash -n "$world/completion" || fail "it is no bash"
# complete WORD...: what is offered for the last of them.
complete_words() {
  PATH=${COWBENCH%/*}:$PATH bash -c '
    . "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _cowbench
    printf "%s\n" "${COMPREPLY[@]}"' "$world/completion" "$@"
}
expect_equal report "$(complete_words cowbench rep)"
expect_equal --profile "$(complete_words cowbench run --prof)"
expect_equal ext4-single "$(complete_words cowbench run ext4-s)"
