"""Places in C sources where a small change makes a mutant, found in clang's syntax tree.

Each change is a `Site`: the range of the expression or statement that it replaces, the text that replaces it in a
schema (rewrite.py), and the least edit of the source, for people. A site's key is its content (file, function, changed
line), so that samples and the list of equivalent mutants outlive edits elsewhere.

Left alone: what a macro expands to (assertions above all), constant expressions (case labels, sizes, initialisers of
static data), string texts, calls that only give memory back, which no test of results can miss, and lines about memory
that the host does not have, which tests/system/test_faults.c watches for all folders.
"""
import json
import os
import re
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass

RELATIONS = {"<": ("<=", ">="), "<=": ("<", ">"), ">": (">=", "<="), ">=": (">", "<"), "==": ("!=",), "!=": ("==",)}
ARITHMETIC = {"+": "-", "-": "+", "*": "/", "/": "*", "%": "/", "<<": ">>", ">>": "<<", "&": "|", "|": "&", "^": "|"}
ASSIGNMENTS = {"+=": "-=", "-=": "+=", "*=": "/=", "/=": "*=", "<<=": ">>=", ">>=": "<<=", "|=": "&=", "&=": "|=",
               "%=": "/=", "^=": "|="}
EXTREMES = {"earlier": "later", "least_of": "most_of", "min_cycle": "max_cycle", "min_u32": "max_u32",
            "min_u64": "max_u64"}
EXTREMES.update({b: a for a, b in EXTREMES.items()})
# a call whose absence leaks or slows, and changes no result
QUIET_CALL = re.compile(r"^(free|.*_(free|destroy|close|unmap)|__builtin_prefetch)$")
CONSTANT_CONTEXTS = {"ConstantExpr", "UnaryExprOrTypeTraitExpr", "OffsetOfExpr", "StaticAssertDecl", "StringLiteral",
                     "GenericSelectionExpr", "EnumDecl", "RecordDecl", "PredefinedExpr", "AlignedAttr"}
STATEMENT_PARENTS = {"CompoundStmt", "IfStmt", "ForStmt", "WhileStmt", "DoStmt", "CaseStmt", "DefaultStmt",
                     "LabelStmt"}
NO_MEMORY = re.compile(r"NOMEM|no_memory|OUT_OF_RESOURCES")
INTEGER = re.compile(r"^(0[xX][0-9a-fA-F]+|[0-9]+)([uUlL]*)$")


@dataclass
class Site:
    path: str
    function: str
    operator: str   # the group of changes it belongs to: relation, logic, condition, ...
    kind: str       # how the schema selects it: value, truth, statement, jump
    begin: int      # the range that the schema wraps
    end: int
    other: str      # the mutated text of that range
    edit: tuple     # (begin, end, text): the same change as the least edit
    line: int = 0
    first_line: int = 0     # of the range
    last_line: int = 0
    before: str = ""    # the lines of the edit
    after: str = ""
    key: str = ""

    def lines(self):
        return range(self.first_line, self.last_line + 1)


class Source:
    """One C file, its text, and the sites found in it."""

    def __init__(self, path, text):
        self.path = path
        self.text = text
        self.sites = []
        self.seen = set()
        self.names = set()          # functions declared so far
        self.enums = {}             # enumerator -> its neighbour in the enumeration
        self.uninitialised = set()  # local variables declared without a value
        self.function = ""
        self.returns = ""

    # Places. Offsets of clang are bytes, and so is each character of the text (read_source).

    def place(self, loc):
        """(offset, length of the token, from a macro) of a location of the syntax tree, or None."""
        if "offset" in loc:
            return loc["offset"], loc["tokLen"], False
        if "expansionLoc" in loc and "includedFrom" not in loc["expansionLoc"] and "offset" in loc["expansionLoc"]:
            return loc["expansionLoc"]["offset"], loc["expansionLoc"]["tokLen"], True
        return None

    def span(self, node):
        """(begin, end) of a node in the text, or None when it is not written there as it stands."""
        begin = self.place(node.get("range", {}).get("begin", {}))
        end = self.place(node.get("range", {}).get("end", {}))
        if not begin or not end or (begin[2] and end[2] and begin[0] == end[0]):
            return None
        stop = end[0] + end[1]
        if end[2]:
            stop = self.after_arguments(stop)
        return (begin[0], stop) if begin[0] < stop else None

    def operand_span(self, node):
        """The same for an operand, which may be a whole macro."""
        span = self.span(node)
        begin = self.place(node.get("range", {}).get("begin", {}))
        if span or not begin:
            return span
        return begin[0], self.after_arguments(begin[0] + begin[1])

    def after_arguments(self, at):
        """The end of a macro with its arguments, when arguments follow."""
        rest = at
        while rest < len(self.text) and self.text[rest] in " \n":
            rest += 1
        if rest >= len(self.text) or self.text[rest] != "(":
            return at
        depth = 0
        for k in range(rest, len(self.text)):
            depth += {"(": 1, ")": -1}.get(self.text[k], 0)
            if not depth:
                return k + 1
        return at

    def of(self, span):
        return self.text[span[0]:span[1]]

    # Sites

    def add(self, operator, kind, span, other, edit):
        if self.text[edit[0]:edit[1]] == edit[2] or (span, other) in self.seen:
            return
        self.seen.add((span, other))
        self.sites.append(Site(self.path, self.function, operator, kind, span[0], span[1], other, edit))

    def replace(self, operator, kind, span, other):
        self.add(operator, kind, span, other, (span[0], span[1], other))

    def swap_operator(self, node, operator, others):
        left, right = (self.operand_span(n) for n in node["inner"][:2])
        span = self.operand_span(node)
        if not left or not right or not span or left[0] < span[0] or right[1] > span[1]:
            return
        between = self.text[left[1]:right[0]]
        opcode = node["opcode"]
        if between.strip() != opcode:
            return
        at = left[1] + between.index(opcode)
        for other in others:
            text = f"({self.of(left)}) {other} ({self.of(right)})"
            if node["kind"] == "CompoundAssignOperator":
                text = f"{self.of(left)} {other} ({self.of(right)})"
            self.add(operator, "value", span, text, (at, at + len(opcode), other))

    def condition(self, node, values):
        span = self.operand_span(node)
        if span and self.of(span) not in ("0", "1", "true", "false"):
            for value in values:
                self.replace("condition", "truth", span, value)

    def binary(self, node):
        opcode = node["opcode"]
        if opcode in RELATIONS:
            self.swap_operator(node, "relation", RELATIONS[opcode])
        elif opcode in ("&&", "||"):
            self.swap_operator(node, "logic", ["||" if opcode == "&&" else "&&"])
            for operand in node["inner"][:2]:
                self.condition(operand, ["true" if opcode == "&&" else "false"])
        elif opcode in ARITHMETIC:
            pointer = "*" in node["type"]["qualType"]
            if not (pointer and opcode == "-"):
                self.swap_operator(node, "arithmetic", [ARITHMETIC[opcode]])

    def unary(self, node):
        span = self.span(node)
        operand = self.operand_span(node["inner"][0])
        if not span or not operand:
            return
        opcode = node["opcode"]
        if opcode in ("!", "-", "~") and operand[0] > span[0]:
            if INTEGER.match(self.of(operand)):
                return
            self.add("logic" if opcode == "!" else "arithmetic", "truth" if opcode == "!" else "value", span,
                     f"({self.of(operand)})", (span[0], operand[0], ""))
        elif opcode in ("++", "--"):
            other = "--" if opcode == "++" else "++"
            at = operand[1] if node.get("isPostfix") else span[0]
            if self.text[at:at + 2] == opcode:
                text = self.of(operand) + other if node.get("isPostfix") else other + self.of(operand)
                self.add("increment", "value", span, text, (at, at + 2, other))

    def literal(self, node):
        begin = self.place(node["range"]["begin"])
        if not begin:
            return
        span = begin[0], begin[0] + begin[1]
        text = self.of(span)
        if begin[2]:
            if text in ("true", "false"):
                self.replace("constant", "value", span, "false" if text == "true" else "true")
            return
        number = INTEGER.match(text)
        if not number or (self.text[span[0] - 1] == "{" and self.text[span[1]] == "}"):
            return
        value, suffix = int(number[1], 16 if number[1][:2] in ("0x", "0X") else 10), number[2]
        for other in ([value + 1] if value == 0 else [value - 1, value + 1]):
            self.replace("constant", "value", span, f"{other}{suffix}")

    def enumerator(self, node):
        span = self.span(node)
        name = node["referencedDecl"]["name"]
        if span and self.of(span) == name and self.enums.get(name):
            self.replace("enumerator", "value", span, self.enums[name])

    def call(self, node):
        span, callee = self.span(node), self.operand_span(node["inner"][0])
        if not span or not callee:
            return
        name = self.of(callee)
        if name not in EXTREMES:
            return
        if EXTREMES[name] in self.names:
            self.add("extreme", "value", span, EXTREMES[name] + self.text[callee[1]:span[1]],
                     (callee[0], callee[1], EXTREMES[name]))
        for argument in node["inner"][1:]:
            part = self.operand_span(argument)
            if part:
                self.replace("extreme", "value", span, f"({self.of(part)})")

    def result(self, node):
        if not node.get("inner") or not self.span(node):
            return
        value = node["inner"][0]
        span = self.operand_span(value)
        # constants have changes of their own
        if not span or self.of(span) in self.enums or self.of(span) in ("true", "false", "NULL", "0", "1", "-1"):
            return
        if self.returns in ("bool", "_Bool"):
            self.replace("result", "value", span, f"!({self.of(span)})")
        elif "*" in self.returns:
            self.replace("result", "value", span, "NULL")
        elif not self.returns.startswith(("struct", "const struct")) and self.returns not in ("double", "void"):
            self.replace("result", "value", span, "0")

    def statement(self, node):
        """A statement that can be left out: an assignment, a count, a call, a jump."""
        kind = node["kind"]
        span = self.span(node)
        if not span:
            return
        if kind in ("BreakStmt", "ContinueStmt") or (kind == "ReturnStmt" and not node.get("inner")):
            end = self.text.index(";", span[1]) + 1
            if self.text[span[1]:end].strip() == ";":
                self.add("deletion", "jump", (span[0], end), "", (span[0], end, ";"))
            return
        inner = node
        while inner["kind"] in ("ParenExpr", "ImplicitCastExpr", "CStyleCastExpr") and inner.get("inner"):
            inner = inner["inner"][0]
        if inner["kind"] == "CallExpr":
            callee = self.operand_span(inner["inner"][0])
            if not callee or QUIET_CALL.match(self.of(callee)):
                return
        elif inner["kind"] in ("BinaryOperator", "CompoundAssignOperator"):
            if inner["opcode"][-1] != "=":
                return
            target = inner["inner"][0]
            if target["kind"] == "DeclRefExpr" and target["referencedDecl"].get("id") in self.uninitialised:
                return
        elif not (inner["kind"] == "UnaryOperator" and inner["opcode"] in ("++", "--")):
            return
        self.add("deletion", "statement", span, "(void)0", (span[0], span[1], ""))

    # The walk

    def visit(self, node, parent=None, place=0):
        kind = node.get("kind")
        inner = node.get("inner", [])
        if kind in CONSTANT_CONTEXTS:
            return
        if kind == "VarDecl":
            if node.get("storageClass") == "static":
                return
            if "init" not in node:
                self.uninitialised.add(node["id"])
        callee = ""
        if kind == "CallExpr" and inner and self.operand_span(inner[0]):
            callee = self.of(self.operand_span(inner[0]))
            if QUIET_CALL.match(callee):
                return
        parent_kind = parent.get("kind") if parent else None
        # what a for statement does first and after each round is not left out: without it the loop has no end
        if parent_kind in STATEMENT_PARENTS and not (parent_kind == "ForStmt" and place < 4):
            if not (parent_kind in ("IfStmt", "WhileStmt") and place == 0) and \
                    not (parent_kind == "DoStmt" and place == 1):
                self.statement(node)
        if kind in ("BinaryOperator", "CompoundAssignOperator"):
            if kind == "BinaryOperator":
                self.binary(node)
            elif node["opcode"] in ASSIGNMENTS and "*" not in node["type"]["qualType"]:
                self.swap_operator(node, "arithmetic", [ASSIGNMENTS[node["opcode"]]])
        elif kind == "UnaryOperator":
            self.unary(node)
        elif kind == "IntegerLiteral":
            self.literal(node)
        elif kind == "DeclRefExpr" and node["referencedDecl"]["kind"] == "EnumConstantDecl":
            self.enumerator(node)
        elif kind == "CallExpr":
            self.call(node)
        elif kind == "ReturnStmt":
            self.result(node)
        elif kind == "IfStmt" and self.span(node):   # not a macro as a whole
            self.condition(inner[0], ["true", "false"])
        elif kind == "ConditionalOperator":
            self.condition(inner[0], ["true", "false"])
        elif kind == "WhileStmt":
            self.condition(inner[0], ["false"])
        elif kind == "DoStmt":
            self.condition(inner[1], ["false"])
        elif kind == "ForStmt" and inner[2].get("kind"):
            self.condition(inner[2], ["false"])
        for k, child in enumerate(inner):
            # backwards steps of a for statement are noticed by anything; a hint of likelihood changes no result
            if child.get("kind") and not (kind == "ForStmt" and k == 3) and not (k == 2 and callee == "__builtin_expect"):
                self.visit(child, node, k)

    def collect_enums(self, unit):
        for decl in unit["inner"]:
            if decl["kind"] == "EnumDecl":
                names = [c["name"] for c in decl.get("inner", []) if c["kind"] == "EnumConstantDecl"]
                # the neighbour before, because the last one often is a count
                if len(names) > 1 and not names[0].startswith(("memory_order_", "_")):
                    self.enums.update({n: names[k - 1] if k else names[1] for k, n in enumerate(names)})

    def find(self, unit):
        self.collect_enums(unit)
        for decl in unit["inner"]:
            if decl["kind"] == "FunctionDecl":
                self.names.add(decl["name"])
            body = [n for n in decl.get("inner", []) if n.get("kind") == "CompoundStmt"]
            loc = decl.get("loc", {})
            if decl["kind"] != "FunctionDecl" or not body or "includedFrom" in loc.get("expansionLoc", loc):
                continue
            # rows of instructions name the function in a macro and write its body behind it
            if "offset" not in body[0].get("range", {}).get("begin", {}):
                continue
            self.function = decl["name"]
            self.returns = decl["type"]["qualType"].split("(")[0].strip()
            self.visit(body[0])
        self.describe()

    def line_of(self, site):
        begin = self.text.rfind("\n", 0, site.edit[0]) + 1
        return self.text[begin:self.text.find("\n", site.edit[1])]

    def describe(self):
        """Lines and keys. Changes that look the same within a function are numbered."""
        seen = Counter()
        self.sites.sort(key=lambda s: (s.edit[0], s.edit[1], s.edit[2], s.begin))
        self.sites = [s for s in self.sites if not NO_MEMORY.search(self.line_of(s))]
        for s in self.sites:
            begin, end, text = s.edit
            first = self.text.rfind("\n", 0, begin) + 1
            last = self.text.find("\n", end)
            last = len(self.text) if last < 0 else last
            s.line = self.text.count("\n", 0, begin) + 1
            s.first_line = self.text.count("\n", 0, s.begin) + 1
            s.last_line = self.text.count("\n", 0, s.end) + 1
            s.before = " ".join(self.text[first:last].split())
            s.after = " ".join((self.text[first:begin] + text + self.text[end:last]).split())
            seen[s.function, s.before, s.after] += 1
            n = seen[s.function, s.before, s.after]
            s.key = f"{s.path} {s.function}: {s.before} => {s.after}" + (f" #{n}" if n > 1 else "")


def read_sites(path, clang, flags):
    """(text, sites) of one file."""
    sys.setrecursionlimit(10000)
    with open(path, encoding="latin-1", newline="") as f:
        text = f.read()
    # ccache, where clang is one of its names, would have the tree of the preprocessed text
    tree = subprocess.run([clang, "-x", "c", "-fsyntax-only", "-w", "-Xclang", "-ast-dump=json", *flags, path],
                          stdout=subprocess.PIPE, check=True, env=dict(os.environ, CCACHE_DISABLE="1")).stdout
    source = Source(path, text)
    source.find(json.loads(tree))
    return text, source.sites
