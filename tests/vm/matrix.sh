# SPDX-License-Identifier: Apache-2.0
# Several guests for one plan, side by side when that is asked for.
. "$(dirname "$0")/../system/lib.sh" || exit
. "$(dirname "$0")/guest.bash" || exit
requires_guest
new_world
command_limit=800

# The guest under two names stands for two kernels.
cache=$("$COWBENCH" vm list --json | jq -r '.guests[0].cache')
for name in one two; do
  mkdir -p "$world/two/guests/$name"
  jq --arg name "$name" \
    '.name = $name | .kernel_source = $name |
     reduce ("vmlinuz", "initrd", "root", "modules") as $part (.;
       .[$part] = "cache/" + .[$part])' \
    "$cache/guests/$guest/guest.json" >"$world/two/guests/$name/guest.json"
done
ln -s "$cache" "$world/two/cache"

it "plans every job for each guest, and says the time of all"
expect_exit 0 cowbench run --vm ext4-single --kernel one,two --profile "$tiny" \
  --phases sparse --cache-dir "$world/two" --dry-run --json
expect_equal '["one","two"]' "$(jq -c '[.jobs[].guest] | sort' "$out")"

it "runs two guests side by side, one job in each, under one label"
expect_exit 0 cowbench run --vm ext4-single --kernel one,two --jobs 2 \
  --label trial --profile "$tiny" --phases sparse --cache-dir "$world/two"
mapfile -t found < <(find "$results" -name result.json | sort)
expect_equal 2 "${#found[@]}"
expect_equal 'one two' "$(jq -r .guest.name "${found[@]}" | sort | xargs)"
expect_equal 'ok ok' "$(jq -r .job.outcome "${found[@]}" | xargs)"
expect_equal 'trial trial' "$(jq -r .run.label "${found[@]}" | xargs)"
expect_equal 1 "$(jq -r .run.id "${found[@]}" | sort -u | wc -l)"
no_emulator || fail "an emulator is left"
expect_nothing_left

it "refuses more guests than the store has room for"
expect_exit 3 cowbench run --vm ext4-single --kernel one,two --jobs 2 \
  --set member_size=100TiB --profile "$tiny" --phases sparse \
  --cache-dir "$world/two"
expect_text 'space'
