"""Writes schemata: C sources in which each chosen change waits behind a test of its number.

`a < b` becomes `(mutant(17) ? ((a) <= (b)) : (a < b))`, so that one build holds all mutants. Changes may lie within one
another; only one is ever chosen, so the mutated text is the original one and only the other branch holds further tests.
Nothing changes the number of lines.
"""


def schema(text, mutants):
    """The text with the mutants in it, given as pairs of number and site."""
    ranges = {}
    for number, site in mutants:
        ranges.setdefault((site.begin, site.end), []).append((number, site))
    order = sorted(ranges, key=lambda r: (r[0], -r[1]))
    return _emit(text, 0, len(text), order, ranges)


def _emit(text, begin, end, order, ranges):
    out = []
    at = begin
    k = 0
    while k < len(order):
        first = order[k]
        within = [r for r in order[k + 1:] if r[0] < first[1]]
        if any(r[1] > first[1] for r in within):
            raise ValueError(f"changes overlap: {text[first[0]:first[1]]!r}")
        out.append(text[at:first[0]])
        inner = _emit(text, first[0], first[1], within, ranges)
        out.append(_wrap(inner, ranges[first]))
        at = first[1]
        k += 1 + len(within)
    out.append(text[at:end])
    return "".join(out)


def _wrap(original, mutants):
    kinds = {site.kind for _, site in mutants}
    if "jump" in kinds:
        return "{ if (!(" + " || ".join(f"mutant({n})" for n, _ in mutants) + f")) {original} }}"
    before, after = "", ""
    if "statement" in kinds:
        before, after = "(void)(", ")"
    elif "truth" in kinds:
        before, after = "!!(", ")"
    chain = "".join(f"mutant({n}) ? {before}{_one_line(site.other)}{after} : " for n, site in mutants)
    return f"({chain}{before}{original}{after})"


def _one_line(text):
    """Copies of a text of several lines must not add lines; comments in it would hide what follows."""
    return " ".join(_without_comments(text).split()) if "\n" in text else text


def _without_comments(text):
    while "/*" in text:
        begin = text.index("/*")
        text = text[:begin] + " " + text[text.index("*/", begin) + 2:]
    return text
