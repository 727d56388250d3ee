#!/bin/bash
# A ROCm of one of Debian's suites beside the system: runtime, compiler and what else is asked for, with the C library that
# they were built for, in a folder of its own. Nothing is installed, and no privileges are needed: apt works on lists and a
# status of its own in that folder.
#   fetch.sh VERSION DIR [PACKAGE...]     5.2.3, 5.7.1, 6.4.3 or 7.2.4; packages of Debian's besides hipcc and the runtime;
#                                         PACKAGE!: without what it depends on
# Then DIR/bin/hipcc compiles programs that run on that runtime as they are. Packages that DIR has are not fetched again.
# Exit status 77: it cannot be had (no network, another version in the suite), and the last line says why.
# ROCM_MIRROR is Debian's archive, http://deb.debian.org/debian if not set.
set -u -o pipefail
export LC_ALL=C

skip() { echo "fetch: ROCm $version is not to be had: $*"; exit 77; }
die() { echo "fetch: $*" >&2; exit 1; }

[ $# -ge 2 ] || die "usage: $0 VERSION DIR [PACKAGE...]"
version=$1 dir=$2; shift 2
case $version in
5.2.3) suites=bookworm                 runtime=libamdhip64-5 ;;
5.7.1) suites=trixie                   runtime=libamdhip64-5 ;;
6.4.3) suites=sid                      runtime=libamdhip64-6 ;;
7.2.4) suites='sid experimental'       runtime=libamdhip64-7 ;;
*) die "version $version: not one of 5.2.3, 5.7.1, 6.4.3, 7.2.4" ;;
esac
packages=("$runtime" hipcc libamdhip64-dev libc6-dev patchelf)
case $version in
5.2.3) packages+=(rocm-device-libs) ;;
5.7.1) packages+=(rocm-device-libs-17) ;;
6.4.3) packages+=(libhiprtc6) ;;
7.2.4) packages+=(libhiprtc7) ;;
esac
[ "$(uname -m)" = x86_64 ] || skip "Debian has it for amd64 alone"
for tool in apt-get apt-cache dpkg-deb tar perl; do
    command -v $tool >/dev/null || skip "$tool is not installed"
done
mkdir -p "$dir/apt/lists/partial" "$dir/apt/cache/archives/partial" "$dir/apt/conf.d" "$dir/root/usr" "$dir/bin" || exit 1
dir=$(cd "$dir" && pwd -P)
case $dir in *[[:space:]:]*) die "$dir: a path with blanks or colons does not do" ;; esac
exec 8>"$dir/apt/lock.fetch" && flock 8 2>/dev/null
root=$dir/root apt=$dir/apt libs=$dir/root/usr/lib/x86_64-linux-gnu
loader=$libs/ld-linux-x86-64.so.2

# apt, with everything of its own: suites, preferences, status.
keys=/usr/share/keyrings/debian-archive-keyring.gpg
[ -r $keys ] || skip "$keys (package debian-archive-keyring) is not installed"
for suite in $suites; do
    echo "deb [arch=amd64 signed-by=$keys] ${ROCM_MIRROR:-http://deb.debian.org/debian} $suite main"
done >"$apt/sources"
printf 'Package: *\nPin: release a=experimental\nPin-Priority: 900\n' >"$apt/preferences"
[ -e "$apt/status" ] || : >"$apt/status"
cat >"$apt/conf" <<EOF
Dir::Etc "$apt";
Dir::Etc::Parts "$apt/conf.d";
Dir::Etc::SourceList "$apt/sources";
Dir::Etc::SourceParts "/dev/null";
Dir::Etc::Preferences "$apt/preferences";
Dir::Etc::PreferencesParts "/dev/null";
Dir::State "$apt";
Dir::State::Lists "$apt/lists";
Dir::State::status "$apt/status";
Dir::Cache "$apt/cache";
APT::Architecture "amd64";
APT::Architectures { "amd64"; };
APT::Install-Recommends "false";
APT::Sandbox::User "root";
Acquire::Languages "none";
Acquire::Check-Valid-Until "false";
Acquire::Retries "3";
EOF
export APT_CONFIG=$apt/conf

missing() { # packages of the arguments that root does not have; -a: those with "!", else the others
    local p alone=
    [ "$1" = -a ] && { alone=1; shift; }
    for p; do
        case $p in
        *!) [ "$alone" ] || continue ;;
        *) [ "$alone" ] && continue ;;
        esac
        [ -e "$apt/have/${p%!}" ] || echo "${p%!}"
    done
}

if [ -n "$(missing "${packages[@]}" "$@")$(missing -a "$@")" ]; then
    if [ -z "$(find "$apt/lists.updated" -mmin -600 2>/dev/null)" ]; then
        if ! apt-get -q update >"$apt/log" 2>&1 || grep -q '^[EW]: Failed' "$apt/log"; then
            skip "$(grep -E '^[EW]:' "$apt/log" | head -1)"
        fi
        touch "$apt/lists.updated"
    fi
    have=$(apt-cache policy $runtime 2>/dev/null | awk '$1 == "Candidate:" { print $2 }')
    case $have in
    "$version"[-+~]*) ;;
    *) skip "$suites has ${have:-no} $runtime" ;;
    esac
    : >"$apt/log"
    mapfile -t whole < <(missing "${packages[@]}" "$@")
    [ ${#whole[@]} -eq 0 ] || apt-get -q -y -d install "${whole[@]}" >"$apt/log" 2>&1 || skip "$(grep -E '^E:|Depends:' "$apt/log" | head -1)"
    mapfile -t alone < <(missing -a "$@")
    if [ ${#alone[@]} -gt 0 ]; then
        (cd "$apt/cache/archives" && apt-get -q download "${alone[@]}") >"$apt/log" 2>&1 ||
            skip "$(grep '^E:' "$apt/log" | head -1)"
    fi
    mkdir -p "$apt/have"
    for deb in "$apt"/cache/archives/*.deb; do
        dpkg-deb --fsys-tarfile "$deb" |
            tar -x -C "$root" --no-same-owner --keep-directory-symlink --exclude='./usr/share/doc' --exclude='./usr/share/man' ||
            die "$deb cannot be extracted"
        p=$(dpkg-deb -f "$deb" Package)
        case " $* " in # apt would find fault with a package whose dependencies are not there
        *" $p! "*) ;;
        *) { dpkg-deb -f "$deb" && echo 'Status: install ok installed' && echo; } >>"$apt/status" ;;
        esac
        touch "$apt/have/$p"
        rm "$deb"
        rm -f "$dir/patched"
    done
    for p in "$@" "${packages[@]}"; do # asked for, maybe provided by another package
        touch "$apt/have/${p%!}"
    done
fi
clang=$(find "$root"/usr/lib -path "$root/usr/lib/llvm-*/bin/clang" 2>/dev/null | sort -V | tail -1)
[ -x "$clang" ] || skip "$suites has no clang for hipcc"
bitcode=$(find "$root/usr/lib" -name ockl.bc | head -1)
[ -n "$bitcode" ] || skip "$suites has no device libraries for hipcc"
llvm=${clang%/bin/clang}

# Programs name the system's dynamic linker and libraries look in the system's folders: make them the ones of root.
if [ ! -e "$dir/patched" ]; then
    # Suites from before and after the merge of /lib into /usr.
    for d in bin lib lib64 sbin; do
        if [ -d "$root/$d" ] && [ ! -L "$root/$d" ]; then
            mkdir -p "$root/usr/$d" && cp -a "$root/$d/." "$root/usr/$d/" && rm -r "${root:?}/$d"
        fi
        mkdir -p "$root/usr/$d" && ln -sfn usr/$d "$root/$d"
    done
    # Links with absolute targets lead out of root.
    find "$root" -type l -lname '/*' -printf '%p %l\n' | while read -r link target; do
        [ -e "$root$target" ] && ln -sfn "$root$target" "$link"
    done
    # where CMake looks for its language HIP
    if [ -d "$libs/cmake/hip-lang" ]; then
        mkdir -p "$root/usr/lib/cmake" && ln -sfn ../x86_64-linux-gnu/cmake/hip-lang "$root/usr/lib/cmake/hip-lang"
    fi
    patchelf() { "$libs/ld-linux-x86-64.so.2" --library-path "$libs" "$root/usr/bin/patchelf" "$@" 2>/dev/null; }
    patchelf --version >/dev/null || die "patchelf of $suites does not run"
    rpath=$libs:$llvm/lib
    find "$root/usr/bin" "$root/usr/libexec" "$llvm/bin" "$libs/rocrtst64" "$libs"/lib*-test -type f -perm -u+x 2>/dev/null | while read -r f; do
        [ "$f" != "$root/usr/bin/patchelf" ] || continue
        now=$(patchelf --print-interpreter "$f") || continue
        [ "$now" = "$loader" ] ||
            patchelf --set-interpreter "$loader" --force-rpath --set-rpath "$rpath" "$f" || die "$f: patchelf fails"
    done
    # The RPATH of a program holds for all of its libraries but those that have a RUNPATH.
    find "$libs" "$llvm/lib" -maxdepth 1 -type f -name '*.so*' -size -400M | while read -r f; do
        now=$(patchelf --print-rpath "$f") && [ -n "$now" ] && [ "$now" != "$rpath" ] &&
            patchelf --force-rpath --set-rpath "$rpath" "$f"
    done
    touch "$dir/patched"
fi

# What hipcc starts: clang for this root, and programs that run in it.
cat >"$dir/clang.cfg" <<EOF
--sysroot=$root
--rocm-path=$root/usr
--rocm-device-lib-path=${bitcode%/ockl.bc}
-fuse-ld=lld
-Wl,--dynamic-linker=$loader
-Wl,--disable-new-dtags
-Wl,-rpath,$libs
EOF
# "-isystem /usr/include" of hipcc would hide the C library's headers from those of C++ (#include_next).
for name in clang clang++; do
    cat >"$dir/bin/$name" <<EOF
#!/bin/sh
left=\$#
while [ \$left -gt 0 ]; do
    if [ "\$1" = -isystem ] && [ "\${2-}" = $root/usr/include ]; then
        shift 2
        left=\$((left - 2))
    else
        set -- "\$@" "\$1"
        shift
        left=\$((left - 1))
    fi
done
exec $llvm/bin/$name --config $dir/clang.cfg "\$@"
EOF
    chmod +x "$dir/bin/$name"
    ln -sf $name "$dir/bin/$name-${llvm##*-}" # Debian's hipcc of 5.x
done
ln -sfn "$llvm/lib" "$dir/lib"
for name in hipcc hipconfig; do
    cat >"$dir/bin/$name" <<EOF
#!/bin/sh
export ROCM_PATH=$root/usr HIP_PATH=$root/usr HIP_CLANG_PATH=$dir/bin HIP_PLATFORM=amd
export HIP_DEVICE_LIB_PATH=${bitcode%/ockl.bc} DEVICE_LIB_PATH=${bitcode%/ockl.bc}
exec $root/usr/bin/$name "\$@"
EOF
    chmod +x "$dir/bin/$name"
done
echo "fetch: ROCm $version in $dir, $(du -sh "$root" | cut -f 1): hipcc is $dir/bin/hipcc"
