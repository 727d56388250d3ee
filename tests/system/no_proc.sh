#!/bin/sh
# What gcnsim does where /proc is not mounted; the cases of tests/system/test_no_proc.c.
#
#   no_proc.sh enter CASE   in a mount namespace whose /proc is an empty folder of the file system that $D is on
#   no_proc.sh CASE
#
# From the repository's root. $GCNSIM is the tool, $D a folder that the cases share.
set -eu

vecadd() { # OUT [OPTION]...
    out=$1
    shift
    "$GCNSIM" run traces/samples/gfx1201/vecadd.json --quiet --replace-arg "2=out:$out:4096" "$@"
}
same() { cmp "$D/expected" "$1"; }
holds() { [ "$(cat "$2")" = "$1" ]; }
fails() { # MESSAGE COMMAND...
    message=$1
    shift
    if "$@" 2>"$D/err"; then
        echo "no error: $*"
        return 1
    fi
    grep -qF "$message" "$D/err" || { cat "$D/err"; return 1; }
}
small() { (ulimit -f 1 && trap '' XFSZ && "$@"); }

enter() {
    users=
    [ "$(id -u)" = 0 ] || users=--map-root-user # root needs no namespace of users
    mkdir -p "$D/empty"
    # shellcheck disable=SC2086,SC2016  # no word or one; expanded by the inner shell
    exec unshare --mount $users sh -c 'mount --bind "$D/empty" /proc && exec sh "$@"' sh "$0" "$1"
}

nothing() { [ ! -e /proc/self ]; }

expected() { vecadd "$D/expected"; }

# New files, files that are replaced with their mode, links, and no part of a file that fails.
files() {
    nothing
    echo old >"$D/old"
    chmod 640 "$D/old"
    ln "$D/old" "$D/hard"
    ln -s old "$D/soft"
    vecadd "$D/new" --json "$D/a.json" --csv "$D/a.csv" --trace "issue-csv=$D/a.issues"
    same "$D/new"
    [ -s "$D/a.json" ] && [ -s "$D/a.csv" ] && [ -s "$D/a.issues" ]
    vecadd "$D/soft"
    same "$D/old"
    [ -L "$D/soft" ] && [ "$(stat -c %a "$D/old")" = 640 ]
    holds old "$D/hard"
    fails 'hard: not everything could be written: File too large' small vecadd "$D/hard"
    holds old "$D/hard"
    fails 'nowhere/x: its folder: No such file or directory' vecadd "$D/nowhere/x"
    fails 'a folder; expected a file' vecadd "$D/empty"
    # shellcheck disable=SC2010  # names that we know
    if ls -A "$D" | grep '[.]tmp$'; then return 1; fi
}

# What is written in place: a FIFO, a device, and open files by their names in /dev, which lead into /proc.
streams() {
    nothing
    mkfifo "$D/fifo"
    cat "$D/fifo" >"$D/through" &
    vecadd "$D/fifo"
    wait
    same "$D/through"
    vecadd /dev/null
    vecadd /dev/stdout >"$D/stdout"
    same "$D/stdout"
    vecadd /dev/fd/7 7>"$D/seven"
    same "$D/seven"
    vecadd /proc/self/fd/7 7>"$D/seven"
    same "$D/seven"
    vecadd "$D/new" --trace issue-csv=- >"$D/trace"
    [ -s "$D/trace" ]
    fails '/dev/fd/99: Bad file descriptor' vecadd /dev/fd/99
    fails '/dev/fd/7: cannot be written: not open for writing' vecadd /dev/fd/7 7<"$D/trace"
}

# The tool finds itself, by a relative name too, and with it the runtime of exec.
own_place() {
    nothing
    echo "{\"gcnsim_sweep\": 1, \"launches\": [\"$PWD/traces/samples/gfx1201/vecadd.json\"], \"profiles\": [\"gfx1201\"]}" \
        >"$D/spec.json"
    "$GCNSIM" sweep "$D/spec.json" --slurm 2 >"$D/batch"
    grep -qF "'$(realpath "$GCNSIM")' sweep" "$D/batch"
    cd "$(dirname "$GCNSIM")"
    ./gcnsim sweep "$D/spec.json" --output "$D/results.sqlite" --progress never
    [ -s "$D/results.sqlite" ]
    # shellcheck disable=SC2016  # the program's
    [ ! -e hsa ] || ./gcnsim exec --no-summary sh -c 'echo "$LD_PRELOAD"' | grep -q libhsa-runtime64
}

# The statistics of a program that a sweep runs, which otherwise have no name but one in /proc.
programs() {
    nothing
    raw=$(realpath "$(dirname "$GCNSIM")/tests/hsa/programs")
    mkdir "$D/tmp"
    TMPDIR=$D/tmp
    export TMPDIR
    echo "{\"gcnsim_sweep\": 1, \"launches\": [{\"name\": \"raw\", \"exec\": [\"$raw/raw\", \"$raw\", \"dispatches\"]}]," \
        "\"profiles\": [\"gfx90a\"]}" >"$D/programs.json"
    "$GCNSIM" sweep "$D/programs.json" --output "$D/programs.sqlite" --progress never
    "$GCNSIM" sweep show "$D/programs.sqlite" --value cycles >"$D/shown"
    grep -q '[1-9][0-9]' "$D/shown" || { cat "$D/shown"; return 1; }
    [ -z "$(ls -A "$D/tmp")" ]
}

"$@"
