# SPDX-License-Identifier: Apache-2.0
# Sourced by ./check and ./quickstart: installs Debian packages, says what it
# does, does nothing when all are there.

BUILD_PACKAGES="g++ cmake ninja-build pkg-config git ca-certificates
  libboost-dev libboost-program-options-dev rapidjson-dev libblkid-dev
  libmount-dev catch2"
RUN_PACKAGES="fio e2fsprogs xfsprogs btrfs-progs kmod"
TEST_PACKAGES="clang clang-format-14 clang-tidy-14 jq binutils util-linux
  procps nodejs chromium"
# A Node.js from elsewhere brings npm along, and Debian's refuses to join it.
command -v npm >/dev/null || TEST_PACKAGES+=" npm"
# To build a guest and to run one.
GUEST_PACKAGES="mmdebstrap erofs-utils busybox-static xz-utils zstd binutils
  kmod debian-archive-keyring qemu-system-x86"

say() { printf '\n== %s\n' "$*"; }

# need_packages PACKAGE...
need_packages() {
  local missing=() package
  for package in "$@"; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null |
      grep -q 'ok installed' || missing+=("$package")
  done
  if [ ${#missing[@]} -eq 0 ]; then
    echo "All $# packages are installed."
    return 0
  fi
  if [ "$(id -u)" -ne 0 ]; then
    echo "Missing packages: ${missing[*]}" >&2
    echo "Run this with sudo, or install them yourself." >&2
    return 3
  fi
  echo "Installing: ${missing[*]}"
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -q >/dev/null || echo "apt-get update failed; trying the lists as they are" >&2
  # A mirror that hiccups once is no reason to give up.
  local try
  for try in 1 2 3; do
    apt-get install -y -q --no-install-recommends "${missing[@]}" \
      >/tmp/cowbench-apt.$$ 2>&1 && { rm -f /tmp/cowbench-apt.$$; return 0; }
    sleep $((try * 5))
    apt-get update -q >/dev/null || true
  done
  tail -20 /tmp/cowbench-apt.$$ >&2
  rm -f /tmp/cowbench-apt.$$
  return 3
}
