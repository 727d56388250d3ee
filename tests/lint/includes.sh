#!/bin/sh
# Who may include whom (the folders' walls):
#   isa, mem, config and traces never include one another, nor sim/ outside sim/util
#   sim/util includes nobody outside sim/util
#   sim/cli includes gcnsim.h and its own headers
#   gcnsim.h is self-contained: system headers alone
#   libelf only in sim/loader; msgpack and zstd too; cJSON in config/, sim/launch/ and sim/report*.c
# Tests are free. Includes are written with their path from the repository's root.
here=$(dirname "$0")
# shellcheck disable=SC2016  # an awk program
"$here/files.sh" '*.c' '*.h' | grep -v -e '^tests/' -e '^docs/' -e '^traces/samples/' | xargs awk '
function bad(why) {
    printf "%s:%d: includes \"%s\": %s\n", FILENAME, FNR, inc, why
    errors++
}
function top(path) { return substr(path, 1, index(path, "/") - 1) }
/^[ \t]*#[ \t]*include[ \t]*["<]/ {
    inc = $0
    sub(/^[^"<]*["<]/, "", inc)
    sub(/[">].*$/, "", inc)
    count++
    if (inc ~ /^(libelf|gelf|elfutils\/.*)\.h$/ && FILENAME !~ /^sim\/loader\//)
        bad("libelf belongs to sim/loader alone")
    if (inc ~ /^(msgpack|zstd)/ && FILENAME !~ /^sim\/loader\//)
        bad("msgpack and zstd belong to sim/loader alone")
    if (inc ~ /cJSON\.h$/ && FILENAME !~ /^(config\/|sim\/launch\/|sim\/report)/)
        bad("cJSON belongs to config/, sim/launch/ and sim/report*.c")
    ours = inc ~ /^(isa|mem|config|traces|sim|tests)\//
    if (!ours && $0 ~ /include[ \t]*"/ && inc !~ /^(isa|mem|config|traces|sim)\//)
        bad("a header of ours is included by its path from the root")
    if (inc ~ /^tests\//)
        bad("only tests include tests/")
    from = top(FILENAME)
    if (FILENAME ~ /^sim\/util\// && ours && inc !~ /^sim\/util\//)
        bad("sim/util includes nobody outside sim/util")
    if (from ~ /^(isa|mem|config|traces)$/ && ours && top(inc) != from && inc !~ /^sim\/util\//)
        bad(from " includes itself and sim/util only")
    if (FILENAME ~ /^sim\/cli\// && ours && inc != "sim/api/gcnsim.h" && inc !~ /^sim\/cli\//)
        bad("the command line includes the public header only")
    if (FILENAME == "sim/api/gcnsim.h" && (ours || $0 ~ /include[ \t]*"/))
        bad("the public header stands alone")
}
END {
    if (!count) {
        print "no include found at all: is this the root of the repository?"
        errors++
    }
    if (!errors)
        printf "lint: includes: %d looked at, all within the walls\n", count
    exit errors ? 1 : 0
}'
