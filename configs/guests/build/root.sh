# SPDX-License-Identifier: Apache-2.0
# root.sh ROOT PROGRAM ARGUMENT...: makes ROOT/root.image of ROOT, as
# PROGRAM ARGUMENT... IMAGE FOLDER, and ROOT/root.packages, a line
# "NAME VERSION" each. Runs outside of ROOT, with root's powers or those of a
# user's namespace.
set -eu
root=$1
shift
chroot "$root" dpkg-query --show --showformat '${Package} ${Version}\n' \
  >"$root.packages"
# What would differ from build to build, or is of no use without a network.
rm -rf "$root"/var/cache/apt/* "$root"/var/lib/apt/lists/* \
  "$root"/var/cache/debconf/*-old "$root"/var/log/* "$root"/boot/* \
  "$root"/etc/apt/preferences.d/cowbench
rm -f "$root/etc/resolv.conf" "$root/etc/hostname"
: >"$root/etc/machine-id"
# Places for what the guest mounts; the root itself cannot be written to.
mkdir -p "$root/lib/modules" "$root/payload" "$root/exchange"
# Seen without the kernel's filesystems that are mounted in it for now.
mkdir "$root.bare"
if mount --bind "$root" "$root.bare"; then
  folder=$root.bare
elif grep -q " $root/proc " /proc/self/mounts; then
  echo "root.sh: cannot bind $root to see it without what is mounted in it" >&2
  exit 1
else
  folder=$root
fi
"$@" "$root.image" "$folder"
[ "$folder" = "$root" ] || umount "$folder"
rmdir "$root.bare"
mv "$root.image" "$root/root.image"
mv "$root.packages" "$root/root.packages"
