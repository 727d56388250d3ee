#!/bin/sh
# Prints the tracked files that match the given patterns (all when none); in a tree without git, those that are there.
if git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
    git ls-files --cached --others --exclude-standard -- "$@" | while read -r f; do [ -f "$f" ] && echo "$f"; done | sort
elif [ $# -eq 0 ]; then
    find . -type f -not -path './build*/*' -not -path './dist/*' -not -path './.git/*' | sed 's|^\./||' | sort
else
    for pattern in "$@"; do
        find . -type f -name "${pattern##*/}" -not -path './build*/*' -not -path './dist/*' -not -path './.git/*'
    done | sed 's|^\./||' | sort
fi
