#!/bin/sh
# run.sh BUILD: every lint check, all of them even when one fails.
here=$(dirname "$0")
status=0
"$here/selftest.sh" || status=1
"$here/format.sh" || status=1
"$here/includes.sh" || status=1
"$here/symbols.sh" "$1" || status=1
"$here/text.sh" || status=1
"$here/shell.sh" || status=1
[ "$status" -eq 0 ] || echo "lint: FAILED" >&2
exit $status
