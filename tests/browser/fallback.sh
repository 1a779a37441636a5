# SPDX-License-Identifier: Apache-2.0
# Without npm, or with one that fails, the build makes a page of tables and says
# so. COWBENCH_CMAKE is cmake, BUILT a folder to work in.
set -eu
page=$(cd "$(dirname "$0")/../../core/report/page" && pwd)
mkdir -p "$BUILT"
cd "$BUILT"

# make NAME [OPTION...]: leaves the page in NAME.cpp, the messages in NAME.log.
make() {
  local name=$1
  shift
  rm -rf "$name" "$name.cpp"
  "$COWBENCH_CMAKE" -D SOURCE="$page" -D BUILD="$PWD/$name" \
    -D OUTPUT="$PWD/$name.cpp" "$@" -P "$page/build.cmake" >"$name.log" 2>&1
}

expect() {
  grep -q -e "$2" "$1" || { echo "no \"$2\" in $1" >&2; cat "$1" >&2; exit 1; }
}

make none -D NPM=
make fails -D NPM="$(type -P false)"
for name in none fails; do
  expect "$name.cpp" 'kPageHasScripts = false;'
  expect "$name.cpp" 'cowbench:tables'
  expect "$name.cpp" "default-src 'none'"
  expect "$name.log" 'writes tables without charts'
  if grep -q '<script' "$name.cpp"; then
    echo "$name.cpp has scripts" >&2
    exit 1
  fi
done
expect fails.log 'npm ci failed (1)'
