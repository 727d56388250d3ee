"""The manuals' pseudocode as a tree of tuples.

Statements: (if, [(cond, body)...], else), (for, name, first, last, body), (declare, name, type, count), (set, op,
lvalue, expr), (expr, e), (return, e), (break,), (lambda, name, params, body). Newlines carry no meaning.
"""
import re


class Unsupported(Exception):
    """The text needs something this evaluator leaves out on purpose."""


TOKEN = re.compile(
    r"\s*(?:(?P<cast>\d+'(?:BF|[UIFB])(?![\w]))"
    r"|(?P<sized>\d+'(?:0x[0-9a-fA-F]+|\d+\.\d+|\d+)(?:ULL|LL|U)?)"
    r"|(?P<hex>0x[0-9a-fA-F]+(?:ULL|LL|U)?)"
    r"|(?P<real>\d+\.\d+F?)"
    r"|(?P<int>\d+(?:ULL|LL|U)?)"
    r"|(?P<name>[A-Za-z_]\w*)"
    r"|(?P<op>\*\*|<<|>>|<=|>=|==|!=|<>|&&|\|\||\+=|-=|\+:|[-+*/%&|^~!<>=?:;,.(){}\[\]]))"
)
LEVELS = [["||"], ["&&"], ["|"], ["^"], ["&"], ["==", "!=", "<>"], ["<", "<=", ">", ">="], ["<<", ">>"], ["+", "-"],
          ["*", "/", "%"]]


def tokens(text):
    text = re.sub(r"//[^\n]*", "", text)
    out, at = [], 0
    text = text.rstrip()
    while at < len(text):
        m = TOKEN.match(text, at)
        if not m:
            raise Unsupported("text not understood: " + text[at:at + 20].strip())
        out.append((m.lastgroup, m.group(m.lastgroup)))
        at = m.end()
    return out


class Parser:
    def __init__(self, text):
        self.t = tokens(text)
        self.i = 0

    def peek(self, k=0):
        return self.t[self.i + k][1] if self.i + k < len(self.t) else None

    def kind(self):
        return self.t[self.i][0] if self.i < len(self.t) else None

    def take(self, want=None):
        if self.i >= len(self.t):
            raise Unsupported("text ends early")
        tok = self.t[self.i][1]
        if want and tok != want:
            raise Unsupported("expected %s, found %s" % (want, tok))
        self.i += 1
        return tok

    def program(self):
        body = self.block(())
        if self.peek() is not None:
            raise Unsupported("text goes on with " + self.peek())
        return body

    def block(self, ends):
        out = []
        while self.peek() is not None and self.peek() not in ends:
            if self.peek() == ";":
                self.take()
                continue
            out.append(self.statement())
        return out

    def statement(self):
        word = self.peek()
        if word == "if":
            return self.if_()
        if word == "for":
            return self.for_()
        if word == "declare":
            self.take()
            name = self.take()
            self.take(":")
            typ, count = self.take(), 0
            if self.peek() == "[":
                self.take()
                count = int(re.sub(r"\D", "", self.take()))
                self.take("]")
            return ("declare", name, typ, count)
        if word == "break":
            self.take()
            return ("break",)
        if word == "return":
            self.take()
            return ("return", self.expr())
        return self.assignment()

    def assignment(self):
        if self.peek(1) == "=" and self.peek(2) == "lambda":
            return self.lambda_()
        left = self.expr()
        if self.peek() == "=":
            self.take()
            targets = [left]
            value = self.expr()
            while self.peek() == "=":
                self.take()
                targets.append(value)
                value = self.expr()
            return ("set", "=", targets, value)
        if self.peek() in ("+=", "-="):
            op = self.take()
            return ("set", op, [left], self.expr())
        return ("expr", left)

    def lambda_(self):
        name = self.take()
        self.take("=")
        self.take("lambda")
        self.take("(")
        params = [self.take()]
        while self.peek() == ",":
            self.take()
            params.append(self.take())
        self.take(")")
        self.take("(")
        if self.peek() in ("if", "declare", "for"):
            body = self.block((")",))
        else:
            body = [("return", self.expr())]
        self.take(")")
        return ("lambda", name, params, body)

    def if_(self):
        arms, other = [], []
        self.take("if")
        while True:
            cond = self.expr()
            self.take("then")
            arms.append((cond, self.block(("elsif", "else", "endif"))))
            word = self.take()
            if word == "elsif":
                continue
            if word == "else":
                other = self.block(("endif",))
                self.take("endif")
            return ("if", arms, other)

    def for_(self):
        self.take("for")
        name = self.take()
        self.take("in")
        first = self.binary(0)
        self.take(":")
        last = self.expr()
        self.take("do")
        body = self.block(("endfor",))
        self.take("endfor")
        return ("for", name, first, last, body)

    def expr(self):
        cond = self.binary(0)
        if self.peek() == "?":
            self.take()
            yes = self.expr()
            self.take(":")
            return ("cond", cond, yes, self.expr())
        return cond

    def binary(self, level):
        if level == len(LEVELS):
            return self.power()
        left = self.binary(level + 1)
        while self.peek() in LEVELS[level]:
            op = self.take()
            left = ("bin", op, left, self.binary(level + 1))
        return left

    def power(self):
        base = self.unary()
        if self.peek() == "**":
            self.take()
            return ("bin", "**", base, self.power())
        return base

    def unary(self):
        if self.peek() in ("-", "~", "!", "+"):
            op = self.take()
            return ("un", op, self.unary())
        return self.postfix()

    def postfix(self):
        e = self.primary()
        while True:
            if self.peek() == ".":
                self.take()
                e = ("as", e, self.take())
            elif self.peek() == "[":
                self.take()
                a = self.expr()
                if self.peek() in (":", "+:"):
                    op = self.take()
                    e = ("slice" if op == ":" else "part", e, a, self.expr())
                else:
                    e = ("index", e, a)
                self.take("]")
            else:
                return e

    def primary(self):
        kind, tok = self.kind(), self.take()
        if tok == "(":
            e = self.expr()
            self.take(")")
            return e
        if tok == "{":
            parts = [self.expr()]
            while self.peek() == ",":
                self.take()
                parts.append(self.expr())
            self.take("}")
            return ("cat", parts)
        if kind == "cast":
            self.take("(")
            e = self.expr()
            self.take(")")
            return ("cast", tok, e)
        if kind in ("sized", "hex", "real", "int"):
            return ("lit", kind, tok)
        if kind != "name":
            raise Unsupported("unexpected " + tok)
        if self.peek() == "(":
            self.take()
            args = []
            while self.peek() != ")":
                args.append(self.expr())
                if self.peek() == ",":
                    self.take()
            self.take(")")
            return ("call", tok, args)
        return ("name", tok)


def parse(text):
    return Parser(text).program()
