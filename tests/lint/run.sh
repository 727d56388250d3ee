#!/bin/sh
# run.sh BUILD: every lint check, all of them even when one fails. A check whose tool is not installed (exit status 77) is
# named at the end, and is a failure where CI=true: what nobody looked at is not clean.
here=$(dirname "$0")
failed=
skipped=
check() {
    "$here/$1.sh" "$2"
    case $? in
    0) ;;
    77) skipped="$skipped $1" ;;
    *) failed="$failed $1" ;;
    esac
}
for name in selftest accuracy api format includes size tree text words waits terminal shell; do
    check "$name"
done
for name in symbols figures python tidy; do
    check "$name" "$1"
done
if [ -n "$skipped" ]; then
    echo "lint: *** NOT CHECKED:$skipped: the tools are not installed (see the SKIPPED lines above; tests/deps.sh --lint) ***" >&2
    [ "${CI:-}" != true ] || failed="$failed$skipped"
fi
if [ -n "$failed" ]; then
    echo "lint: FAILED:$failed" >&2
    exit 1
fi
[ -n "$skipped" ] || echo "lint: all clean"
