# SPDX-License-Identifier: Apache-2.0
# Builds a module from a DKMS source package, in a throw-away system with a
# compiler. /build holds "settings" (release, jobs, keep) and debs/. Leaves in
# /build/out: outcome (ok or failed), version, log, and the modules. That they
# do not build is a finding, no failure of this script.
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

# Without the package's own scripts, which build for every kernel and fail as
# a whole.
build() {
  unpack || return
  conf=$(ls /usr/src/*/dkms.conf | head -n 1)
  folder=${conf%/dkms.conf}
  name=$(sed -n 's/^PACKAGE_NAME="\{0,1\}\([^"]*\)"\{0,1\}$/\1/p' "$conf")
  version=$(sed -n 's/^PACKAGE_VERSION="\{0,1\}\([^"]*\)"\{0,1\}$/\1/p' "$conf")
  name=${name:-${folder##*/}}
  echo "$version" >"$out/version"
  dkms add -m "$name" -v "$version" || return
  dkms build -m "$name" -v "$version" -k "$release" -j "$jobs" || {
    cat "/var/lib/dkms/$name/$version/build/make.log" 2>/dev/null
    return 1
  }
  for module in $keep; do
    find "/var/lib/dkms/$name/$version/$release" -name "$module.ko*" \
      -exec cp {} "$out/" \;
    ls "$out/$module".ko* || return
  done
}

if build; then echo ok >"$out/outcome"; else echo failed >"$out/outcome"; fi
exit 0
