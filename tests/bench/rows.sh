#!/bin/sh
# Rows of the bench (tests/bench/rows.h), as tables.
#
#   rows.sh show RECORDED ROWS    the rows beside those of the recorded file
#   rows.sh record RECORDED ROWS  puts the rows into the recorded file; those it has besides stay
#   rows.sh compare A B           rows of two versions that were run in turns: each has a row several times
#
# Of a row that is there several times the best counts. "recorded, here" is what the recorded figure would be on this
# machine: times the host's own figure of this run, divided by that of the recorded run. A ratio above 1 is always
# the better: of what is measured now, or of B. A mark stands at those further than 10 % from 1, in a comparison
# at those that are further from it than the spread of either, too: by how much the worst run of a row is behind its best.
# A row that had less than 95 % of a processor says how much it had, and so does a line below the table: other work on the
# machine has made its figure worse than it is.
set -u
usage() {
    sed -n 's/^#   /usage: /p' "$0" >&2
    exit 2
}
[ $# -eq 3 ] || usage
for f in "$2" "$3"; do
    [ -f "$f" ] || { [ "$1" = record ] && [ "$f" = "$2" ]; } || [ "$1$f" = "show$2" ] || { echo "rows.sh: $f: no such file" >&2; exit 1; }
done

# shellcheck disable=SC2016  # an awk program
table='
function less(unit) { return unit == "ms" || unit == "MiB" || unit == "x slower" }
function scaled(unit) { return unit == "M/s" || unit == "1/s" ? 1 : unit == "ms" ? -1 : 0 }
function better(a, b, unit) { return less(unit) ? a < b : a > b }
function flaw(what) {
    printf "rows.sh: %s: line %d: %s\n", FILENAME, FNR, what > "/dev/stderr"
    failed = 1
    exit 1
}
BEGIN { FS = "\t" }
FNR == 1 { file++ }
/^# load average / { split($0, word, " "); if (word[4] + 0 > load) { load = word[4] + 0; processors = word[6] } }
/^#/ || /^$/ { next }
(NF != 4 && NF != 5) || $5 !~ /^[0-9.]*$/ || $2 !~ /^[0-9.]+(e[-+]?[0-9]+)?$/ || $4 !~ /^[0-9.]+(e[-+]?[0-9]+)?$/ || $4 <= 0 { flaw("expected name, figure, unit and host, in columns, and the share of a processor or nothing") }
$3 !~ /^(M\/s|1\/s|ms|MiB|x (faster|slower))$/ { flaw("unknown unit " $3) }
{
    k = side() SUBSEP $1
    if (!(k in best) || better($2, best[k], $3)) { best[k] = $2 + 0; host[k] = $4 + 0; share[k] = NF == 5 ? $5 + 0 : 1 }
    if (!(k in worst) || better(worst[k], $2, $3)) worst[k] = $2 + 0
    if (!($1 in unit)) { order[++rows] = $1 }
    unit[$1] = $3
    if (length($1) > width) width = length($1)
}
function ratio(new, old, u) { return !new || !old ? 0 : less(u) ? old / new : new / old }
function spread(k, u) { return !best[k] ? 0 : less(u) ? worst[k] / best[k] - 1 : best[k] / worst[k] - 1 }
function busy(k) {
    figures++
    if (share[k] >= 0.95) return ""
    disturbed++
    return sprintf("  busy: %.0f %% of a processor", 100 * share[k])
}
function tell_load() {
    if (disturbed)
        printf "\nThe machine was busy: %d of %d figures had less than 95 %% of a processor and are worse than without that work.\n",
            disturbed, figures
    if (load) printf "%sLoad average at the start: %s on %d processors.\n", disturbed ? "" : "\n", load, processors
}
function figure(v) { return sprintf(v >= 1000 ? "%.0f" : v >= 100 ? "%.1f" : v >= 1 ? "%.2f" : "%.3f", v) }
'
# shellcheck disable=SC2016
show='
function side() { return FILENAME == now ? "now" : "recorded" }
END {
    if (failed) exit 1
    printf "%-*s %10s %-8s %8s %14s %6s\n", width, "row", "now", "", "of host", "recorded, here", "ratio"
    for (i = 1; i <= rows; i++) {
        n = order[i]; a = "recorded" SUBSEP n; b = "now" SUBSEP n; u = unit[n]
        if (!(b in best)) continue
        here = !(a in best) ? 0 : best[a] * (scaled(u) ? (host[b] / host[a]) ^ scaled(u) : 1)
        q = ratio(best[b], here, u)
        mark = (q > 1.1) ? " +" : (q && q < 1 / 1.1) ? " !" : ""
        printf "%-*s %10s %-8s %8s %14s %6s%s%s\n", width, n, figure(best[b]), u, u == "M/s" ? sprintf("%.4f", best[b] / host[b]) : "-",
            here ? figure(here) : "-", q ? sprintf("%.2f", q) : "-", mark, busy(b)
    }
    tell_load()
}'
# shellcheck disable=SC2016
record='
function side() { return FILENAME == now ? "now" : "recorded" }
END {
    if (failed) exit 1
    for (i = 1; i <= rows; i++) {
        n = order[i]; k = "now" SUBSEP n
        if (!(k in best)) k = "recorded" SUBSEP n
        printf "%s\t%.6g\t%s\t%.6g\n", n, best[k], unit[n], host[k]
    }
}'
# shellcheck disable=SC2016
compare='
function side() { return file == 1 ? "A" : "B" }
END {
    if (failed) exit 1
    printf "%-*s %10s %10s %-8s %6s %13s\n", width, "row", "A", "B", "", "ratio", "spread A, B"
    for (i = 1; i <= rows; i++) {
        n = order[i]; a = "A" SUBSEP n; b = "B" SUBSEP n; u = unit[n]
        if (!(a in best) || !(b in best)) {
            printf "%-*s %10s %10s %-8s\n", width, n, a in best ? figure(best[a]) : "-", b in best ? figure(best[b]) : "-", u
            continue
        }
        q = ratio(best[b], best[a], u)
        far = q > 1 ? q - 1 : q ? 1 / q - 1 : 0
        mark = (far <= 0.1 || far <= spread(a, u) || far <= spread(b, u)) ? "" : (q > 1) ? " +" : " !"
        printf "%-*s %10s %10s %-8s %6.2f %5.0f %% %3.0f %%%s%s\n", width, n, figure(best[a]), figure(best[b]), u, q,
            100 * spread(a, u), 100 * spread(b, u), mark, busy(share[a] < share[b] ? a : b)
    }
    tell_load()
}'
case $1 in
show)
    [ -f "$2" ] || set -- "$1" /dev/null "$3"
    awk -v now="$3" "$table$show" "$2" "$3"
    ;;
compare) awk "$table$compare" "$2" "$3" ;;
record)
    old=$2
    [ -f "$old" ] || set -- "$1" /dev/null "$3"
    trap 'rm -f "$old.new"' EXIT
    {
        echo "# What make bench has measured, for make bench to compare with: make bench-record writes it."
        echo "# $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1), $(nproc) threads; of $(git log -1 --format='%h, %cs')"
        awk -v now="$3" "$table$record" "$2" "$3" || exit 1
    } >"$old.new" && mv "$old.new" "$old"
    ;;
*) usage ;;
esac
