"""Holds llama.py and gguf.py to what a model is known to cost: test_llama.py FOLDER. Exit status 0: all is well.

In the place of gcnsim stands a program that reads the model as llama.cpp does, and reports kernels whose times are known by
its layers, words and tokens: 2 us a layer of the first kind, 5 of the second, 3 for all others, 1 ns a word.
"""

import os
import stat
import struct
import subprocess
import sys

import gguf
import llama

GCNSIM = """#!{python}
import sqlite3, sys
sys.path.insert(0, {here!r})
import test_llama
args = sys.argv[1:]
value = dict(zip(args, args[1:]))
layers, words = test_llama.read(value["-m"])
batch, prompt = int(value["-ub"]), int(value["-p"])
test_llama.report(value["--report"], layers, words, -(-prompt // batch) if prompt else 1)
"""


def read(path):
    """Types of the ffn_down matrices by layer, and words, of a model whose every tensor is where and as long as it says."""
    with open(path, "rb") as file:
        data = file.read()
    at = 0

    def take(form):
        nonlocal at
        values = struct.unpack_from("<" + form, data, at)
        at += struct.calcsize("<" + form)
        return values[0]

    def text():
        nonlocal at
        size = take("Q")
        at += size
        return data[at - size:at].decode()

    assert data[:4] == b"GGUF"
    at = 4
    assert take("I") == 3
    tensors, pairs, found, metadata = take("Q"), take("Q"), {}, {}
    for _ in range(pairs):
        key, kind = text(), take("I")
        metadata[key] = text() if kind == 8 else take({4: "I", 6: "f"}[kind])
    for _ in range(tensors):
        name, dimensions = text(), take("I")
        found[name] = [take("Q") for _ in range(dimensions)], take("I"), take("Q")
    begin, end = (at + 31) // 32 * 32, 0
    for name, (shape, number, offset) in found.items():
        kind = next(t for t in gguf.TYPES.values() if t.number == number)
        count = shape[0] * (shape[1] if len(shape) > 1 else 1)
        assert offset == end and count % kind.weights == 0, name
        end = (offset + count // kind.weights * kind.size + 31) // 32 * 32
    assert len(data) == begin + end
    layers = [found[f"blk.{k}.ffn_down.weight"][1] for k in range(metadata["llama.block_count"])]
    return layers, found["token_embd.weight"][0][1]


def report(path, layers, words, count):
    """So many passes: copies, a kernel for each layer, and one for the words behind the last; gaps of 1 us."""
    rows, now = [], 5000

    def add(name, ns, limit=None):
        nonlocal now
        rows.append((name, now, now + ns, limit))
        now += ns + 1000

    for k in range(count):
        for _ in range(4):
            add("__amd_rocclr_copyBuffer", 10)
        add("void norm<1>(float*)", 3000)
        for number in layers:
            add(f"void mul<(ggml_type){number}, 1>(void*)", 5000 if number != layers[-1] else 2000, "by something")
            add("__amd_rocclr_copyBuffer", 0)  # one alone begins no pass
        if k + 1 == count:
            add("void words(float*)", words)
    import sqlite3
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE kernel (run, kernel, demangled)")
        db.execute("CREATE TABLE dispatch (run, dispatch, kernel, start_ns, end_ns)")
        db.execute("CREATE TABLE limiter (run, dispatch, verdict)")
        for n, (name, start, end, limit) in enumerate(rows):
            db.execute("INSERT INTO kernel VALUES (1, ?, ?)", (n, name))
            db.execute("INSERT INTO dispatch VALUES (1, ?, ?, ?, ?)", (n, n, start, end))
            if limit:
                db.execute("INSERT INTO limiter VALUES (1, ?, ?)", (n, limit))


def main():
    folder, here = sys.argv[1], os.path.dirname(os.path.abspath(__file__))
    build, root = os.path.join(folder, "build"), os.path.join(folder, "root")
    os.makedirs(os.path.join(root, "usr/bin"))
    os.makedirs(os.path.join(root, "usr/lib/x86_64-linux-gnu/ggml/backends0"))
    os.makedirs(build)
    os.environ["LLAMA_ROOT"] = root
    bench = llama.Bench(build)
    assert not bench.fetch()  # no llama-bench
    for path, text in ((os.path.join(root, "usr/bin/llama-bench"), ""),
                       (os.path.join(build, "gcnsim"), GCNSIM.format(python=sys.executable, here=here))):
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(path, stat.S_IRWXU)
    assert bench.fetch()
    first, second = gguf.Layer(*["q4_0"] * 7), gguf.Layer(*["q4_0"] * 6, "q6_K")
    model = gguf.Model("toy", 256, 512, 4, 2, 128256, 2, "q4_0", "q6_K", ((first, 10), (second, 6)))
    # A pass of one of many ends where the next begins: 4 copies of 10 ns and their gaps after the last layer. Layers cost
    # a gap and that of the copy behind it, too.
    many = 3000 + 1000 + 10 * (2000 + 2000) + 6 * (5000 + 2000) + 4 * 1010
    row = llama.Row("card", "gfx90a", model, "pp", 512, 2, (1, 2), 1)
    assert not bench.complete(row, False)
    assert bench.complete(row, True)
    assert bench.measure(row).total == many
    # a long one is alone in its run, and has its share of the words
    row = llama.Row("card", "gfx90a", model, "pp", 512, 16, (1, 2), 1)
    assert bench.complete(row, True)
    assert bench.measure(row).total == many - 4 * 1010 + 128256 * 16 // 512
    # one with its output, which ends with the last kernel
    row = llama.Row("card", "gfx90a", model, "tg", 64, 1, (9000, 9500), 1)
    assert bench.complete(row, True)
    whole = bench.measure(row)
    assert whole.total == many - 4 * 1010 + 128256
    assert round(whole.busy) == 3000 + 10 * 2000 + 6 * 5000 + 128256
    assert whole.kernels["mul q6_K"] == [30000, 5000, "by something"], whole.kernels
    assert llama.line(row, whole) == ("| card | toy | tg64 | 9000 to 9500 | 4667 | -48 % | 0.21 | 15 % | 1 |"), \
        llama.line(row, whole)
    assert (row.error(9000), row.error(9200), round(row.error(19000))) == (0, 0, 100)
    # tables go between the marks, and a report that is there is not made again
    page = os.path.join(folder, "page.md")
    with open(page, "w", encoding="utf-8") as file:
        file.write(f"before\n{llama.BEGIN}old\n{llama.END}behind\n")
    llama.write(page, llama.tables([(row, whole)]))
    with open(page, encoding="utf-8") as file:
        text = file.read()
    assert text.startswith(f"before\n{llama.BEGIN}| card |") and text.endswith(f"|\n{llama.END}behind\n") and "old" not in text
    os.remove(os.path.join(build, "gcnsim"))
    assert bench.complete(row, True)
    # without packages the program says so, and that is all
    os.environ["LLAMA_ROOT"] = folder
    said = subprocess.run([sys.executable, os.path.join(here, "llama.py"), build], stdout=subprocess.PIPE, text=True, check=True)
    assert said.stdout.startswith("skip: llama.cpp: there is no "), said.stdout
    return 0


if __name__ == "__main__":
    sys.exit(main())
