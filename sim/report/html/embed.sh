#!/bin/sh
# Prints a C file with page templates: embed.sh FOLDER HEADER NAME PAGE... > out.c
# A page is FOLDER/PAGE.html, in which a line "@include FILE" stands for a file (its path from FOLDER), and "@data" for the
# data, which the program puts there. It becomes `const struct NAME_template NAME_PAGE_template`, which HEADER declares.
set -eu
folder=$1 header=$2 name=$3
shift 3
cd "$folder"
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
printf '#include "%s"\n' "$header"
for page; do
	grep -q '^@data$' "$page.html"
	expand "$page.html" | sed -n '/^@data$/q;p' | bytes "${page}_before"
	expand "$page.html" | sed '1,/^@data$/d' | bytes "${page}_after"
	echo "const struct ${name}_template ${name}_${page}_template = {${page}_before, ${page}_after};"
done
