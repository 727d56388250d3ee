#!/bin/sh
# Who may include whom: the walls of the folders.
#   isa, mem, config and traces include themselves and sim/util, never one another nor the rest of sim
#   inside sim: util < loader < launch < engine < check < report < api < study < sweep < cli, hsa; nobody includes what stands above it.
#   sim/util includes nobody at all, sim/engine/functional and sim/engine/timing not one another
#   inside isa and mem: the lists `may_isa` and `may_mem` below
#   sim/cli and sim/hsa include sim/api/gcnsim.h, their own headers and what is named below of sim/util; sim/cli the sweep's,
#   too, which includes sim/api/gcnsim.h and sim/util
#   gcnsim.h: its parts gcnsim_*.h, by their names alone, because all are installed in one folder; all: system headers only
#   libelf, libdw and msgpack only in sim/loader, zstd there and, with zlib, in traces/packed.c; cJSON in
#   sim/util/libcjson.h, which sim/util/json_text.c and what loads it include
# Tests are free. Includes are written with their path from the repository's root.
here=$(dirname "$0")
# shellcheck disable=SC2016  # an awk program
"$here/files.sh" '*.c' '*.h' | grep -v -e '^tests/' -e '^docs/' -e '^traces/samples/' | xargs awk '
BEGIN {
    levels = split("util loader launch engine check report api study sweep cli", order, " ")
    for (i = 1; i <= levels; i++)
        rank[order[i]] = i
    rank["hsa"] = rank["cli"]
    # The rows stand in insts and are found through a linker section: nobody includes insts, nor text. The headers at the
    # top of isa and mem are the way in, and the top of isa holds what spans its folders (wave, dpp, program).
    may_isa[""] = "table lanes"
    may_isa["table"] = "top lanes decode"
    may_isa["lanes"] = "top table"
    may_isa["decode"] = "top table lanes"
    may_isa["text"] = "top table decode"
    may_isa["insts"] = "top table lanes"
    may_mem[""] = ""
    may_mem["cache"] = may_mem["lds"] = "top"
    may_mem["hierarchy"] = "top cache"
}
function bad(why) {
    printf "%s:%d: includes \"%s\": %s\n", FILENAME, FNR, inc, why
    errors++
}
function top(path) { return substr(path, 1, index(path, "/") - 1) }
# the folder below the top one; empty for a file of the top folder itself
function inner(path,    part) { return split(path, part, "/") > 2 ? part[2] : "" }
function has(list, word) { return index(" " list " ", " " (word == "" ? "top" : word) " ") }
/^[ \t]*#[ \t]*include[ \t]*["<]/ {
    inc = $0
    sub(/^[^"<]*["<]/, "", inc)
    sub(/[">].*$/, "", inc)
    count++
    from = top(FILENAME); part = inner(FILENAME)
    to = top(inc); to_part = inner(inc)
    if (inc ~ /^(libelf|gelf|dwarf|elfutils\/.*)\.h$/ && FILENAME !~ /^sim\/loader\//)
        bad("libelf and libdw belong to sim/loader alone")
    if (inc ~ /^(msgpack|zstd|zlib)/ && FILENAME !~ /^sim\/loader\// && FILENAME !~ /^traces\/packed\.c$/)
        bad("msgpack, zstd and zlib belong to sim/loader and traces/packed.c")
    if (inc ~ /cJSON\.h$/ && FILENAME != "sim/util/libcjson.h" ||
        inc ~ /libcjson\.h$/ && FILENAME !~ /^sim\/util\/(json_text|loaded\/libcjson)\.c$/)
        bad("cJSON belongs to sim/util/json_text.c")
    ours = to ~ /^(isa|mem|config|traces|sim|tests)$/
    if (!ours && $0 ~ /include[ \t]*"/ && !(FILENAME == "sim/api/gcnsim.h" && inc ~ /^gcnsim_[a-z]+\.h$/))
        bad("a header of ours is included by its path from the root")
    if (to == "tests")
        bad("only tests include tests/")
    if (from ~ /^(isa|mem|config|traces)$/ && ours && to != from && inc !~ /^sim\/util\//)
        bad(from " includes itself and sim/util only")
    if (from == "isa" && to == "isa" && part != to_part && !has(may_isa[part], to_part))
        bad("isa/" part " includes of isa only: " may_isa[part])
    if (from == "mem" && to == "mem" && part != to_part && !has(may_mem[part], to_part))
        bad("mem/" part " includes of mem only: " may_mem[part])
    if (from == "sim") {
        if (part == "util" && ours && inc !~ /^sim\/util\//)
            bad("sim/util includes nobody outside sim/util")
        else if (part ~ /^(cli|hsa|sweep)$/ && ours && inc != "sim/api/gcnsim.h" && inc !~ "^sim/" part "/" &&
                 !(part == "cli" && inc ~ /^sim\/(sweep\/|util\/(error|number|plain)\.h)/) &&
                 !(part == "hsa" && inc ~ /^sim\/util\/(arena|json_put|number|plain|student|text_stream)\.h/) && !(part == "sweep" && inc ~ /^sim\/util\//))
            bad("sim/" part " includes the public header and its own only")
        else if (!(part in rank) || to == "sim" && !(to_part in rank))
            bad("sim/" (part in rank ? to_part : part) " has no place in the order of the folders of sim (tests/lint/includes.sh)")
        else if (to == "sim" && rank[to_part] > rank[part])
            bad("sim/" part " stands below sim/" to_part)
        if (FILENAME ~ /^sim\/engine\/functional\// && inc ~ /^sim\/engine\/timing\// ||
            FILENAME ~ /^sim\/engine\/timing\// && inc ~ /^sim\/engine\/functional\//)
            bad("the two engines do not know one another")
    }
    if (FILENAME ~ /^sim\/api\/gcnsim(_[a-z]+)?\.h$/ && (ours || $0 ~ /include[ \t]*"/) &&
        !(FILENAME == "sim/api/gcnsim.h" && inc ~ /^gcnsim_[a-z]+\.h$/))
        bad("gcnsim.h includes its parts alone, and they nothing of ours")
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
