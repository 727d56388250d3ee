#!/bin/bash
# `make check-packages`: the Debian packages, from the source of the last commit to programs that use what is installed.
# BUILD is set. It needs root and mmdebstrap (or debootstrap), and Debian's archive as apt reaches it.
#   1. the build stage of the Dockerfile by hand, in a chroot of Debian 12 that has what debian/control asks for alone
#   2. a second build elsewhere, by another user, of files of another age, with another umask, locale, time zone and number
#      of processes, without the demo: every .deb has the same bytes
#   3. lintian: no error and no warning
#   4. the other stage of the Dockerfile, in a clean chroot: with the packages alone its entry point, the demo, annotated
#      code, man pages, `gcnsim exec` of an HSA and a HIP program, and Python; purged, they leave nothing
#   5. autopkgtest (debian/tests) in another clean chroot
# What was made stays in BUILD/packages: the .debs in first/ and second/, logs in log/.
set -u -o pipefail
export LC_ALL=C.UTF-8
cd "$(dirname "$0")/.." || exit 1
mkdir -p "${BUILD:?}/packages/log" || exit 1
work=$(cd "$BUILD/packages" && pwd -P) failed='' suite=bookworm

skip() { echo "check-packages: SKIPPED, $*"; exit 0; }
step() { echo "== $(date +%H:%M:%S) $*"; }
# quietly NAME COMMAND...: its output is a log, whose end is shown when it fails
quietly() {
    local log=$work/log/$1
    shift
    "$@" >"$log" 2>&1 </dev/null && return 0
    echo "check-packages: failed: $* ($log)" >&2
    tail -n 15 "$log" | cut -c 1-300 | sed 's/^/    /' >&2
    return 1
}
fail() { echo "check-packages: FAILED: $1" >&2; failed="$failed $1;"; }
stop() { fail "$1"; exit 1; }

[ "$(id -u)" -eq 0 ] || skip "needs root for chroots"
if command -v mmdebstrap >/dev/null; then
    bootstrap() { mmdebstrap --variant=apt $suite "$1"; }
elif command -v debootstrap >/dev/null; then
    bootstrap() { debootstrap --variant=minbase $suite "$1"; }
else
    skip "needs mmdebstrap or debootstrap"
fi
unshare --mount --pid --fork true 2>/dev/null || skip "this machine has no namespaces for chroots"
git rev-parse HEAD >/dev/null 2>&1 || skip "this is no clone of a git repository"

# A fresh chroot of a release without anything that is not essential, but apt.
new_root() {
    rm -rf --one-file-system "${work:?}/$1"
    quietly "bootstrap-$1" bootstrap "$work/$1" || return 1
    [ ! -e /etc/resolv.conf ] || cp -L /etc/resolv.conf "$work/$1/etc/resolv.conf"
}
# in_root ROOT COMMAND...: in a mount and process namespace of its own, which take mounts and processes with them.
# Variables of this script's environment are not there.
in_root() {
    local root=$work/$1
    shift
    # shellcheck disable=SC2016  # the inner shell's
    unshare --mount --pid --fork --kill-child sh -c 'cd / && root=$1 && shift && mount -t proc proc "$root/proc" &&
        mount --rbind /dev "$root/dev" && exec chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root \
        TERM=dumb LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"' - "$root" "$@"
}

# docker_stage ROOT NUMBER CONTEXT: the steps of that stage (1, 2) of the Dockerfile in ROOT; COPY takes from CONTEXT, or
# with --from from the root of that name. A step that is none of these is refused.
docker_stage() {
    local root=$1 number=$2 context=$3 at=/ stage=0 line word rest
    local -a words
    while read -r line; do
        word=${line%% *} rest=${line#* }
        [ "$word" = FROM ] && stage=$((stage + 1))
        [ $stage -eq "$number" ] || continue
        case $word in
        FROM) [[ $rest == debian:$suite* ]] || return 1 ;;
        WORKDIR) at=$rest && mkdir -p "$work/$root$at" ;;
        RUN) in_root "$root" sh -c "cd $at && $rest" || return 1 ;;
        COPY)
            read -ra words <<<"$rest"
            local from=$context to=${words[-1]}
            unset 'words[-1]'
            if [[ ${words[0]} == --from=* ]]; then
                from=$work/${words[0]#--from=}
                words=("${words[@]:1}")
            fi
            [[ $to == /* ]] || to=$at/$to
            case $to in */) mkdir -p "$work/$root$to" ;; *) mkdir -p "$work/$root${to%/*}" ;; esac
            [ "$to" != "$at/." ] || words=("${words[@]/%/\/.}")
            # shellcheck disable=SC2068  # patterns
            (cd "$from" && cp -a ${words[@]#/} "$work/$root$to") || return 1
            ;;
        ENTRYPOINT | CMD) ;;
        *) echo "Dockerfile: $word: no step that tests/packages.sh knows"; return 1 ;;
        esac
    done < <(sed -e '/^#/d' -e '/^$/d' Dockerfile | sed -e ':a' -e '/\\$/{N;s/\\\n *//;ba}')
    [ $stage -ge "$number" ]
}
words_of() { sed -n "s/^$1 \[\(.*\)\]$/\1/p" Dockerfile | tr -d '",'; }

step "source"
rm -rf "${work:?}/source" "$work/first" "$work/second" && mkdir -p "$work/source" "$work/first" "$work/second" || exit 1
quietly dist make -s dist DIST="$work/source" || stop "make dist"
tar -xf "$work"/source/gcnsim-*.tar.gz -C "$work/source" || stop "make dist"
source=$(echo "$work"/source/gcnsim-*/)

step "the Dockerfile's build stage"
new_root build || stop "bootstrap"
quietly build-1 docker_stage build 1 "$source" || stop "build stage"
cp "$work"/build/src/*.deb "$work/first/"

step "a second build"
# shellcheck disable=SC2016  # the chroot's shell's
second='umask 027 && export TZ=Asia/Kolkata LC_ALL=C DEB_BUILD_OPTIONS="nocheck parallel=2" && cd /home/else/where/gcnsim-* &&
    find . -exec touch -h -d "1 hour ago" {} + && dpkg-buildpackage -us -uc'
{
    in_root build useradd -m else && mkdir "$work/build/home/else/where" &&
        cp -r "$source" "$work/build/home/else/where/" && in_root build chown -R else: /home/else
} || stop "second build"
quietly build-2 in_root build su else -c "$second" || stop "second build"
find "$work/build/home/else/where" -maxdepth 1 -type f -exec cp {} "$work/second/" \;
for deb in "$work"/second/*.deb; do
    cmp "$deb" "$work/first/${deb##*/}" || fail "${deb##*/} is not reproducible"
done
[ "$(find "$work/first" -name '*.deb' | wc -l)" = "$(find "$work/second" -name '*.deb' | wc -l)" ] || fail "numbers of packages"
(cd "$work/second" && ls -s --block-size=K -- *.deb)

step "lintian"
quietly apt-lintian in_root build apt-get install -y --no-install-recommends lintian || stop "apt-get"
quietly lintian in_root build su else -c \
    "cd /home/else/where && lintian --fail-on error,warning --display-info gcnsim_*.changes" || fail "lintian"

step "the Dockerfile's last stage, and what is installed"
new_root final || stop "bootstrap"
quietly final docker_stage final 2 "$source" || stop "last stage"
# shellcheck disable=SC2046  # a list of words
quietly entry in_root final $(words_of ENTRYPOINT) $(words_of CMD) || fail "entry point"
mkdir "$work/final/packages" && cp "$work"/first/python3-gcnsim_*.deb "$work/final/packages/" &&
    cp -r "$source/debian/tests" "$work/final/packages/tests" || exit 1
# an HSA program that is compiled elsewhere: there is neither a compiler nor another HSA runtime
{
    in_root build cc -o /tmp/hsa_saxpy /src/gcnsim/docs/examples/hsa_saxpy.c -lhsa-runtime64 &&
        cp "$work/build/tmp/hsa_saxpy" "$work/final/packages/"
} || fail "hsa_saxpy"
for test in demo exec; do
    quietly "clean-$test" in_root final env HSA_PROGRAM=/packages/hsa_saxpy /packages/tests/$test || fail "$test"
done
quietly apt-python in_root final sh -c 'apt-get update && apt-get install -y --no-install-recommends /packages/python3-gcnsim_*.deb' ||
    fail "apt-get install python3-gcnsim"
quietly clean-python in_root final /packages/tests/python || fail "python"
if ! why=$(sh tests/deps.sh --why hip); then
    echo "check-packages: SKIPPED: a HIP program: $why"
elif ! grep -q "^VERSION_CODENAME=$suite" /etc/os-release; then
    echo "check-packages: SKIPPED: a HIP program: this machine's libraries are not those of $suite"
else
    {
        quietly make-hip make -s BUILD="$BUILD" "$BUILD/tests/hsa/programs/streams" &&
            cp "$BUILD/tests/hsa/programs/streams" "$work/final/packages/" &&
            quietly apt-hip in_root final apt-get install -y --no-install-recommends libamdhip64-5 &&
            quietly clean-hip in_root final gcnsim exec --engine timing /packages/streams &&
            grep -qx together "$work/log/clean-hip" && grep -qx 'in turn' "$work/log/clean-hip"
    } || fail "a HIP program"
fi
quietly purge in_root final sh -c 'apt-get purge -y "*gcnsim*"' || fail "purge"
find "$work/final" -xdev -path "$work/final/packages" -prune -o -iname '*gcnsim*' ! -path '*/dpkg/*' -print |
    grep . && fail "files are left behind"

step "autopkgtest"
new_root test || stop "bootstrap"
mkdir "$work/test/packages" && cp "$work"/second/* "$work/test/packages/"
quietly apt-autopkgtest in_root test sh -c 'apt-get update && apt-get install -y --no-install-recommends autopkgtest' ||
    stop "apt-get"
quietly autopkgtest in_root test sh -c 'autopkgtest /packages/gcnsim_*.changes -- null' || fail "autopkgtest"
summary=$(sed '1,/@@@ summary/d' "$work/log/autopkgtest" | grep -E '^[a-z]+ +(PASS|FAIL|SKIP)')
echo "$summary"
[ "$(echo "$summary" | grep -c ' PASS')" = "$(grep -c '^Tests:' debian/tests/control)" ] ||
    fail "not every test of debian/tests has passed"

for root in build final test; do rm -rf --one-file-system "${work:?}/$root"; done
[ -z "$failed" ] || { echo "check-packages: FAILED:$failed" >&2; exit 1; }
echo "check-packages: all passed"
