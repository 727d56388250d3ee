#!/bin/sh
# LLVM 22, the oracle and compiler for targets that LLVM 19 does not know. It may be installed (llvm-mc-22, clang-22),
# or lie as files of a newer Debian in a folder of its own, $LLVM22_ROOT, by default ~/.cache/gcnsim/llvm22; then it runs
# with the C library of that folder.
#   llvm22.sh --fetch      makes that folder from Debian's newer suites (600 MB, no root needed), unless LLVM 22 is here
#   llvm22.sh --why        exit status 0 when LLVM 22 is here, else one line says why not
#   llvm22.sh TOOL ARG...  runs llvm-mc, clang, ld.lld, llvm-objdump ... 22; or, with a slash in its name, a program of
#                          ours that loads libLLVM.so.22.1
# clang compiles and links one source; -o FILE must be given.
set -u
root=${LLVM22_ROOT:-${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/gcnsim/llvm22}
folder=$root/usr/lib/llvm-22
installed=
command -v llvm-mc-22 >/dev/null 2>&1 && command -v clang-22 >/dev/null 2>&1 && command -v ld.lld-22 >/dev/null 2>&1 &&
    installed=y

why() {
    [ -n "$installed" ] && return 0
    [ -x "$folder/bin/clang" ] && [ -x "$folder/bin/llvm-mc" ] && [ -x "$folder/bin/ld.lld" ] && return 0
    echo "LLVM 22 is not installed (\`sh tests/llvm22.sh --fetch\` brings it, LLVM22_ROOT=DIR names it)"
    return 1
}

# The machine's own mirror of Debian, from either form of apt's sources.
mirror() {
    cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list /etc/apt/sources.list.d/*.sources 2>/dev/null |
        sed -n -e 's/^URIs: *\([^ ]*\).*/\1/p' -e 's/^deb \(\[[^]]*\] \)\{0,1\}\([^ ]*\).*/\2/p' |
        grep -v security | head -1
}

fetch() {
    why >/dev/null && return 0
    command -v mmdebstrap >/dev/null 2>&1 || apt-get install -y -qq mmdebstrap >/dev/null 2>&1 ||
        { echo "llvm22.sh: needs mmdebstrap" >&2; return 1; }
    from=$(mirror)
    [ -n "$from" ] || { echo "llvm22.sh: apt's sources name no mirror of Debian" >&2; return 1; }
    mkdir -p "$(dirname "$root")" || return 1
    temporary=$(mktemp -d "$root.XXXXXX") || return 1
    trap 'rm -rf "$temporary"' EXIT
    trap 'exit 130' INT TERM HUP
    printf '%s\n' 'Acquire::Check-Valid-Until "false";' 'APT::Install-Recommends "false";' \
        'APT::Default-Release "experimental";' >"$temporary/apt.conf"
    # the packages' signatures are those of suites whose keys an older system need not have
    mmdebstrap --quiet --variant=extract --aptopt="$temporary/apt.conf" --include=llvm-22,clang-22,lld-22 sid \
        "$temporary/root" "deb [trusted=yes] $from sid main" "deb [trusted=yes] $from experimental main" || return 1
    for d in bin lib lib64; do
        [ -e "$temporary/root/$d" ] || ln -s "usr/$d" "$temporary/root/$d"
    done
    rm -rf "$root"
    mv "$temporary/root" "$root"
    why
}

# PROGRAM ARG...: with the folder's own loader and libraries
alone() {
    set -- "$root"/usr/lib*/ld-linux-*.so.* --library-path \
        "$(echo "$root"/usr/lib/*-linux-gnu | tr ' ' ':'):$folder/lib" "$@"
    exec "$@"
}

# clang would start itself again to link, and the loader instead: two steps, each in this process or its child.
compile() {
    out='' linked=y
    for a; do
        [ "$out" = next ] && out=$a
        case $a in
        -o) out=next ;;
        -c | -S | -E) linked= ;;
        esac
    done
    set -- "$folder/bin/clang" -resource-dir "$folder/lib/clang/22" "$@"
    [ -n "$linked" ] || alone "$@"
    (alone "$@" -c -o "$out.o") && (alone "$folder/bin/ld.lld" -shared "$out.o" -o "$out")
    status=$?
    rm -f "$out.o"
    return $status
}

case ${1:-} in
--fetch)
    fetch
    exit
    ;;
--why)
    why
    exit
    ;;
'')
    sed -n '2,/^set/s/^# \{0,1\}//p' "$0"
    exit 2
    ;;
esac
why >&2 || exit 127
tool=$1
shift
case $tool in
*/*) [ -n "$installed" ] && exec "$tool" "$@"; alone "$tool" "$@" ;;
*) [ -n "$installed" ] && exec "$tool-22" "$@" ;;
esac
[ "$tool" = clang ] && { compile "$@"; exit; }
alone "$folder/bin/$tool" "$@"
