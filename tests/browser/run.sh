# SPDX-License-Identifier: Apache-2.0
# run.sh test|speed: makes pages and looks at them in Chromium. COWBENCH is the
# program, BUILT a folder for what npm installs. Skipped where something is
# missing, and says what.
set -u
here=$(cd "$(dirname "$0")" && pwd)

skip() {
  echo "SKIP: $*"
  exit 77
}

# Debian's programs may be wrappers, so a version is asked for.
command -v node >/dev/null && command -v npm >/dev/null ||
  skip "browser tests: Node.js and npm are not installed"
CHROMIUM=$(command -v chromium || command -v chromium-browser) ||
  skip "browser tests: chromium is not installed"
export CHROMIUM
[ -x "$COWBENCH" ] || { echo "no program: $COWBENCH" >&2; exit 1; }

mkdir -p "$BUILT" && cp "$here"/*.mjs "$here"/package*.json "$BUILT"/ || exit 1
cd "$BUILT" || exit 1
if ! cmp -s package-lock.json installed-lock.json; then
  npm ci --no-audit --no-fund --prefer-offline --fetch-retries=1 \
    >npm.log 2>&1 ||
    skip "browser tests: npm cannot install playwright-core: $(tail -1 npm.log)"
  cp package-lock.json installed-lock.json
fi

if [ "$1" = speed ]; then
  exec node speed.mjs "${2:-}"
fi
rm -rf history page.html
node -e 'import("./history.mjs").then(({ write }) => write("history"))' ||
  exit 1
said=$("$COWBENCH" report --html page.html history 2>&1) || {
  echo "$said" >&2
  exit 1
}
case $said in
  *"tables only"*) skip "browser tests: the program was built without npm" ;;
esac
COWBENCH_PAGE=$PWD/page.html exec node --test page.test.mjs
