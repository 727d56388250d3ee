#!/bin/sh
# Prints a C file that carries the given files: embed.sh FILE... > out.c
# Each becomes {name without .json, bytes, length}; see config/profile.h (struct profile_builtin).
set -eu
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
	printf '    {"%s", f%d, sizeof f%d - 1},\n' "$n" "$i" "$i"
	i=$((i + 1))
done
echo '    {0, 0, 0},'
echo '};'
