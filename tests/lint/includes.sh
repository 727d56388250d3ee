#!/bin/sh
# Who may include whom: the walls of the folders.
#   isa, mem, config and traces include themselves and sim/util, never one another nor the rest of sim
#   inside sim: util < options < loader < launch < engine < check < report < api < study < sweep < cli, hsa; nobody includes what stands above it.
#   sim/util includes nobody at all, sim/engine/functional and sim/engine/timing not one another
#   inside isa and mem: the lists `may_isa` and `may_mem` below
#   sim/cli and sim/hsa include sim/api/gcnsim.h, sim/options, their own headers and what is named below of sim/util; sim/cli
#   the sweep's, too, which includes sim/api/gcnsim.h and sim/util
#   inside sim/hsa: rooms, in the order of a line of sim/hsa/README.md; files of sim/hsa itself include any of them, and
#   nobody them
#   Includes form no circle anywhere, where x.c and x.h count as one.
#   gcnsim.h: its parts gcnsim_*.h, by their names alone, because all are installed in one folder; all: system headers only
#   libelf, libdw and msgpack only in sim/loader, zstd there and, with zlib, in traces/packed.c; cJSON in
#   sim/util/libcjson.h, which sim/util/json_text.c and what loads it include
# Tests are free. Includes are written with their path from the repository's root.
here=$(dirname "$0")
# shellcheck disable=SC2016  # an awk program
"$here/files.sh" '*.c' '*.h' | grep -v -e '^tests/' -e '^docs/' -e '^traces/samples/' | xargs awk '
BEGIN {
    levels = split("util options loader launch engine check report api study sweep cli", order, " ")
    for (i = 1; i <= levels; i++)
        rank[order[i]] = i
    rank["hsa"] = rank["cli"]
    while ((getline line < "sim/hsa/README.md") > 0)
        if (sub(/^Order of the rooms: /, "", line)) {
            rooms = split(line, order, / < /)
            for (i = 1; i <= rooms; i++)
                room_rank[order[i]] = i
        }
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
# the folder below sim/hsa; empty for a file of sim/hsa itself
function room(path,    part) { return split(path, part, "/") > 3 ? part[3] : "" }
function stem(path) { sub(/\.[ch]$/, "", path); return path }
function check_rooms(    from, to) {
    from = room(FILENAME); to = room(inc)
    if (from != "" && from != "interpose" && !(from in room_rank))
        bad("sim/hsa/" from " has no place in the order of the rooms (sim/hsa/README.md)")
    else if ((from == "interpose") != (to == "interpose"))
        bad("sim/hsa/interpose is a library of its own")
    else if (from != "" && (to == "" || room_rank[to] > room_rank[from]))
        bad("sim/hsa/" from " stands before " (to == "" ? "the files of sim/hsa itself" : "sim/hsa/" to))
}
# Takes away what includes nothing of the rest, and what nothing of the rest includes, until a circle is left, or nothing.
function check_circles(    n, e, end, out, into, taken, left) {
    do {
        split("", out); split("", into); taken = 0
        for (e in edge) {
            split(e, end, SUBSEP)
            if ((end[1] in node) && (end[2] in node)) {
                out[end[1]]; into[end[2]]
            }
        }
        for (n in node)
            if (!(n in out) || !(n in into))
                gone[n]
        for (n in gone) {
            delete node[n]; delete gone[n]
            taken++
        }
    } while (taken)
    for (n in node)
        left = left " " n
    if (left != "") {
        print "includes form a circle:" left
        errors++
    }
}
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
    if (ours && stem(FILENAME) != stem(inc)) {
        edge[stem(FILENAME), stem(inc)]
        node[stem(FILENAME)]; node[stem(inc)]
    }
    if (to == "tests")
        bad("only tests include tests/")
    if (from ~ /^(isa|mem|config|traces)$/ && ours && to != from && inc !~ /^sim\/util\//)
        bad(from " includes itself and sim/util only")
    if (from == "isa" && to == "isa" && part != to_part && !has(may_isa[part], to_part))
        bad("isa/" part " includes of isa only: " may_isa[part])
    if (from == "mem" && to == "mem" && part != to_part && !has(may_mem[part], to_part))
        bad("mem/" part " includes of mem only: " may_mem[part])
    if (from == "sim" && to == "sim" && part == "hsa" && to_part == "hsa")
        check_rooms()
    if (from == "sim") {
        if (part == "util" && ours && inc !~ /^sim\/util\//)
            bad("sim/util includes nobody outside sim/util")
        else if (part ~ /^(cli|hsa|sweep)$/ && ours && inc != "sim/api/gcnsim.h" && inc !~ "^sim/" part "/" &&
                 !(part != "sweep" && inc ~ /^sim\/options\//) &&
                 !(part == "cli" && inc ~ /^sim\/(sweep\/|util\/(error|json_put|number|plain)\.h)/) &&
                 !(part == "hsa" && inc ~ /^sim\/util\/(arena|csv_put|json_put|number|plain|student|text_stream)\.h/) && !(part == "sweep" && inc ~ /^sim\/util\//))
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
    check_circles()
    if (!count) {
        print "no include found at all: is this the root of the repository?"
        errors++
    }
    if (!errors)
        printf "lint: includes: %d looked at, all within the walls\n", count
    exit errors ? 1 : 0
}'
