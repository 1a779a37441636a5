# SPDX-License-Identifier: Apache-2.0
# What the smoke tests of all stacks share; sourced after lib.sh.

# Half a minute on an idle machine.
command_limit=500

# The figures that every stack has, and bounds that only a fault can leave: they
# are those of the published catalogue, the lower ones for the smaller amounts
# of the smoke profile.
bounds='
calibration_seqwrite_mbps    1     40000
calibration_randwrite_iops   1     1000000
calibration_cpu_score        1     100000
calibration_cpu_all_score    1     100000000
calibration_memory_mbps      10    1000000
floor_tree_create_ms         1     600000
floor_largedir_create_ms     1     600000
floor_largedir_readdir_ms    0.01  600000
floor_largedir_stat_ms       0.1   600000
floor_largedir_delete_ms     0.1   600000
seqwrite_mbps                1     20000
randwrite_iops               1     1000000
randwrite4_iops              1     4000000
fsync_p99_ms                 0.001 30000
fsync_p999_ms                0.001 30000
randread_iops                1     2000000
randread4_iops               1     8000000
seqread_mbps                 1     40000
interactive_idle_p50_ms      0.001 5000
interactive_idle_p99_ms      0.001 5000
interactive_idle_max_ms      0.001 60000
interactive_load_p50_ms      0.001 30000
interactive_load_p99_ms      0.001 30000
interactive_load_max_ms      0.001 60000
interactive_load_ops         0     25
interactive_starvation_ratio 0     1
interactive_load_write_max_ms 0    60000
smalltree_create_ms          1     600000
smalltree_create4_ms         1     600000
smalltree_cp_ms              1     600000
smalltree_rm_ms              1     600000
largedir_create_ms           1     3600000
largedir_readdir_cold_ms     0.1   600000
largedir_stat_cold_ms        0.5   600000
largedir_stat_warm_ms        0.5   60000
largedir_delete_ms           1     3600000
sparse_create_ms             0.001 5000
sparse_create_bytes          0     1048576
sparse_grow_ms               0.001 5000
sparse_grow_bytes            0     1048576
'

# The reasons for which a figure may be withheld.
withheld_reasons='^too few flushes: [0-9]+ where [0-9]+ are needed$|^only [0-9]+ writes; a 99th percentile needs 20$'

# Shared by the filters below: every metric with its phase.
metrics='[.phases[] | .name as $phase | .metrics[] | .phase = $phase]'

# expect_none WHAT JQ-FILTER [JQ-OPTION...]: of the newest result; the filter
# gives a line of text for each exception.
expect_none() {
  local found
  found=$(jq -r "${@:3}" "$2" "$(newest_result)") || fail "jq: $2"
  [ -z "$found" ] || fail "$1:" "$found"
}

# Every figure is there, and is one that can be.
expect_plausible_figures() {
  expect_none "no such figures" "(${metrics} | map(.key)) as \$there |
    \$wanted | split(\"\\n\") | map(select(. != \"\") | split(\" \")[0]) |
    . - \$there | .[]" --arg wanted "$bounds"
  expect_none "neither ok nor withheld for a known reason" "${metrics}[] |
    select((.outcome == \"ok\") or
      (.outcome == \"withheld\" and (.reason | test(\$reasons))) or
      (.outcome == \"not-requested\" and
        (.reason | endswith(\"does not ask for it\"))) | not) |
    \"\(.key): \(.outcome): \(.reason)\"" --arg reasons "$withheld_reasons"
  expect_none "beyond their bounds" "(\$wanted | split(\"\\n\") |
    map([splits(\" +\")] | select(length == 3) |
      {key: .[0], value: {low: (.[1] | tonumber), high: (.[2] | tonumber)}}) |
    from_entries) as \$bounds | ${metrics}[] |
    select(.value != null and (\$bounds[.key] as \$b | \$b != null and
      (.value < \$b.low or .value > \$b.high))) |
    \"\(.key): \(.value) \(.unit)\"" --arg wanted "$bounds"
  expect_none "out of order" "(${metrics} | map({key, value: .value}) |
    from_entries) as \$v |
    [[\"fsync_p99_ms\", \"fsync_p999_ms\"],
     [\"interactive_idle_p50_ms\", \"interactive_idle_p99_ms\"],
     [\"interactive_idle_p99_ms\", \"interactive_idle_max_ms\"],
     [\"interactive_load_p50_ms\", \"interactive_load_p99_ms\"],
     [\"interactive_load_p99_ms\", \"interactive_load_max_ms\"]][] |
    select(\$v[.[0]] != null and \$v[.[1]] != null and
      \$v[.[0]] > \$v[.[1]]) | \"\(.[0]) is above \(.[1])\""
}

# What each phase of the plan declares is in the result, and nothing else.
expect_declared_figures() {
  local declared
  # shellcheck disable=SC2046
  declared=$("$COWBENCH" plugin describe --json $(from_result '.phases[].name') |
    jq -c '[.plugins[] | {key: .name, value: [.metrics[].key]}] | from_entries')
  expect_none "phases with other figures than declared" '.phases[] |
    select(([.metrics[].key] | sort) != ($declared[.name] | sort)) | .name' \
    --argjson declared "$declared"
}

# What was measured cold came from the members.
expect_cold_proofs() {
  local events
  expect_none "read less from the members than from the files" "${metrics}[] |
    select(.outcome == \"ok\" and
      (.key | test(\"^(randread4?_iops|seqread_mbps|smalltree_cp_ms|largedir_(readdir|stat)_cold_ms)\$\"))) |
    select((.conditions.member_read_bytes // \"0\" | tonumber) <
      (.conditions.read_bytes // \"1\" | tonumber)) | .key"
  events=$(dirname "$(newest_result)")/events.jsonl
  jq -se 'map(select(.type == "cold")) | length >= 6 and
    all(.backing_dropped and .backing_cached_bytes < 1048576)' "$events" \
    >/dev/null || fail "a backing store's cache was not dropped: $events"
}

# The members of each phase on the stack did something, the spare nothing.
expect_accounting() {
  # Where members have different tasks, a phase may need only some of them; and
  # what sparse writes is so little that it may miss one.
  expect_none "members without writes" '.phases[] |
    select(.stage == "on-stack" and .name != "sparse") | .name as $phase | .accounting.members |
    select(([.[].name | sub("[0-9]+$"; "")] | unique) - ["spare"] == ["data"]) |
    .[] | select(.name | startswith("data")) |
    select(.write_ops == 0 or .write_bytes == 0) | "\(.name) in \($phase)"'
  expect_none "phases without writes" '.phases[] |
    select(.stage == "on-stack") |
    select([.accounting.members[].write_bytes] | add == 0) | .name'
  expect_none "phases without reads" '.phases[] |
    select(.name == "throughput" or .name == "source-tree") |
    select([.accounting.members[].read_bytes] | add == 0) | .name'
  expect_none "phases without flushes or busy members" '.phases[] |
    select(.stage == "on-stack") |
    select(([.accounting.members[].flush_ops] | add == 0) or
      ([.accounting.members[].busy_ns] | add == 0)) | .name'
  expect_none "phases without CPU time" '.phases[] |
    select(.accounting.cpu.user_ns + .accounting.cpu.system_ns == 0) | .name'
  expect_none "spares that were written" '.phases[] | .accounting.members[] |
    select((.name | startswith("spare")) and .write_bytes > 0) | .name'
  # That an interrupt took long says only that the emulator's host was busy.
  expect_none "kernel warnings" '.phases[].accounting |
    (.kernel_warnings[] | select(startswith("hrtimer: interrupt took ") | not)),
    (.kernel_log | select(. != "ok"))'
}

# Each parameter that the stack's file gives was read back from the system, and
# is in the result under its own name.
expect_parameters_read_back() {
  expect_none "parameters that were not read back" '.stack.document.layers as $asked |
    .stack.layers | to_entries[] | .value as $layer | $asked[.key] |
    (keys - ["use", "on", "as", "why"])[] | . as $key |
    select($layer.effective | has($key) | not) |
    "\($layer.name).\($key)"'
}

# expect_conditions FILESYSTEM TOOL: what was in effect, and of which version.
expect_conditions() {
  expect_none "layers without parameters in effect" \
    '.stack.layers[] | select(.effective | length == 0) | .name'
  expect_parameters_read_back
  expect_equal "$1" "$(from_result .stack.mount.fstype)"
  expect_none "no mount options" \
    '.stack.mount.options | select(length == 0) | "none"'
  expect_none "versions missing" '["fio", $tool] - (.versions | keys) | .[]' \
    --arg tool "$2"
  expect_none "environment incomplete" '.environment |
    (.kernel, .distribution, .cpu_model, .architecture) |
    select(. == "") | "an empty fact"'
  expect_none "members without facts" '.members[] |
    select(.kind != "loop" or .size_bytes < 1073741824 or .direct_io == null or
      .backing.filesystem == null or .logical_sector_bytes < 512) | .name'
}

# smoke STACK FILESYSTEM TOOL LEAST-AMPLIFICATION: runs it and holds the result
# against all of the above. The amplification is that of the throughput phase.
smoke() {
  it "measures $1 in every phase"
  expect_exit 0 cowbench run "$1" --profile smoke
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
  expect_none "write amplification" '.phases[] | select(.name == "throughput") |
    .write_amplification | select(. == null or . < $least or . > 30)' \
    --argjson least "$4"

  it "records what was in effect"
  expect_conditions "$2" "$3"

  it "writes what the schema describes"
  expect_valid_results
}
