#!/bin/sh
# Installs what is missing through apt; says nothing and takes no time when nothing is.
#   deps.sh            what the build and the tests need, and clang-19 & co. where apt has them
#   deps.sh --check    installs nothing: exit status 0 when everything required is there
#   deps.sh --lint     what `make lint` uses: clang-format-14 and shellcheck, both optional
#   deps.sh --fuzz     what the fuzz targets of `make check` use: clang-19's runtime, optional
# Required packages that cannot be had are an error that names them; optional ones are a note.
set -eu

have() { command -v "$1" >/dev/null 2>&1; }
pkg() { have pkg-config && pkg-config --exists "$1"; }
# Headers are asked of the compiler, which also finds them outside /usr/include.
header() { have cc && echo "#include <$1>" | cc -E -x c - >/dev/null 2>&1; }
cmocka_h() { have cc && printf '#include <stdarg.h>\n#include <stddef.h>\n#include <stdint.h>\n#include <setjmp.h>\n#include <cmocka.h>\n' | cc -E -x c - >/dev/null 2>&1; }

required=
optional=
need() { required="$required $1"; }
want() { optional="$optional $1"; }

if [ "${1:-}" = --lint ]; then
    have clang-format-14 || want clang-format-14
    have shellcheck || want shellcheck
elif [ "${1:-}" = --fuzz ]; then
    # gcc may be the only compiler; without clang-19 there is nothing to fuzz with
    if ! have clang-19 || [ ! -f "$(clang-19 --print-file-name=libclang_rt.fuzzer-x86_64.a 2>/dev/null)" ] &&
        [ ! -f "$(clang-19 --print-file-name=libclang_rt.fuzzer-aarch64.a 2>/dev/null)" ] &&
        [ ! -f "$(clang-19 --print-runtime-dir 2>/dev/null)/libclang_rt.fuzzer.a" ]; then
        want clang-19
        want libclang-rt-19-dev
    fi
else
    { have gcc && have cc; } || need gcc
    have make || need make
    have ld || need binutils
    have pkg-config || need pkg-config
    header stdio.h || need libc6-dev
    pkg libelf || header libelf.h || need libelf-dev
    pkg libcjson || header cjson/cJSON.h || need libcjson-dev
    pkg msgpack-c || pkg msgpack || header msgpack.h || need libmsgpack-dev
    pkg libzstd || header zstd.h || need libzstd-dev
    cmocka_h || need libcmocka-dev
    have clang-19 || want clang-19
    { have llvm-mc-19 && have llvm-objdump-19; } || want llvm-19
    have ld.lld-19 || have ld.lld || want lld-19
    have clang-offload-bundler-19 || want clang-tools-19
fi

[ -n "$required$optional" ] || exit 0
if [ "${1:-}" = --check ]; then
    [ -z "$required" ] || { echo "deps: missing:$required" >&2; exit 1; }
    exit 0
fi

note_missing() {
    if [ -n "$required" ]; then
        echo "deps: $1; needed and missing:$required" >&2
        exit 1
    fi
    echo "deps: $1; going on without:$optional (what needs them is skipped and says so)"
    exit 0
}

have apt-get || note_missing "no apt-get on this machine"
sudo=
if [ "$(id -u)" -ne 0 ]; then
    have sudo || note_missing "not root and no sudo"
    sudo=sudo
    [ -t 0 ] || sudo="sudo -n"
fi

# A candidate version in the package lists means that no update is needed.
known() { LC_ALL=C apt-cache policy "$1" 2>/dev/null | grep -q 'Candidate: [^(]'; }
all_known() { for p in $required $optional; do known "$p" || return 1; done; }
# Lists that are younger than a day and still lack a package will not have it after another update either.
lists_fresh() { [ -n "$(find /var/lib/apt/lists -maxdepth 1 -name '*Packages*' -mtime -1 2>/dev/null | head -n 1)" ]; }

if ! all_known && ! lists_fresh; then
    echo "deps: apt-get update"
    $sudo apt-get -qq update </dev/null || echo "deps: apt-get update failed; going on with the lists at hand" >&2
fi

get() {
    # shellcheck disable=SC2086  # a list of packages
    $sudo env DEBIAN_FRONTEND=noninteractive apt-get -qq -y --no-install-recommends install "$@" </dev/null >/dev/null
}

if [ -n "$required" ]; then
    echo "deps: apt-get install$required"
    # shellcheck disable=SC2086
    if ! get $required; then
        # a list can be there and stale: its versions are gone from the mirror
        $sudo apt-get -qq update </dev/null || true
        # shellcheck disable=SC2086
        get $required || { echo "deps: apt-get could not install:$required" >&2; exit 1; }
    fi
fi
for p in $optional; do
    if ! known "$p"; then
        echo "deps: apt has no $p here; what needs it is skipped and says so"
        continue
    fi
    echo "deps: apt-get install $p"
    get "$p" || echo "deps: apt-get could not install $p; what needs it is skipped and says so"
done
