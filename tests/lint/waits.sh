#!/bin/sh
# Tests wait for events, not for time: no sleep, alarm or timer in tests/, outside benchmarks and developers' tools, but
# in the files of tests/lint/waits.txt, "PATH  reason" each. A file that is there and has none is an error as well.
here=$(dirname "$0")
list=tests/lint/waits.txt
[ -f "$list" ] || list=
files=$("$here/files.sh" 'tests/*.c' 'tests/*.h' 'tests/*.cpp' 'tests/*.hip' 'tests/*.py' 'tests/*.sh' 'tests/*.mk' |
    grep -vE '^tests/(bench|tools|lint)/')
# shellcheck disable=SC2086  # no file here has a space in its name
awk -v list="$list" '
FILENAME == list {
    if ($0 !~ /^#/ && NF) {
        if (NF < 2) {
            printf "%s:%d: no reason\n", FILENAME, FNR
            errors++
        }
        allowed[$1] = FNR
    }
    next
}
FNR == 1 { files++ }
/(^|[^A-Za-z_.>])(u|nano|clock_nano|thrd_)?sleep *\(/ || /(^|[^A-Za-z_.>])(u?alarm|setitimer|timer_create) *\(/ ||
/sleep_(for|until) *\(/ || /time\.sleep|threading\.Timer/ || /(^|[^A-Za-z_.-])sleep +[0-9.$"]/ {
    if (FILENAME in allowed) {
        used[FILENAME] = 1
    } else {
        printf "%s:%d: a wait for time; expected one for an event (docs/TESTING.md, What tests wait for)\n", FILENAME, FNR
        errors++
    }
}
END {
    for (f in allowed)
        if (!(f in used)) {
            printf "%s:%d: %s waits for no time\n", list, allowed[f], f
            errors++
        }
    if (!errors)
        printf "lint: waits: %d files of tests wait for events\n", files
    exit errors ? 1 : 0
}' $list $files </dev/null
