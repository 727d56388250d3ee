#!/bin/sh
# Prints a C file that carries the texts of the given files: embed.sh FILE... > out.c
# Each becomes a row of config/builtin.h. Chip and target are taken from lines of their own, as `  "chip": "...",`, of
# the file or of those it extends; tests/unit/config compares them with the profiles as they are read.
set -eu
field() {
	sed -n 's/^  "'"$2"'": "\(.*\)",\{0,1\}$/\1/p' "$1"
}
inherited() {
	at=$1
	while v=$(field "$at" "$2") && [ -z "$v" ]; do
		base=$(field "$at" extends)
		[ -n "$base" ] || break
		at=$(dirname "$at")/$base.json
	done
	echo "$v"
}
echo '/* made by config/embed.sh; do not edit */'
echo '#include "config/builtin.h"'
i=0
for f in "$@"; do
	printf 'static const char f%d[] = {' "$i"
	od -An -v -tu1 "$f" | sed 's/[0-9][0-9]*/&,/g'
	echo '0};'
	i=$((i + 1))
done
echo 'const struct profile_builtin profile_builtins[] = {'
i=0
for f in "$@"; do
	n=$(basename "$f" .json)
	default=false
	grep -q '^  "default_for_target": true' "$f" && default=true
	printf '    {"%s", f%d, sizeof f%d - 1, 0, "%s", "%s", %s},\n' "$n" "$i" "$i" "$(inherited "$f" chip)" \
		"$(inherited "$f" target)" $default
	i=$((i + 1))
done
echo '    {0, 0, 0, 0, 0, 0, false},'
echo '};'
