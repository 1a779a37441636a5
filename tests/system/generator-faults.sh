# SPDX-License-Identifier: Apache-2.0
# Whatever the load generator does, its phase tells what happened, the other
# phases go on, and everything is taken down.
. "$(dirname "$0")/lib.sh" || exit
requires_loop
requires_tool jq mkfs.ext4 fio
new_world

real=$(command -v fio)
fakes=$world/fakes
mkdir "$fakes"

# fake_generator: standard input, a bash script, is fio from here on. It finds
# the real one in $real, and the folder of its report in ${report%/*}.
fake_generator() {
  {
    printf '#!/bin/bash\nreal=%q\n' "$real"
    # The version is asked for beforehand and no part of what goes wrong.
    echo '[ "$1" = --version ] && exec "$real" --version'
    echo 'for word; do case $word in --output=*) report=${word#*=} ;; esac; done'
    cat
  } >"$fakes/fio"
  chmod +x "$fakes/fio"
}

# run_phases CODE: two phases, of which only the first needs the generator.
run_phases() {
  PATH=$fakes:$PATH expect_exit "$1" cowbench run ext4-single \
    --profile "$tiny" --phases throughput,sparse
  expect_nothing_left
  expect_equal ok "$(phase_outcome sparse)"
}

# fails_with TEXT...: the phase fails, says so, and only it fails.
fails_with() {
  local text
  run_phases 1
  expect_equal failed "$(job_outcome)"
  expect_equal failed "$(phase_outcome throughput)"
  phase_reason throughput >"$said"
  expect_text "$@"
}

it "says that the generator was killed, and by what"
fake_generator <<'SCRIPT'
kill -SEGV $$
SCRIPT
fails_with fio 'killed by signal 11 (Segmentation fault)'

it "obeys the error of one job of two, whatever the exit code"
fake_generator <<SCRIPT
cp "$fixtures/fio-3.33/one-job-of-two-enospc.json" "\$report"
SCRIPT
fails_with fio 'failed with error 28 (No space left on device)'

it "says that the report is missing"
fake_generator <<'SCRIPT'
exit 0
SCRIPT
fails_with fio 'exited with 0: fio wrote no output'

it "says that there is only text where a report should be"
fake_generator <<'SCRIPT'
echo "fio: cannot do that today" >"$report"
exit 1
SCRIPT
fails_with fio 'exited with 1' 'cannot do that today'

it "says that the generator has gone since the plan was made"
cat >"$fakes/fio" <<SCRIPT
#!/bin/bash
$(command -v rm) "\$0"
exec "$real" "\$@"
SCRIPT
# Only the system's own folders and this one are searched.
expect_exit 0 env PATH="$fakes" "$COWBENCH" run $(folders_for run) \
  ext4-single --profile "$tiny" --phases throughput,sparse
expect_nothing_left
expect_equal not-available "$(phase_outcome throughput)"
phase_reason throughput >"$said"
expect_text "fio can't be started" package
expect_equal ok "$(phase_outcome sparse)"

it "reads a report that has text around it"
fake_generator <<'SCRIPT'
"$real" "$@"
code=$?
{ echo "fio: note before"; cat "$report"; echo "note after"; } >"$report.new"
mv "$report.new" "$report"
exit $code
SCRIPT
run_phases 0
expect_equal ok "$(phase_outcome throughput)"
