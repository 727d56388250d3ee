#!/bin/sh
# figures.sh BUILD: every profile figure has a reader, that is, its field is named outside config/. That a figure also
# acts is what tests/timing/test_figures.c shows.
build=${1:-build}

if [ ! -x "$build/gcnsim" ]; then
    echo "lint: figures: $build holds no built tool; run make first" >&2
    exit 1
fi
# a figure's line has its confidence and source in brackets
paths=$("$build/gcnsim" arch show gfx1201 | awk '/\[/ { print $1 }')
[ -n "$paths" ] || { echo "lint: figures: arch show prints no figure" >&2; exit 1; }
status=0
for path in $paths; do
    if ! grep -rqw --include='*.c' --include='*.h' "${path##*.}" sim mem; then
        echo "lint: figures: nothing reads $path" >&2
        status=1
    fi
done
# shellcheck disable=SC2086  # a list of paths
set -- $paths
[ "$status" -ne 0 ] || echo "lint: figures: $# profile figures, each has a reader"
exit $status
