"""What each method does to solve the built-in models and some examples: steps, evaluations and factorisations, as tests/work.csv has it.

A fault in the control of steps, in a guess or in a matrix that is kept too long gives the right answer for more work: nothing else would notice. More work than
written down is a failure, and so is less, because the table is then out of date. After a change that is meant: python3 tests/work_test.py --write.
"""

import csv
import io
import json
import pathlib
import sys
import tempfile
import unittest
from collections import Counter

from program import ROOT, raak

TABLE = ROOT / "tests/work.csv"
MODELS = ("pendulum", "andrews", "car-axis", "slider-crank")
# Singular poses, redundant joints, blades and wheels, a top; and one that is stiff, for the methods that can.
EXAMPLES = ("n-four-bar-2", "scissor-lift", "bricard", "pendulum-chain", "two-wheels", "chaplygin-sleigh", "heavy-top")
STIFF, FOR_STIFF = "flyball-governor", ("radau", "radau5", "radau9", "radau13", "bdf")
RODS = (70, 210)  # of chains, that dense matrices and sparse ones are made for
COUNTS = ("steps", "rejected", "evaluations", "jacobians", "factorizations")
SLOW = ("generalized-alpha",)
OF_ONE, FEW, OF_ALL = 0.15, 3, 0.03  # what a count of one run and of all runs of a method may differ by: other machines round otherwise


def options_of(method, form):
    """Each form at two tolerances, and the first one with a first step as well."""
    yield from (["--rtol", rtol, "--atol", rtol] for rtol in (("1e-4", "1e-7") if method["name"] not in SLOW else ("1e-4",)))
    if form == method["formulations"][0]:
        yield ["--h0", "1e-5"]


def measured(model, method, form, options, path=None):
    done = raak("run", path or model, "--method", method, "--form", form, *options, "--json")
    document = json.loads(done.stdout) if done.stdout else {"method_used": "", "status": done.stderr.strip(), "statistics": dict.fromkeys(COUNTS, 0)}
    return {"model": model, "method": method, "form": form, "options": " ".join(options), "used": document["method_used"], "status": document["status"],
            **{count: document["statistics"][count] for count in COUNTS}}


def rows():
    # auto is one of the others, and which one is tested elsewhere
    methods = [method for method in json.loads(raak("list", "methods", "--json").stdout) if method["name"] != "auto"]
    for model in MODELS:
        for method in methods:
            for form in method["formulations"]:
                for options in options_of(method, form):
                    yield measured(model, method["name"], form, options)
    with tempfile.TemporaryDirectory(prefix="raak-work-") as folder:
        yield from rows_of_files(methods, pathlib.Path(folder))


def rows_of_files(methods, folder):
    for count in RODS:
        raak("new", "chain", "--count", str(count), "--out", str(folder / f"{count}.toml"))
    for method in methods:
        name, form = method["name"], method["formulations"][0]
        if name not in SLOW:
            for example in (*EXAMPLES, *([STIFF] if name in FOR_STIFF else [])):
                yield measured(example, name, form, ["--rtol", "1e-6"], str(ROOT / f"examples/{example}.toml"))
            for count in RODS:
                yield measured(f"chain of {count}", name, form, ["--rtol", "1e-5", "--until", "0.3"], str(folder / f"{count}.toml"))


class Work(unittest.TestCase):
    def test_no_method_does_more_or_less_than_is_written_down(self):
        with open(TABLE) as file:
            table = list(csv.DictReader(file))
        found = list(rows())
        names = ("model", "method", "form", "options", "used", "status")
        self.assertEqual([[row[name] for name in names] for row in found], [[row[name] for name in names] for row in table])
        wanted_sums, sums = Counter(), Counter()
        for wanted, row in zip(table, found):
            for count in COUNTS:
                with self.subTest(count, **{name: row[name] for name in names}):
                    size = max(int(wanted[count]), int(wanted["steps"]))
                    self.assertAlmostEqual(row[count], int(wanted[count]), delta=FEW + OF_ONE * size)
                wanted_sums[row["method"], count] += int(wanted[count])
                sums[row["method"], count] += row[count]
        for method, count in sums:
            with self.subTest("sum", method=method, count=count):
                size = max(wanted_sums[method, count], wanted_sums[method, "steps"])
                self.assertAlmostEqual(sums[method, count], wanted_sums[method, count], delta=OF_ALL * size)


def write():
    text = io.StringIO()
    found = list(rows())
    writer = csv.DictWriter(text, found[0], lineterminator="\n")
    writer.writeheader()
    writer.writerows(found)
    TABLE.write_text(text.getvalue())


if __name__ == "__main__":
    write() if "--write" in sys.argv else unittest.main()
