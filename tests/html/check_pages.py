"""Looks at the pages of `gcnsim run --html` in a real browser: check_pages.py GCNSIM FOLDER [SCREENSHOTS]

Makes runs in FOLDER, opens their pages in a headless Chromium, and compares what they show with the JSON reports. With
SCREENSHOTS, a folder, it leaves pictures there, in light and dark, wide and narrow, for people to look at.
Exit status: 0 all is well, 1 something is not (said on stderr), 77 there is no browser here.
"""

import json
import os
import random
import re
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from webdriver import Browser, find_programs  # noqa: E402

SAMPLES = "traces/samples"
DATA = re.compile(r'(<script type="application/json" id="data">\n)(.*?)(</script>)', re.S)


class Failure(Exception):
    pass


def check(condition, text):
    if not condition:
        raise Failure(text)


def equal(got, expected, text):
    check(got == expected, "%s: %r; expected %r" % (text, got, expected))


# ---- runs ----


def run(gcnsim, folder, name, args, status=0):
    """Runs the tool; paths of the page, and the report."""
    page, report = (os.path.join(folder, name + end) for end in (".html", ".json"))
    done = subprocess.run([gcnsim, "run", "--quiet", "--html", page, "--json", report] + args,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    equal(done.returncode, status, "%s: exit status (%s)" % (name, done.stderr.decode(errors="replace")))
    with open(report, encoding="utf-8") as f:
        return page, json.load(f)


def data_of(page):
    with open(page, encoding="utf-8") as f:
        text = f.read()
    return json.loads(DATA.search(text).group(2)), text


def many_instructions(page, out, count):
    """A page of `count` instructions, made from another one's."""
    data, text = data_of(page)
    code, rng = data["launches"][0]["code"], random.Random(1)
    names = ["v_fma_f32 v%d, v%d, v%d, v%d", "global_load_b128 v[%d:%d], v[%d:%d], off", "s_wait_loadcnt 0x%x",
             "ds_load_b32 v%d, v%d offset:%d", "v_add_nc_u32_e32 v%d, v%d, v%d"]
    texts = []
    for k in range(count):
        name = names[rng.randrange(len(names))]
        texts.append(name % tuple(rng.randrange(200) for _ in range(name.count("%"))))
    keys = ["cycles.issued", "cycles.wait_loadcnt", "cycles.dependency_valu", "cycles.fetch"]
    code.update({"count": count, "pc": 4096, "to_offset": -4096, "outside": [], "text": texts,
                 "step": [0] + [8] * (count - 1)})
    code["values"] = {"executed": [rng.randrange(1, 4096) for _ in range(count)],
                      "lanes": [rng.randrange(1, 4096) * 32 for _ in range(count)]}
    for key in keys:
        code["values"][key] = [rng.randrange(100000) if rng.random() < 0.4 else 0 for _ in range(count)]
    code["values"]["cycles.fetch"] = {"i": [77777], "v": [10 ** 9]}  # the hottest, stored sparsely
    for key in ("files", "functions", "frames", "frame", "sources", "loops", "loop", "reached", "target", "symbols"):
        code.pop(key, None)
    with open(out, "w", encoding="utf-8") as f:
        f.write(DATA.sub(lambda m: m.group(1) + json.dumps(data).replace("<", "\\u003c") + "\n" + m.group(3), text))
    return data


# ---- what every page must hold ----


def flatten(value, path=""):
    """Numbers of a report by their paths."""
    if isinstance(value, dict):
        for key, v in value.items():
            yield from flatten(v, path + "." + key if path else key)
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield path, value


def check_quiet(b, page):
    equal(b.console(), [], "messages on the console")
    asked = [u for u in b.requests() if not u.startswith("data:")]
    equal(asked, ["file://" + page], "requests")


def check_numbers(b, report, least):
    """Statistics in the page, wherever they stand, are those of the report, and no statistic is missing."""
    numbers = dict(flatten(report))
    shown = b.run("Array.from(document.querySelectorAll('[data-stat]'), n => [n.dataset.stat, n.dataset.value])")
    for name, value in shown:
        if name in numbers:
            equal(float(value), float(numbers[name]), name)
    rows = b.run("Array.from(document.querySelectorAll('.stats [data-stat]'), n => [n.dataset.stat, n.textContent])")
    names = [name for name, _ in rows]
    check(len(names) >= least, "%d statistics; expected %d at least" % (len(names), least))
    for name, text in rows:
        digits = text.replace(",", "").replace("\u00a0%", "").replace("<\u00a0", "")
        if "\u00a0%" not in text and float(numbers[name]).is_integer():
            equal(float(digits), float(numbers[name]), "text of " + name)
    units = b.run("Array.from(document.querySelectorAll('.stats tbody tr'), r => r.cells[3].textContent.length)")
    check(all(n > 5 for n in units), "a statistic without a meaning")


def check_names(b):
    """What can be reached has a name; ids are there once; headings follow one another."""
    nameless = b.run("""Array.from(document.querySelectorAll('button, a[href], input, select, [tabindex="0"]')).filter(n =>
        !n.closest('[hidden]') && !(n.getAttribute('aria-label') || n.getAttribute('aria-labelledby') || n.textContent.trim() ||
        n.labels && n.labels.length || hints.has(n))).map(n => n.outerHTML.slice(0, 120))""")
    equal(nameless, [], "elements without a name")
    twice = b.run("""Array.from(document.querySelectorAll('[id]'), n => n.id).filter((id, k, all) => all.indexOf(id) !== k)""")
    equal(twice, [], "ids that are there twice")
    images = b.run("""Array.from(document.querySelectorAll('svg')).filter(n => !n.closest('[aria-hidden="true"], [role="img"]') &&
        !n.getAttribute('aria-label')).map(n => n.outerHTML.slice(0, 120))""")
    equal(images, [], "pictures without a name")


def check_width(b, width):
    b.resize(width, 900)
    b.frames()
    check(not b.run("document.documentElement.scrollWidth > innerWidth + 1"), "the page is wider than %d" % width)
    b.resize(1440, 900)


def check_contrast(b):
    """Of text on its ground, in both themes, 4.5 at least."""
    for theme in ("light", "dark"):
        b.run("setTheme(arguments[0])", theme)
        worst = b.run("""(() => {
            const probe = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
            const light = c => { probe.fillStyle = '#000'; probe.fillStyle = c; probe.fillRect(0, 0, 1, 1);
                const [r, g, b] = Array.from(probe.getImageData(0, 0, 1, 1).data, v => { v /= 255; return v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4; });
                return .2126 * r + .7152 * g + .0722 * b; };
            const ground = n => { while (n) { const c = getComputedStyle(n).backgroundColor; if (c && !/, 0\\)$|^transparent$/.test(c)) return c; n = n.parentElement; } return '#fff'; };
            let worst = [99, ''];
            for (const n of document.querySelectorAll('main p, main td, main th, .tile-label, .tile-value, .legend li, #nav a, .cell span, .hot code, .detail')) {
                if (!n.textContent.trim() || !n.offsetParent) continue;
                const a = light(getComputedStyle(n).color), z = light(ground(n)), ratio = (Math.max(a, z) + .05) / (Math.min(a, z) + .05);
                if (ratio < worst[0]) worst = [ratio, n.className + ' ' + n.textContent.slice(0, 40)];
            }
            return worst; })()""")
        check(worst[0] >= 4.5, "%s: contrast %.2f of '%s'" % (theme, worst[0], worst[1]))
    b.run("setTheme('')")


# ---- the table of instructions ----


ROWS = """Array.from(document.querySelectorAll('#code .row[data-inst]:not([hidden])')).filter(r => r.index >= 0)
    .sort((a, b) => a.index - b.index)"""


def check_sums(b, report):
    """Sums over the instructions are the run's, and the table's shares are theirs."""
    sums = b.run("Object.fromEntries(codeView.code.reasons.map(n => [n.slice(7), codeView.code.column(n).reduce((a, x) => a + x, 0)]))")
    for key, cycles in report["stall_cycles"].items():
        equal(sums.get(key, 0), cycles, "sum of cycles." + key)
    equal(b.run("codeView.code.column('executed').reduce((a, x) => a + x, 0)"), report["instructions"]["total"], "sum of executed")


def check_loops(b, report):
    """The loops are those of the report, with the cycles of their instructions."""
    code = report["code"]
    cycles = [0] * len(code["loops"])
    for i in code["instructions"]:
        loop = i["loop"]
        while loop is not None:
            cycles[loop] += sum(v for key, v in i.items() if key.startswith("cycles."))
            loop = code["loops"][loop]["parent"]
    rows = b.run("[...document.querySelectorAll('[data-loop]')].map(r => [+r.dataset.loop, r.cells[2].textContent, r.cells[4].textContent])")
    check(rows, "loops in the page")
    for k, iterations, shown in rows:
        equal(iterations.replace(",", ""), str(code["loops"][k]["iterations"]), "iterations of loop %d" % k)
        equal(shown.replace(",", ""), str(cycles[k]), "cycles of loop %d" % k)


def check_sort(b):
    head = "#code .head:nth-child(%d) button"
    for key in ("cycles", "executed"):
        place = b.run("codeView.columns.findIndex(c => c.key === arguments[0])", key) + 1
        b.click(head % place)
        values = b.run("codeView.order.map(i => codeView.columns.find(c => c.key === arguments[0]).values[i])", key)
        equal(values, sorted(values, reverse=True), "order by " + key)
        first = b.run(ROWS + "[0].dataset.inst")
        equal(int(first), b.run("codeView.order[0]"), "first row by " + key)
        equal(b.run("document.querySelector(arguments[0]).parentNode.getAttribute('aria-sort')", head % place),
              "descending", "aria-sort")
    b.click(head % 1)
    equal(b.run("codeView.order[0]"), 0, "first instruction by place")


def check_search(b, word, kind):
    expected = b.run("codeView.code.text.filter(t => t.includes(arguments[0])).length", word)
    check(expected > 0, "no instruction has " + word)
    b.run("document.getElementById('head').scrollIntoView()")
    b.run("document.activeElement.blur()")
    b.type("/")
    equal(b.run("document.activeElement.id"), "search", "focus behind /")
    b.type(word)
    check(b.run("codeView.found.textContent").startswith("%s match" % format(expected, ",")),
          "matches of %s: %s" % (word, b.run("codeView.found.textContent")))
    b.type("enter")
    check(word in b.run("document.querySelector('#code .table .row.active').textContent"), "Enter goes to a match")
    first = b.run("codeView.chosen")
    if expected > 1:
        b.type("enter")
        check(b.run("codeView.chosen") > first, "Enter goes on")
        b.type(("shift", "enter"))
        equal(b.run("codeView.chosen"), first, "Shift+Enter goes back")
    b.click("#only")
    equal(b.run("codeView.order.length"), expected, "matches alone")
    b.click("#only")
    b.run("document.getElementById('search').focus()")
    b.type("escape")
    equal(b.run("codeView.search"), "", "search after Escape")
    b.run("(s => { s.value = arguments[0]; s.dispatchEvent(new Event('change')); })(codeView.tools.querySelector('select'))", kind)
    check(b.run("codeView.order.length > 0 && codeView.order.every(i => kindOf(codeView.code.text[i]) === arguments[0])", kind),
          "filter by kind")
    b.run("(s => { s.value = ''; s.dispatchEvent(new Event('change')); })(codeView.tools.querySelector('select'))")


def check_jump(b):
    """Hot spots lead to their instructions, by pointer and by key."""
    hot = int(b.run("document.querySelector('.hot button').dataset.inst"))
    stalled = b.run("codeView.code.stalled")
    equal(float(stalled[str(hot)] if isinstance(stalled, dict) else stalled[hot]),
          float(max(stalled.values() if isinstance(stalled, dict) else stalled)), "the first hot spot is the hottest")
    b.click(".hot li:first-child button")
    check(b.run("document.querySelector('#code .table .row.active').dataset.inst == arguments[0]", hot), "a hot spot leads to its row")
    check(b.run("(r => r.top >= 0 && r.bottom <= innerHeight)(document.querySelector('#code .table .row.active').getBoundingClientRect())"),
          "the row is in sight")
    check(b.run("codeView.detail.textContent.includes(codeView.code.text[arguments[0]])", hot), "it is shown in detail")
    b.run("document.activeElement.blur()")
    b.type("h")
    equal(b.run("codeView.chosen"), hot, "h, the first hot spot")
    b.type("h")
    equal(b.run("codeView.chosen"), b.run("codeView.hot[1]"), "h again, the second")


def check_keys(b):
    b.run("codeView.table.host.focus()")
    b.type("home")
    equal(b.run("codeView.table.active"), 0, "Home")
    b.type("down", "down")
    equal(b.run("codeView.table.active"), 2, "two times down")
    equal(b.run("document.activeElement.getAttribute('aria-activedescendant')"), "inst-2", "aria-activedescendant")
    check(b.run("!!document.getElementById('inst-2')"), "that row is there")
    b.type("end")
    last = b.run("codeView.table.count") - 1
    equal(b.run("codeView.table.active"), last, "End")
    check(b.run("(r => r.height > 0 && r.bottom <= codeView.table.host.getBoundingClientRect().bottom + 1)"
                "(document.getElementById('inst-' + arguments[0]).getBoundingClientRect())", last), "the last row is in sight")
    b.type("up")
    equal(b.run("codeView.table.active"), last - 1, "up")
    b.run("document.activeElement.blur()")
    b.type("?")
    check(b.run("document.getElementById('keys').open"), "? opens help")
    b.type("escape")
    check(not b.run("document.getElementById('keys').open"), "Escape closes help")
    themes = [b.run("document.documentElement.dataset.theme || ''")]
    for _ in range(3):
        b.type("t")
        themes.append(b.run("document.documentElement.dataset.theme || ''"))
    equal(themes, ["", "light", "dark", ""], "themes")
    grounds = set()
    for theme in ("light", "dark"):
        b.run("setTheme(arguments[0])", theme)
        grounds.add(b.run("getComputedStyle(document.documentElement).backgroundColor"))
    equal(len(grounds), 2, "different grounds")
    b.run("setTheme('')")
    b.type("2")
    equal(b.run("document.activeElement.id"), b.run("parts[1].id"), "2, the second part")
    b.type("1")


def check_source(b):
    """A line lights its instructions, an instruction its line; the text is the file's."""
    check(b.run("codeView.hasSource"), "a page with source lines")
    line = b.run("[...codeView.source.now.own.keys()].sort((a, b) => a - b)[0]")
    row = b.run("codeView.source.now.row(arguments[0])", line)
    b.run("codeView.source.list.setActive(arguments[0])", row)
    b.click("#line-%d" % row)
    expected = b.run("codeView.source.now.own.get(arguments[0])", line)
    equal(sorted(b.run("[...codeView.lit]")), sorted(expected), "instructions of line %d" % line)
    other = b.run("[...codeView.source.now.own.entries()].map(([l, list]) => [l, list[0]]).sort((a, b) => b[0] - a[0])[0]")
    b.run("codeView.table.setActive(codeView.row(arguments[0]))", other[1])
    b.click("#inst-%d" % b.run("codeView.row(arguments[0])", other[1]))
    equal(b.run("[...codeView.source.lit]"), [other[0]], "line of an instruction")
    equal(b.run("Math.round([...codeView.source.made.values()].reduce((a, f) => a + [...f.cycles.values()].reduce((x, y) => x + y, 0), 0))"),
          b.run("Math.round(Array.from({length: codeView.code.count}, (_, i) => i).filter(i => { const w = codeView.code.where(i);"
                " return w && codeView.source.made.has(w.file); }).reduce((a, i) => a + codeView.code.cycles[i], 0))"),
          "cycles of the lines")


def check_tips(b):
    b.hover(".tile-value .hint")
    b.until("!document.getElementById('tip').hidden")
    name = b.run("document.querySelector('.tile-value .hint').dataset.stat")
    check(b.run("document.getElementById('tip').textContent.includes(meanings.get(arguments[0]).about)", name), "a tip says what it means")
    b.type("escape")
    check(b.run("document.getElementById('tip').hidden"), "Escape hides a tip")


def check_time(b, report):
    if not report.get("samples"):
        return
    charts = b.run("document.querySelectorAll('#time .chart').length")
    check(charts >= 4, "%d diagrams over time" % charts)
    b.run("document.querySelector('#time .chart').focus()")
    b.type("home", "right")
    check("cycles " in b.run("document.getElementById('tip').textContent"), "arrow keys read a diagram")
    equal(b.run("intervalStarts(report.samples).at(-1)"), report["cycles"], "end of the last interval")


def look_explained(b, page):
    """What costs cycles has no bar, and the bounds of several things together stand apart."""
    b.open(page)
    rows = b.run("[...document.querySelectorAll('#explain tbody tr')].map(r => [r.cells[0].innerText, r.cells[1].textContent, "
                 "r.querySelector('.bar > span') && r.querySelector('.bar > span').style.width])")
    saved = {text.split()[0]: (cycles, width) for text, cycles, width in rows}
    check(saved["fetch"][0].replace(",", "").isdigit() and float(saved["fetch"][1].rstrip("%")) > 0, "what a cause saves: %r" % rows)
    for cycles, width in saved.values():
        check(not cycles.startswith("-") or width in (None, "0%"), "a bar for %s cycles saved" % cycles)
    heads = b.run("[...document.querySelectorAll('#explain h3')].map(h => h.textContent)")
    check("One thing ideal" in heads and heads[-1] == "Several together", "parts: %r" % heads)
    check("lds.conflicts" in b.run("document.querySelector('#explain').textContent"), "causes without a difference are named")


def screenshots(b, folder, name):
    if not folder:
        return
    for theme, width in (("light", 1440), ("dark", 1440), ("light", 420)):
        b.run("setTheme(arguments[0])", theme)
        b.resize(width, 900)
        b.frames()
        b.resize(width, min(9000, b.run("document.documentElement.scrollHeight") + 300))
        b.frames()
        b.screenshot(os.path.join(folder, "%s-%s-%d.png" % (name, theme, width)))
    b.run("setTheme('')")
    b.resize(1440, 900)


# ---- the pages ----


def look(b, page, report, least=200):
    b.open(page)
    check_numbers(b, report, least)
    check_names(b)
    check_width(b, 400)
    check_width(b, 800)


def look_timed(b, page, report, word, kind):
    check(os.path.getsize(page) < 3 << 20, "size of the page")
    data, _ = data_of(page)
    shown = data["launches"][0]["report"]
    apart = ("host", "code")  # seconds of another look at the clock; in the page's own form
    equal({k: v for k, v in shown.items() if k != "host"}, {k: v for k, v in report.items() if k not in apart}, "report in the page")
    look(b, page, report)
    check_sums(b, report)
    check_loops(b, report)
    check_sort(b)
    check_search(b, word, kind)
    check_jump(b)
    check_keys(b)
    check_tips(b)
    check_time(b, report)
    check_contrast(b)
    for part in ("overview", "limits", "roofline", "memory", "time", "stalls", "fidelity", "code", "occupancy", "statistics", "provenance"):
        check(b.run("!!document.getElementById(arguments[0])", part), "a part " + part)


def main(gcnsim, folder, shots):
    driver, browser = find_programs()
    if not driver or not browser:
        print("skip: no chromium with chromedriver")
        return 77
    sample = lambda name: os.path.join(SAMPLES, name)  # noqa: E731
    pages = {target: run(gcnsim, folder, target, [sample(target + "/matmul.g.json")]) for target in ("gfx90a", "gfx1201")}
    functional = run(gcnsim, folder, "functional", [sample("gfx1201/matmul.g.json"), "--engine", "functional"])
    short = ["--arg", "buf:64", "--arg", "buf:64", "--arg", "buf:4096", "--arg", "u32:1000"]
    fault = run(gcnsim, folder, "fault", [sample("gfx1201/vecadd.co"), "--kernel", "vecadd", "--grid", "1024", "--workgroup", "256"] + short, 1)
    limit = run(gcnsim, folder, "limit", [sample("gfx90a/matmul.json"), "--max-cycles", "2000"], 1)
    rounds = run(gcnsim, folder, "rounds", [sample("gfx1201/saxpy.json"), "--repeat", "3"])
    explained = os.path.join(folder, "explained.html")
    subprocess.run([gcnsim, "explain", sample("gfx1201/matmul.g.json"), "--quiet", "--html", explained] +
                   [word for key in ("fetch", "channels", "lds.conflicts", "waits", "fabric") for word in ("--only", key)],
                   check=True)
    many = os.path.join(folder, "many.html")
    many_instructions(pages["gfx1201"][0], many, 100000)
    with Browser(driver, browser, os.path.join(folder, "profile")) as b:
        for target, word, kind in (("gfx90a", "ds_read", "lds"), ("gfx1201", "v_dual", "valu")):
            page, report = pages[target]
            look_timed(b, page, report, word, kind)
            check_source(b)
            check_quiet(b, page)
            screenshots(b, shots, target)
            print("ok", target)
        look(b, *functional, least=10)
        check(b.run("!codeView && !document.getElementById('stalls')"), "functional: no stalls")
        check(b.run("document.querySelectorAll('#fidelity p').length === 1"), "functional: results are judged, no timing")
        check_quiet(b, functional[0])
        screenshots(b, shots, "functional")
        print("ok functional")
        look_explained(b, explained)
        check_quiet(b, explained)
        check_width(b, 420)
        screenshots(b, shots, "explained")
        print("ok explained")
        look(b, *fault)
        check(fault[1]["fault"]["message"] in b.run("document.getElementById('fault').textContent"), "the fault's message")
        b.click("#fault .link")
        equal(b.run("codeView.code.offset[codeView.chosen]"), int(fault[1]["fault"]["pc_offset"], 16), "the fault's instruction")
        check_quiet(b, fault[0])
        screenshots(b, shots, "fault")
        print("ok fault")
        look(b, *limit)
        check(b.run("document.getElementById('findings').textContent.includes('Resident waves')"), "who waits")
        check_quiet(b, limit[0])
        print("ok limit")
        b.open(rounds[0])
        steady = rounds[1]["launches"]
        check(b.run("report.cycles") in [l["cycles"] for l in (x.get("report", x) for x in steady)], "a steady launch's cycles")
        check_quiet(b, rounds[0])
        print("ok rounds")
        began = time.monotonic()
        b.open(many)
        drawn = b.run("performance.now()")
        paint = b.run("performance.getEntriesByType('paint').map(p => p.startTime)[0] || 0")
        check_sort(b)
        check_jump(b)
        equal(b.run("codeView.hot[0]"), 77777, "the hottest of 100,000")
        check_keys(b)
        rows = b.run("document.querySelectorAll('#code .row').length")
        check(rows < 200, "%d rows exist" % rows)
        check_quiet(b, many)
        screenshots(b, shots, "many")
        print("ok 100,000 instructions: first paint after %.0f ms, drawn before %.0f ms, %.1f s in all" % (paint, drawn, time.monotonic() - began))
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1], sys.argv[2], sys.argv[3] if len(sys.argv) > 3 else None))
    except Failure:
        import traceback
        traceback.print_exc()
        sys.exit(1)
