#!/bin/sh
# Prints a C file with the page templates (struct html_template, sim/report/html.h): embed.sh FOLDER > out.c
# In page.html and index.html a line "@include NAME" stands for a file of the folder, and "@data" for the data, which the
# program puts there.
set -eu
cd "$1"
expand() {
	while IFS= read -r line; do
		case $line in
		@include\ *) cat "${line#@include }" ;;
		*) printf '%s\n' "$line" ;;
		esac
	done <"$1"
}
bytes() {
	printf 'static const char %s[] = {' "$1"
	od -An -v -tu1 | sed 's/[0-9][0-9]*/&,/g'
	echo '0};'
}
echo '/* made by sim/report/html/embed.sh; do not edit */'
echo '#include "sim/report/html.h"'
for page in page index; do
	grep -q '^@data$' "$page.html"
	expand "$page.html" | sed -n '/^@data$/q;p' | bytes "${page}_before"
	expand "$page.html" | sed '1,/^@data$/d' | bytes "${page}_after"
	echo "const struct html_template html_${page}_template = {${page}_before, ${page}_after};"
done
