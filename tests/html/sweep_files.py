"""Results files of sweeps that nobody ran, for the tests of their page: made of a real one by SQL."""

import json
import shutil
import sqlite3

LEAVES = ("value", "run", "override", "point", "axis", "objective")


def view(axes, statistics):
    """The view `results` as sim/sweep/store_plan.c makes it."""
    quoted = lambda name: '"%s"' % name.replace('"', '""')  # noqa: E731
    columns = ["(SELECT o.value FROM override o WHERE o.id = p.id AND o.axis = %d) AS %s" % (k, quoted(name))
               for k, name in axes]
    columns += ["(SELECT v.value FROM value v WHERE v.id = p.id AND v.statistic = %d) AS %s" % (k, quoted(name))
                for k, name in statistics]
    return ("CREATE VIEW results AS SELECT p.ordinal AS point, p.launch AS launch, coalesce(p.profile, r.profile) AS "
            "profile, %s, r.outcome AS outcome, r.message AS message, r.target AS target, r.seconds AS host_seconds, "
            "r.cpu_seconds AS host_cpu_seconds, r.command AS command FROM point p LEFT JOIN run r USING (id) ORDER BY "
            "p.ordinal" % ", ".join(columns))


class Results:
    """A copy of a results file without its points; with Results(...) as r: r.axis(...), r.points(...)."""

    def __init__(self, template, path, name):
        shutil.copyfile(template, path)
        self.path, self.db, self.axes = path, sqlite3.connect(path), []
        for table in LEAVES:
            self.db.execute("DELETE FROM " + table)
        self.db.execute("UPDATE sweep SET value = ? WHERE key = 'name'", (name,))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        statistics = self.db.execute("SELECT statistic, name FROM statistic ORDER BY statistic").fetchall()
        self.db.execute("DROP VIEW results")
        self.db.execute(view([(k, name) for k, (name, _) in enumerate(self.axes)], statistics))
        self.db.commit()
        self.db.close()

    def axis(self, name, values):
        self.db.execute("INSERT INTO axis VALUES (?, ?, 'set', NULL)", (len(self.axes), name))
        self.axes.append((name, values))

    def objective(self, name, value, goal="minimize"):
        count = self.db.execute("SELECT count(*) FROM objective").fetchone()[0]
        self.db.execute("INSERT INTO objective VALUES (?, ?, ?, ?)", (count, name, value, goal))

    def points(self, launch, profile, outcome, message=lambda k: None):
        """All combinations of the axes; outcome(k), message(k): of the k-th point."""
        count = 1
        for _, values in self.axes:
            count *= len(values)
        for k in range(count):
            rest, at, words = k, [], []
            for name, values in reversed(self.axes):
                at.append(values[rest % len(values)])
                words.append("--set %s=%s" % (name, at[-1]))
                rest //= len(values)
            self.db.execute("INSERT INTO point VALUES (?, ?, ?, ?, ?)", (k + 1, k, json.dumps([launch, at]), launch, profile))
            for axis, value in enumerate(reversed(at)):
                self.db.execute("INSERT INTO override VALUES (?, ?, ?)", (k + 1, axis, value))
            if outcome(k):
                self.db.execute("INSERT INTO run (id, key, outcome, message, command, profile, attempts) VALUES (?, ?, ?, "
                                "?, ?, ?, 1)", (k + 1, str(k), outcome(k), message(k),
                                                "gcnsim run %s %s" % (launch, " ".join(reversed(words))), profile))
        return count

    def values(self, statistics, expression):
        """An expression of SQL with p.ordinal and s.statistic, for the first statistics and all completed points."""
        self.db.execute("INSERT INTO value SELECT p.id, s.statistic, %s FROM point p JOIN run r USING (id) JOIN statistic s "
                        "WHERE r.outcome = 'completed' AND s.statistic IN (SELECT statistic FROM statistic ORDER BY "
                        "statistic LIMIT %d)" % (expression, statistics))


# A third of the statistics depend on one axis of 50 values, a third on two axes, a third have a number of their own for
# each point; one in five is a share.
MIXED = ("(CASE s.statistic % 3 WHEN 0 THEN 1000 + (p.ordinal % 50) * s.statistic WHEN 1 THEN 5000 + (p.ordinal / 50) * 7 "
         "+ (p.ordinal % 10) * s.statistic ELSE 100000 + (p.ordinal * 7919 + s.statistic * 104729) % 900001 END) "
         "/ (CASE s.statistic % 5 WHEN 0 THEN 1000003.0 ELSE 1 END)")


def many(template, path, statistics=300, sizes=(2, 10, 10, 50), expression=MIXED):
    """10,000 points unless told otherwise, of which one in a thousand faulted."""
    with Results(template, path, "ten thousand points") as r:
        names = ("cache.l2.mshrs", "cu.simds", "cache.l2.ways", "cache.vl0.hit_latency_cycles")
        for name, size in zip(names, sizes):
            r.axis(name, [16 * (k + 1) for k in range(size)])
        r.objective("cycles", "cycles")
        r.points("big.json", "gfx1201-rx9070xt", lambda k: "faulted" if k % 1000 == 999 else "completed",
                 lambda k: "a wave read address 0" if k % 1000 == 999 else None)
        r.values(statistics, expression)
