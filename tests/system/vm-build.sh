# SPDX-License-Identifier: Apache-2.0
# Building guests, with package tools that only pretend to: no root, no
# network. What they do is in pretend(); faults are ordered by variables.
. "$(dirname "$0")/lib.sh" || exit
requires_tool jq
new_world
cache=$world/cache
export COWBENCH_CACHE_DIR=$cache PRETEND=$world/pretend
mkdir -p "$PRETEND/bin" "$world/config/guests"
: >"$PRETEND/calls"

# pretend PROGRAM: the program is what standard input says.
pretend() {
  {
    echo '#!/bin/bash'
    echo 'echo "${0##*/} $*" >>"$PRETEND/calls"'
    cat
  } >"$PRETEND/bin/$1"
  chmod +x "$PRETEND/bin/$1"
}

pretend apt-get <<'TXT'
case " $* " in
  *" indextargets "*) echo "http://mirror.invalid/debian/|Debian|Debian" ;;
  *" update "*)
    [ -e "$PRETEND/no-mirror" ] &&
      { echo "E: Failed to fetch it  Could not resolve" >&2; exit 100; }
    folder=$(dirname "$2")
    : >"$folder/lists/mirror_dists_trixie_InRelease" ;;
  *" --simulate "*)
    while [ "$1" != install ]; do shift; done
    shift
    for name; do
      grep -qsxF -- "$name" "$PRETEND/absent" &&
        { echo "E: Unable to locate package $name" >&2; exit 100; }
      [ "$name" = '?essential' ] || echo "Inst $name (1.0 Debian:13/stable [amd64])"
      [ "$name" = linux-image-amd64 ] &&
        echo "Inst linux-image-9.9.9-x ($(cat "$PRETEND/kernel-version") Debian [amd64])"
    done ;;
  *" download "*)
    for name; do case $name in *=*) : >"${name%%=*}.deb" ;; esac; done ;;
esac
exit 0
TXT
pretend apt-cache <<<'printf "linux-image-amd64\nlinux-image-9.9.9-x\nlinux-image-9.9.8-x\n" | grep "^$4"; true'
pretend apt-config <<<'true'
pretend dpkg-deb <<'TXT'
mkdir -p "$3/boot" "$3/lib/modules/9.9.9-x/kernel/fs/thing"
echo kernel >"$3/boot/vmlinuz-9.9.9-x"
echo ko >"$3/lib/modules/9.9.9-x/kernel/fs/thing/thing.ko"
echo kernel/fs/inside/inside.ko >"$3/lib/modules/9.9.9-x/modules.builtin"
TXT
pretend mmdebstrap <<'TXT'
[ -e "$PRETEND/slow" ] && { touch "$PRETEND/at-work"; sleep 30; }
for hook; do
  case $hook in
    --include=*) included=${hook#--include=} ;;
    --customize-hook=download\ /root.packages*)
      for name in apt ${included//,/ }; do echo "$name 1.0"; done >"${hook##* }" ;;
    --customize-hook=download*) echo image >"${hook##* }" ;;
    --customize-hook=copy-out*)
      out=${hook##* }/out
      mkdir -p "$out"
      if [ -e "$PRETEND/module-fails" ]; then
        printf 'cc x.c\nx.c:1: error: no member named b\n' >"$out/log"
        echo failed >"$out/outcome"
      else
        echo ok >"$out/outcome"; echo 2.0 >"$out/version"
        : >"$out/log"; echo ko >"$out/extra.ko"
      fi ;;
  esac
done
true
TXT
pretend depmod <<<'true'
pretend modprobe <<'TXT'
case $* in *absent*) exit 1 ;; *inside*) echo "builtin inside" ;;
  *) echo "insmod $2/lib/modules/$4/kernel/fs/thing/thing.ko " ;; esac
TXT
pretend mkimage <<<'echo image >"$1"'
for tool in strip xz zstd busybox newuidmap; do pretend "$tool" <<<true; done
export PATH=$PRETEND/bin:$PATH
echo 1.0 >"$PRETEND/kernel-version"
: >"$world/keyring"

# recipe JQ-FILTER: the recipe "tiny", changed so.
recipe() {
  jq "$1" >"$world/config/guests/tiny.json" <<TXT
{ "name": "tiny", "summary": "for a test", "suite": "trixie",
  "components": ["main"], "keyring": "$world/keyring", "space": "1MiB",
  "root": { "packages": ["some-tool"] },
  "image": { "program": "mkimage", "package": "image-tools", "suffix": "img" },
  "kernel": { "package": "linux-image-amd64", "parts": ["linux-image-[0-9]*"],
    "headers": "linux-headers-{release}", "modules": ["fs/thing", "fs/inside"] },
  "extra_modules": [
    { "name": "extra", "kind": "dkms", "package": "extra-dkms",
      "keep": ["extra"], "why": "a test" } ],
  "initrd": { "modules": ["thing"] } }
TXT
}
build() { cowbench vm build tiny --config-dir "$world/config" "$@"; }
calls() { grep -c "^$1" "$PRETEND/calls"; }
guest() { jq -r "$1" "$cache/guests/tiny/guest.json"; }

it "names everything that is missing at once, with the packages"
recipe '.image.program = "no-such-program" | .keyring = "/no/such/keyring"'
expect_exit 3 build
expect_text no-such-program image-tools /no/such/keyring debian-archive-keyring
[ ! -e "$cache/stages" ] || fail "something was built"

it "refuses a mirror that does not answer, and says which"
recipe .
touch "$PRETEND/no-mirror"
expect_exit 3 build --mirror http://nowhere.invalid/debian
expect_text http://nowhere.invalid/debian "Could not resolve" --mirror
rm "$PRETEND/no-mirror"

it "says what space is needed and what is free, before it builds"
recipe '.space = "4PiB"'
expect_exit 3 build
expect_text "needs 4 PiB" free --cache-dir
expect_equal 0 "$(calls mmdebstrap)"

it "names the kernels that there are when asked for another"
recipe .
expect_exit 3 build --kernel 9.9.7-x
expect_text linux-image-9.9.7-x linux-image-9.9.9-x linux-image-9.9.8-x

it "builds a guest and tells a line a stage"
expect_exit 0 build
expect_text "root: " "kernel: " "module-extra: " "modules: " "initrd: " "is built"
expect_equal 9.9.9-x "$(guest .kernel_release)"
expect_equal ok "$(guest '.extra_modules[0].outcome')"
expect_equal 2.0 "$(guest '.extra_modules[0].version')"
expect_equal 1.0 "$(guest '.packages["some-tool"]')"
for file in vmlinuz initrd root modules; do
  [ -s "$cache/$(guest ".$file")" ] || fail "no $file"
done

it "has nothing to do when all is there"
: >"$PRETEND/calls"
expect_exit 0 build
expect_text "root: cached" "nothing to do"
expect_equal 0 "$(calls mmdebstrap)"

it "goes by earlier lists when the mirror is away"
touch "$PRETEND/no-mirror"
expect_exit 0 build
expect_text "does not answer" "nothing to do"
rm "$PRETEND/no-mirror"

it "leaves the root alone when only the kernel has changed"
echo 1.1 >"$PRETEND/kernel-version"
touch "$(echo "$cache"/apt/*/lists)/other"
: >"$PRETEND/calls"
expect_exit 0 build
expect_text "root: cached" "kernel: "
expect_no_text "kernel: cached"

it "throws away what was left half built, and keeps what was whole"
mkdir "$cache/stages/.unfinished-root-0"
rm -r "$cache/stages/initrd-"*
expect_exit 0 build
expect_text "unfinished (1 stage)" "root: cached"
expect_no_text "initrd: cached"
[ ! -e "$cache/stages/.unfinished-root-0" ] || fail "it is still there"

it "goes on without a module that does not compile, and says why"
touch "$PRETEND/module-fails"
recipe '.extra_modules[0].defines = ["OTHER=1"]'
expect_exit 0 build
expect_text "x.c:1: error: no member named b"
expect_equal not-available "$(guest '.extra_modules[0].outcome')"
expect_equal "x.c:1: error: no member named b" "$(guest '.extra_modules[0].reason')"
[ -s "$cache/$(guest '.extra_modules[0].log')" ] || fail "no log"
expect_exit 0 cowbench vm list
expect_text tiny not-available "no member named b"
rm "$PRETEND/module-fails"

it "goes on without a module for which there is no package"
echo other-dkms >"$PRETEND/absent"
recipe '.extra_modules[0].package = "other-dkms"'
expect_exit 0 build
expect_equal "Unable to locate package other-dkms" \
  "$(guest '.extra_modules[0].reason')"

it "names modules that the recipe wants and the kernel lacks"
recipe '.modprobe = ["absent"] | .kernel.modules += ["fs/nowhere"]'
expect_exit 0 build
expect_text "lacks modules that the recipe wants: fs/nowhere, absent"
expect_equal '["fs/nowhere","absent"]' "$(guest '.missing_modules | tostring')"

it "ends without a guest when the initrd would lack a module"
recipe '.initrd.modules = ["absent"]'
expect_exit 3 build
expect_text "lacks the module absent" "cannot start"

it "waits for another build of the same cache, and says so"
recipe '.root.packages += ["slow-tool"]'
touch "$PRETEND/slow"
start_cowbench vm build tiny --config-dir "$world/config"
eventually test -e "$PRETEND/at-work" || fail "the first does not begin"
command_limit=4 expect_exit 130 timeout --preserve-status --signal=INT 3 \
  "$COWBENCH" vm build tiny --config-dir "$world/config"
expect_text "another build is at work"

it "ends at once when interrupted, and leaves nothing half built in use"
kill -INT "$started"
expect_end 130
rm "$PRETEND/slow"
expect_exit 0 build
expect_text "is built"

it "tells wrong words and a damaged recipe apart from a bad machine"
expect_exit 2 cowbench vm build no-such --config-dir "$world/config"
expect_exit 2 build --jobs 0
recipe '.sumary = "x"'
expect_exit 2 build
expect_text 'unknown key "sumary"'
