"""Looks at the pages of `gcnsim sweep show --html` in a real browser: check_sweep.py GCNSIM FOLDER [SCREENSHOTS]

Runs a sweep in FOLDER, opens its page in a headless Chromium, and compares what it shows with what SQL says of the same
file; then pages of files that nobody ran: hostile names, no results, one axis, many points.
Exit status: 0 all is well, 1 something is not (said on stderr), 77 there is no browser here.
"""

import json
import os
import sqlite3
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import sweep_files  # noqa: E402
from check_pages import Failure, check, check_contrast, check_names, check_quiet, check_width, equal, screenshots  # noqa: E402
from webdriver import Browser, find_programs  # noqa: E402

SAMPLES = "traces/samples/gfx1201/"
L2, SLOTS, LATENCY = "cache.l2.size_bytes", "cu.wave_slots_per_simd", "cache.vl0.hit_latency_cycles"
COST = "[%s] / 65536.0 + [%s]" % (L2, SLOTS)
DONE = "outcome = 'completed'"
HOSTILE = ["</script><script>window.pwned = 1</script>", "<!-- \"&<>' \u202e \\", "<img src=x onerror=pwned=1>"]


def spec(folder):
    """Two launches; with 4 slots a workgroup does not fit, so that a third of the points is refused."""
    path = os.path.join(folder, "real.json")
    with open(path, "w", encoding="utf-8") as f:
        json.dump({"gcnsim_sweep": 1, "name": "caches & <slots>",
                   "launches": [os.path.abspath(SAMPLES + name) for name in ("matmul.json", "saxpy.json")],
                   "axes": [{"set": L2, "values": [4194304, 262144, 1048576]}, {"set": SLOTS, "values": [4, 8, 16]},
                            {"set": LATENCY, "range": {"from": 60, "to": 140, "step": 20}}],
                   "objectives": ["cycles", {"name": "cost", "value": COST},
                                  {"value": "ipc", "goal": "maximize"}, {"name": "wrong", "value": "[no such] + 1"}]}, f)
    return path


class Sweep:
    """A results file and its page."""

    def __init__(self, gcnsim, path):
        self.page = path[:-len(".sqlite")] + ".html"
        done = subprocess.run([gcnsim, "sweep", "show", path, "--html", self.page], stderr=subprocess.PIPE)
        equal(done.returncode, 0, "exit status (%s)" % done.stderr.decode(errors="replace"))
        self.db = sqlite3.connect(path)

    def sql(self, text, *args):
        return [list(row) for row in self.db.execute(text, args)]


def near(got, expected, text):
    """Numbers with the nine digits that a page has."""
    check(got is not None and abs(got - expected) <= 1e-8 * abs(expected), "%s: %r; expected %r" % (text, got, expected))


# ---- the parts of a page ----


def check_overview(b, s):
    tiles = dict(b.run("Array.from(document.querySelectorAll('#overview .tile'), t => [t.querySelector('.tile-label').textContent, "
                       "t.querySelector('.tile-value').textContent])"))
    expected = s.sql("SELECT count(*), count(*) FILTER (WHERE %s), count(*) FILTER (WHERE outcome <> 'completed'), "
                     "count(*) FILTER (WHERE outcome IS NULL) FROM results" % DONE)[0]
    equal([int(tiles[name].replace(",", "")) for name in ("Points", "Completed", "Did not complete", "Left to run")],
          expected, "points")
    groups = b.run("Array.from(document.querySelectorAll('.failures tbody tr'), r => [+r.cells[0].textContent.replaceAll(',', ''), r.cells[1].textContent, "
                   "r.cells[2].textContent])")
    equal(sorted(groups), sorted(s.sql("SELECT count(*), outcome, coalesce(message, '') FROM results WHERE outcome <> 'completed' GROUP BY 2, 3")),
          "failures by message")
    axes = b.run("Array.from(document.querySelectorAll('[data-axis-row]'), r => [r.dataset.axisRow, +r.cells[2].textContent])")
    equal([a for a in axes if a[0] not in ("launch", "profile")], s.sql("SELECT name, (SELECT count(DISTINCT value) FROM override o WHERE o.axis = a.axis) FROM axis a "
                          "ORDER BY axis"), "axes with their values")


def choose(b, part, name, text):
    """An option of a choice by its text, as a user does it."""
    done = b.run("""((part, name, text) => {
        const label = [...document.querySelectorAll(`#${part} .choice`)].find(c => c.firstChild.textContent === name);
        const select = label.querySelector('select'), option = [...select.options].find(o => o.textContent === text);
        if (!option) return Array.from(select.options, o => o.textContent);
        select.value = option.value;
        select.dispatchEvent(new Event('change'));
        return true; })(...arguments)""", part, name, text)
    check(done is True, "%s: %s has no %s: %r" % (part, name, text, done))


def label_of(b, name):
    return b.run("values.find(v => v.name === arguments[0]).label()", name)


def check_heat(b, s, rows, columns, value, aggregate, word, where="1"):
    """The cells of the map are what SQL groups."""
    choose(b, "heat", "Rows", rows)
    choose(b, "heat", "Columns", columns)
    choose(b, "heat", "Of several points", word)
    cells = b.run("Array.from(document.querySelectorAll('#heat td[data-value]'), c => [heatMap.rows.values[c.dataset.r], "
                  "heatMap.cols.values[c.dataset.c], +c.dataset.value])")
    expected = {(r, c): v for r, c, v in s.sql("SELECT [%s], [%s], %s(%s) FROM results WHERE %s AND (%s) GROUP BY 1, 2" %
                                               (rows, columns, aggregate, value, DONE, where))}
    equal({(r, c) for r, c, _ in cells}, set(expected), "cells with points")
    for r, c, v in cells:
        near(v, expected[r, c], "%s of %s at %s, %s" % (aggregate, value, r, c))
    return cells


def check_heat_map(b, s):
    equal(b.run("[heatMap.value.name, heatMap.how]"), ["cycles", "min"], "what the map begins with")
    check_heat(b, s, L2, LATENCY, "cycles", "min", "least", "launch = 'matmul'")  # the first launch alone
    choose(b, "heat", "launch", "all")
    cells = check_heat(b, s, SLOTS, L2, "cycles", "avg", "mean")
    equal(len(cells), 6, "cells with points")
    equal(b.run("document.querySelectorAll('#heat td.none').length"), 3, "cells without")
    check_heat(b, s, "launch", LATENCY, "cycles", "max", "largest")
    choose(b, "heat", L2, "256 KiB")
    check_heat(b, s, "launch", LATENCY, "cycles", "max", "largest", "[%s] = 262144" % L2)
    choose(b, "heat", L2, "all")
    choose(b, "heat", "Value", label_of(b, "ipc"))
    check_heat(b, s, "launch", LATENCY, "ipc", "max", "largest")
    best = b.run("[document.querySelectorAll('#heat td.best').length, +document.querySelector('#heat td.best').dataset.value]")
    near(best[1], s.sql("SELECT max(ipc) FROM results WHERE " + DONE)[0][0], "the best cell")
    choose(b, "heat", "Value", "cost")
    check_heat(b, s, SLOTS, L2, COST, "min", "least")  # refused points have it, and are not there
    choose(b, "heat", "Value", "cycles")


def check_cell(b, s):
    """A click, and Enter, on a cell select its points in the table."""
    check_heat(b, s, SLOTS, L2, "cycles", "avg", "mean")
    b.click("#heat td[data-r='1'][data-c='2']")
    expected = [p for p, in s.sql("SELECT point FROM results WHERE %s AND [%s] = 8 AND [%s] = 4194304 ORDER BY point" % (DONE, SLOTS, L2))]
    equal(b.run("pointTable.order.map(pointNumber)"), expected, "points of the cell")
    shown = b.run("Array.from(document.querySelectorAll('#points .row[data-point]:not([hidden])'), r => +r.dataset.point)")
    equal(sorted(shown), expected, "rows of the table")
    equal(b.run("document.querySelectorAll('#heat td[aria-selected=\"true\"]').length"), 1, "cells that are marked")
    b.run("document.querySelector('#heat td[data-r=\"2\"][data-c=\"2\"]').focus()")
    b.type("right", "down", "up", "left", "enter")  # the first two lead nowhere
    expected = [p for p, in s.sql("SELECT point FROM results WHERE %s AND [%s] = 8 AND [%s] = 1048576 ORDER BY point" % (DONE, SLOTS, L2))]
    equal(b.run("pointTable.order.map(pointNumber)"), expected, "points of the cell by keys")
    check(b.run("document.activeElement.getAttribute('aria-label').startsWith('%s = 8, %s = 1 MiB: ')" % (SLOTS, L2)), "a cell says what it is")
    b.run("document.activeElement.blur()")
    b.type("escape")
    b.type("escape")
    equal(b.run("pointTable.order.length"), s.sql("SELECT count(*) FROM results")[0][0], "Escape shows all again")


def check_tip(b, s):
    b.hover("#heat td[data-r='2'][data-c='1']")
    b.until("!document.getElementById('tip').hidden")
    text = b.run("document.getElementById('tip').textContent")
    low, high = s.sql("SELECT min(cycles), max(cycles) FROM results WHERE %s AND [%s] = 16 AND [%s] = 1048576" % (DONE, SLOTS, L2))[0]
    check(SLOTS + " = 16" in text and format(int(low), ",") in text and format(int(high), ",") in text, "tip: " + text)


def check_chart(b, s):
    """One axis alone is a chart: a line of numbers, bars of texts."""
    choose(b, "heat", "Columns", "none: a chart of one axis")
    for axis, bars in ((LATENCY, False), ("launch", True)):
        choose(b, "heat", "Rows", axis)
        choose(b, "heat", "Of several points", "mean")
        got = b.run("Array.from(document.querySelectorAll('#heat .mark'), m => [heatMap.rows.values[m.dataset.k], +m.dataset.value])")
        expected = dict(s.sql("SELECT [%s], avg(cycles) FROM results WHERE %s GROUP BY 1" % (axis, DONE)))
        equal({k for k, _ in got}, set(expected), "values of " + axis)
        for k, v in got:
            near(v, expected[k], "mean at %s" % k)
        equal(b.run("document.querySelectorAll('#heat .mark rect:not(.hit)').length > 0"), bars, "bars of " + axis)
    b.run("document.querySelector('#heat .mark').focus()")
    b.type("right", "enter")
    equal(b.run("pointTable.order.map(pointNumber)"), [p for p, in s.sql("SELECT point FROM results WHERE %s AND launch = 'saxpy' ORDER BY point" % DONE)],
          "points of a bar")
    b.run("select(null)")


def front_of(s, x, y, sign_x, sign_y):
    """By brute force: pairs of values that no other completed point is as good as in both and better in one."""
    rows = [(sign_x * a, sign_y * c) for a, c in s.sql("SELECT %s, %s FROM results WHERE %s" % (x, y, DONE))]
    return sorted({(sign_x * a, sign_y * c) for a, c in rows
                   if not any(p <= a and q <= c and (p < a or q < c) for p, q in rows)})


def turn_goal(b):
    """Of the value that goes up: more is better instead of less, or the other way round."""
    b.run("""(s => { s.value = s.value === 'minimize' ? 'maximize' : 'minimize'; s.dispatchEvent(new Event('change')); })
        (document.querySelectorAll('#pareto .choice select')[3])""")


def check_pareto(b, s):
    for up, sql, more in (("cost", COST, False), (label_of(b, "ipc"), "ipc", True)):
        choose(b, "pareto", "Across", "cost" if more else "cycles")
        choose(b, "pareto", "Up", up)
        for flip in (False, True):
            if flip:
                turn_goal(b)
            expected = front_of(s, COST if more else "cycles", sql, 1, -1 if more != flip else 1)
            got = b.run("Array.from(document.querySelectorAll('#pareto [data-front]'), r => Array.from(r.querySelectorAll('[data-value]'), c => +c.dataset.value))")
            equal(len(got), len(expected), "points on the front of %s" % up)
            for pair, want in zip(sorted(got), expected):
                near(pair[0], want[0], "front of " + up)
                near(pair[1], want[1], "front of " + up)
        turn_goal(b)
    choose(b, "pareto", "Launch", "saxpy")
    expected = s.sql("SELECT min(%s) FROM results WHERE %s AND launch = 'saxpy'" % (COST, DONE))[0][0]
    near(b.run("+document.querySelector('#pareto [data-front] [data-value]').dataset.value"), expected, "front of one launch")
    equal(b.run("pareto.points.length"), s.sql("SELECT count(*) FROM results WHERE %s AND launch = 'saxpy'" % DONE)[0][0], "its points")
    choose(b, "pareto", "Launch", "all")
    equal(b.run("pareto.points.length"), s.sql("SELECT count(*) FROM results WHERE " + DONE)[0][0], "points of the scatter plot")
    equal(b.run("document.querySelectorAll('#pareto .dots').length"), 2, "colours of launches")
    b.run("pareto.plot.focus()")
    b.type("home", "right", "left", "enter")
    first = b.run("pareto.front[0]")
    check(b.run("selection.points.includes(arguments[0])", first), "Enter selects a point of the front")
    check("#%d" % first in b.run("document.getElementById('tip').textContent"), "a point of the front is read")
    b.run("select(null)")
    # a dot, by the pointer
    place = b.run("(() => { pareto.plot.scrollIntoView({block: 'center', behavior: 'instant'}); const r = pareto.plot.querySelector('svg').getBoundingClientRect(), p = pareto.front[0]; return [r.x + pareto.place.X(p), r.y + pareto.place.Y(p)]; })()")
    b.run("(pareto.plot.dispatchEvent(new PointerEvent('pointermove', {clientX: arguments[0], clientY: arguments[1], bubbles: true})), pareto.plot.dispatchEvent(new MouseEvent('click', {bubbles: true})))", *place)
    check(b.run("selection.points !== null && selection.points.includes(pareto.front[0])"), "a click selects a dot")
    b.run("select(null)")


def check_effects(b, s):
    ranges = {}
    for axis in ("launch", L2, SLOTS, LATENCY):
        expected = dict(s.sql("SELECT [%s], avg(cycles) FROM results WHERE %s GROUP BY 1" % (axis, DONE)))
        got = b.run("(e => e.axis.values.map((v, k) => [v, e.means[k]]))(effects.all.find(e => e.axis.name === arguments[0]))", axis)
        got = {k: v for k, v in got if v is not None}
        equal(set(got), set(expected), "values of " + axis)
        for k, v in got.items():
            near(v, expected[k], "mean at %s = %s" % (axis, k))
        ranges[axis] = max(expected.values()) - min(expected.values())
    order = b.run("Array.from(document.querySelectorAll('.effect'), f => f.dataset.axis)")
    equal([ranges[a] for a in order], sorted(ranges.values(), reverse=True), "the axis that matters most comes first")


def head_of(b, title):
    place = b.run("pointTable.columns.findIndex(c => c.title === arguments[0])", title)
    return "#points .head:nth-child(%d) button" % (place + 1)


def check_table(b, s):
    order = lambda: b.run("pointTable.order.map(pointNumber)")  # noqa: E731
    b.click(head_of(b, "cycles"))
    equal(order(), [p for p, in s.sql("SELECT point FROM results ORDER BY cycles IS NULL, cycles, point")], "by cycles")
    b.click(head_of(b, "cycles"))
    equal(order(), [p for p, in s.sql("SELECT point FROM results ORDER BY cycles IS NULL, cycles DESC, point")], "and down")
    equal(b.run("document.querySelector(arguments[0]).parentNode.getAttribute('aria-sort')", head_of(b, "cycles")), "descending", "aria-sort")
    b.click(head_of(b, LATENCY))
    equal(order(), [p for p, in s.sql("SELECT point FROM results ORDER BY [%s], point" % LATENCY)], "by an axis")
    b.click(head_of(b, "Point"))
    b.run("document.activeElement.blur()")
    b.type("/")
    equal(b.run("document.activeElement.id"), "search", "focus behind /")
    b.type("refused matmul")
    equal(order(), [p for p, in s.sql("SELECT point FROM results WHERE outcome = 'refused' AND launch = 'matmul' ORDER BY point")], "filter by text")
    b.run("(f => { f.value = ''; f.dispatchEvent(new Event('input')); })(pointTable.search)")
    choose(b, "points", SLOTS, "16")
    choose(b, "points", "launch", "saxpy")
    equal(order(), [p for p, in s.sql("SELECT point FROM results WHERE [%s] = 16 AND launch = 'saxpy' ORDER BY point" % SLOTS)], "filter by axes")
    choose(b, "points", SLOTS, "all")
    choose(b, "points", "launch", "all")
    choose(b, "points", "outcome", "refused")
    equal(len(order()), s.sql("SELECT count(*) FROM results WHERE outcome = 'refused'")[0][0], "filter by outcome")
    choose(b, "points", "outcome", "all")
    b.run("pointTable.list.host.focus()")
    b.type("home", "down", "down")
    equal(b.run("pointTable.chosen"), 2, "two times down")
    check(b.run("!!document.getElementById(document.activeElement.getAttribute('aria-activedescendant'))"), "that row is there")
    b.type("end")
    equal(b.run("pointTable.chosen"), b.run("POINTS - 1"), "End")


def check_commands(b, s):
    equal(b.run("Array.from({length: POINTS}, (_, p) => commandOf(p))"), [c for c, in s.sql("SELECT command FROM results ORDER BY point")],
          "command lines")
    b.run("pointTable.show(pointTable.order.indexOf(7))")
    equal(b.run("document.querySelector('.command code').textContent"), s.sql("SELECT command FROM results WHERE point = 7")[0][0], "command of point 7")
    b.run("window.copied = null, document.addEventListener('copy', () => { window.copied = getSelection().toString() || document.activeElement.value; }),"
          " navigator.clipboard && (navigator.clipboard.writeText = t => { window.copied = t; return Promise.resolve(); })")
    b.click(".copy")
    b.until("window.copied !== null")
    equal(b.run("window.copied"), s.sql("SELECT command FROM results WHERE point = 7")[0][0], "what is copied")


def check_values(b, s):
    """Every statistic of every point, wherever the page has it."""
    columns = b.run("values.map(v => [v.name, v.objective, Array.from(v.data, x => Number.isNaN(x) ? null : x)])")
    same = {row[0]: row for row in b.run("DATA.same")}
    names = {name for name, _, _ in columns}
    for name, objective, data in columns:
        if name == "cost":
            continue
        expected = [v for v, in s.sql("SELECT [%s] FROM results ORDER BY point" % name)]
        for got, want in zip(data, expected):
            check((got is None) == (want is None), name)
            if want is not None:
                near(got, want, name)
        check(len(set(expected) - {None}) > 1 or objective, name + " varies")
    for name, low, high, points in s.sql("SELECT t.name, min(v.value), max(v.value), count(*) FROM value v JOIN statistic t USING (statistic) GROUP BY 1"):
        check(name in names or low == high and same[name][1:3] == [low, points], "statistic %s is in the page" % name)
    equal(b.run("DATA.not_computed.map(n => n[0])"), ["wrong"], "objectives that cannot be computed")
    check("no such column" in b.run("document.getElementById('constants').textContent"), "the page says why")


def check_keys(b):
    b.run("document.activeElement.blur()")
    b.type("?")
    check(b.run("document.getElementById('keys').open"), "? opens help")
    b.type("escape")
    for key, part in enumerate(("overview", "heat", "pareto", "effects", "points", "constants"), 1):
        b.type(str(key))
        equal(b.run("document.activeElement.id"), part, "key %d" % key)
    themes = []
    for _ in range(3):
        b.type("t")
        themes.append(b.run("document.documentElement.dataset.theme || ''"))
    equal(themes, ["light", "dark", ""], "themes")


# ---- pages ----


def look_real(b, s, shots):
    b.open(s.page)
    check_overview(b, s)
    check_values(b, s)
    check_heat_map(b, s)
    check_cell(b, s)
    check_tip(b, s)
    check_chart(b, s)
    check_pareto(b, s)
    check_effects(b, s)
    check_table(b, s)
    check_commands(b, s)
    check_keys(b)
    check_names(b)
    check_quiet(b, s.page)
    b.open(s.page)
    check(b.run("document.querySelectorAll('#heat td[data-value]').length > 0"), "a map to be read")
    check_names(b)
    check_contrast(b)
    check_width(b, 400)
    check_width(b, 800)
    screenshots(b, shots, "sweep")
    b.console(), b.requests()


def look_hostile(b, s):
    b.open(s.page)
    check(b.run("window.pwned === undefined && document.querySelectorAll('img').length === 0"), "names are texts")
    equal(b.run("document.getElementById('title').textContent"), HOSTILE[0], "title")
    equal(b.run("axes[2].name"), HOSTILE[1], "name of an axis")
    equal(b.run("axes[2].values"), HOSTILE, "its values")
    equal(b.run("messageOf(0)"), HOSTILE[2], "message")
    equal(b.run("values[0].name"), HOSTILE[2], "objective")
    equal(b.run("commandOf(1)"), s.sql("SELECT command FROM results WHERE point = 1")[0][0], "command")
    b.hover("#heat td[data-value], #heat .mark")
    b.run("pointTable.list.host.focus()")
    b.type("home", "down")
    check(b.run("window.pwned === undefined && document.querySelectorAll('img').length === 0"), "names stay texts")
    check_names(b)
    check_quiet(b, s.page)


def look_empty(b, s):
    """Nothing has run yet, or nothing completed: the points are there, the charts are not."""
    b.open(s.page)
    check_overview(b, s)
    equal(b.run("parts.map(p => p.id)"), ["overview", "points"], "parts")
    equal(b.run("pointTable.order.length"), s.sql("SELECT count(*) FROM results")[0][0], "points")
    check_quiet(b, s.page)


def look_single(b, s):
    b.open(s.page)
    check(b.run("heatMap.cols === null"), "one axis is a chart")
    equal(b.run("document.querySelectorAll('#heat .mark').length"), 100, "values that are drawn at a time")
    choose(b, "heat", "Values of cu.simds", "201 to 250 of 250")
    got = b.run("Array.from(document.querySelectorAll('#heat .mark'), m => [heatMap.rows.values[m.dataset.k], +m.dataset.value])")
    equal(dict(got), dict(s.sql("SELECT [cu.simds], cycles FROM results WHERE [cu.simds] > 200")), "the last values")
    check_width(b, 400)
    check_quiet(b, s.page)


def look_many(b, s, points, left_out):
    """Returns seconds until the page was drawn."""
    check(os.path.getsize(s.page) < 25e6, "size of the page: %d" % os.path.getsize(s.page))
    began = time.monotonic()
    b.open(s.page)
    seconds = time.monotonic() - began
    equal(b.run("POINTS"), points, "points")
    check(b.run("document.querySelectorAll('#points .row').length < 100"), "rows that exist")
    equal(b.run("DATA.left_out.length > 0 && !!document.getElementById('left-out')"), left_out, "the page says what is left out")
    x, y = b.run("[pareto.x.name, pareto.y.name]")
    got = b.run("pareto.front.map(p => [pareto.x.data[p], pareto.y.data[p]])")
    rows, best, front = s.sql("SELECT [%s], [%s] FROM results WHERE %s ORDER BY 1, 2" % (x, y, DONE)), None, []
    for row in rows:
        if best is None or row[1] < best:
            best = row[1]
            front.append(row)
    equal(len(got), len(front), "points on the front")
    for pair, want in zip(got, front):
        near(pair[0], want[0], x)
        near(pair[1], want[1], y)
    b.click(head_of(b, "cycles"))
    values = b.run("pointTable.order.slice(0, 2000).map(p => values[0].data[p])")
    equal(values, sorted(values), "order by cycles")
    b.run("pointTable.list.host.focus()")
    b.type("end")
    equal(b.run("pointTable.list.active"), points - 1, "End")
    check_quiet(b, s.page)
    return seconds


def make_files(gcnsim, folder):
    path = lambda name: os.path.join(folder, name + ".sqlite")  # noqa: E731
    done = subprocess.run([gcnsim, "sweep", spec(folder), "-o", path("real"), "--progress", "never"], stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE)
    equal(done.returncode, 1, "exit status of the sweep (%s)" % done.stderr.decode(errors="replace"))
    with sweep_files.Results(path("real"), path("hostile"), HOSTILE[0]) as r:
        r.axis(HOSTILE[1], HOSTILE)
        r.objective(HOSTILE[2], "cycles * 2")
        r.points(HOSTILE[0], HOSTILE[1], lambda k: "completed" if k else HOSTILE[0], lambda k: None if k else HOSTILE[2])
        r.values(9, "p.ordinal + s.statistic")
    for name, outcome in (("empty", None), ("failed", "refused")):
        with sweep_files.Results(path("real"), path(name), name) as r:
            r.axis("cu.simds", [1, 2, 4])
            r.points("a", None, lambda k, o=outcome: o, lambda k: "message %d" % (k % 2))
    with sweep_files.Results(path("real"), path("single"), "one axis") as r:
        r.axis("cu.simds", list(range(1, 251)))
        r.points("a", "p", lambda k: "completed")
        r.values(3, "10 + p.ordinal * s.statistic % 77")
    sweep_files.many(path("real"), path("many"))
    sweep_files.many(path("real"), path("wide"), expression="100000.5 + (p.ordinal * 7919 + s.statistic * 104729) % 9000001")
    return {name: Sweep(gcnsim, path(name)) for name in ("real", "hostile", "empty", "failed", "single", "many", "wide")}


def main(gcnsim, folder, shots):
    driver, browser = find_programs()
    if not driver or not browser:
        print("skip: no chromium with chromedriver")
        return 77
    files = make_files(gcnsim, folder)
    with Browser(driver, browser, os.path.join(folder, "profile")) as b:
        look_real(b, files["real"], shots)
        print("ok real")
        look_hostile(b, files["hostile"])
        print("ok hostile")
        look_empty(b, files["empty"])
        look_empty(b, files["failed"])
        print("ok empty")
        look_single(b, files["single"])
        print("ok single")
        for name, left_out in (("many", False), ("wide", True)):
            seconds = look_many(b, files[name], 10000, left_out)
            print("ok %s: 10,000 points, %.1f MB, drawn after %.1f s" % (name, os.path.getsize(files[name].page) / 1e6, seconds))
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1], sys.argv[2], sys.argv[3] if len(sys.argv) > 3 else None))
    except Failure:
        import traceback
        traceback.print_exc()
        sys.exit(1)
