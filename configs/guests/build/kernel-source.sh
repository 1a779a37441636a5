# SPDX-License-Identifier: Apache-2.0
# Builds a module of the kernel's own sources with other settings than the
# packaged one, against the packaged headers. As dkms.sh; settings also has
# path, config (make variables) and defines.
set -u
. /build/settings
out=/build/out
exec >"$out/log" 2>&1

unpack() {
  for deb in /build/debs/*.deb; do
    dpkg-deb --fsys-tarfile "$deb" |
      tar -x -C / --keep-directory-symlink --exclude './usr/share/doc' ||
      return
  done
}

build() {
  unpack || return
  archive=$(ls /usr/src/linux-source-*.tar.* | head -n 1)
  sources=${archive##*/}
  sources=${sources%.tar.*}
  mkdir -p /build/source
  tar -x -C /build/source -f "$archive" "$sources/$path" || {
    echo "error: ${archive##*/} has no $path"
    return 1
  }
  folder=/build/source/$sources/$path
  # Headers for tracing are looked for from the kernel's own folder.
  common=$(readlink -f "/lib/modules/$release/source")
  mkdir -p "$common/${path%/*}"
  [ -e "$common/$path/Makefile" ] && [ ! -e "$common/${path}.packaged" ] &&
    mv "$common/$path" "$common/${path}.packaged"
  ln -sfn "$folder" "$common/$path"
  # shellcheck disable=SC2086
  make -j "$jobs" -C "/lib/modules/$release/build" M="$folder" $config \
    KCFLAGS="$defines" modules || return
  for module in $keep; do
    find "$folder" -name "$module.ko" -exec cp {} "$out/" \;
    ls "$out/$module.ko" || return
  done
}

if build; then echo ok >"$out/outcome"; else echo failed >"$out/outcome"; fi
exit 0
