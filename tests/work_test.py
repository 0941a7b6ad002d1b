"""What each method does to solve the built-in models and some examples: steps, evaluations and factorisations, as tests/work.csv has it.

A fault in the control of steps, in a guess or in a matrix that is kept too long gives the right answer for more work: nothing else would notice. More work than
written down is a failure, and so is less, because the table is then out of date. After a change that is meant: python3 tests/work_test.py --write.
"""

import csv
import io
import json
import sys
import tempfile
import unittest

from program import ROOT, raak

TABLE = ROOT / "tests/work.csv"
MODELS = ("pendulum", "andrews", "car-axis", "slider-crank")
# Singular configurations, redundant joints, blades and wheels, a top; and one that is stiff, for the methods that can.
EXAMPLES = ("n-four-bar-2", "scissor-lift", "bricard", "pendulum-chain", "two-wheels", "chaplygin-sleigh", "heavy-top")
STIFF, FOR_STIFF = "flyball-governor", ("radau", "radau5", "radau9", "bdf")  # with radau13 its steps are a matter of rounding
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


def methods():
    """All but auto, which is one of the others: which one is tested elsewhere."""
    return [method for method in json.loads(raak("list", "methods", "--json").stdout) if method["name"] != "auto"]


def rows(method):
    name = method["name"]
    for model in MODELS:
        for form in method["formulations"]:
            for options in options_of(method, form):
                yield measured(model, name, form, options)
    if name in SLOW:
        return
    for example in (*EXAMPLES, *([STIFF] if name in FOR_STIFF else [])):
        yield measured(example, name, method["formulations"][0], ["--rtol", "1e-6"], str(ROOT / f"examples/{example}.toml"))
    with tempfile.TemporaryDirectory(prefix="raak-work-") as folder:
        for count in RODS:
            path = f"{folder}/{count}.toml"
            raak("new", "chain", "--count", str(count), "--out", path)
            yield measured(f"chain of {count}", name, method["formulations"][0], ["--rtol", "1e-5", "--until", "0.3"], path)


with open(TABLE) as _file:
    WRITTEN = list(csv.DictReader(_file))


class Work(unittest.TestCase):
    """One test a method, added below."""

    def test_every_method_is_in_the_table(self):
        self.assertEqual([method["name"] for method in methods()], list(dict.fromkeys(row["method"] for row in WRITTEN)))

    def compare(self, name):
        table = [row for row in WRITTEN if row["method"] == name]
        found = [row for method in methods() if method["name"] == name for row in rows(method)]
        names = ("model", "method", "form", "options", "used", "status")
        self.assertEqual([[row[name] for name in names] for row in found], [[row[name] for name in names] for row in table])
        for count in COUNTS:
            for wanted, row in zip(table, found):
                with self.subTest(count, **{name: row[name] for name in names}):
                    size = max(int(wanted[count]), int(wanted["steps"]))
                    self.assertAlmostEqual(row[count], int(wanted[count]), delta=FEW + OF_ONE * size)
            with self.subTest("sum", count=count):
                wanted_sum = sum(int(row[count]) for row in table)
                size = max(wanted_sum, sum(int(row["steps"]) for row in table))
                self.assertAlmostEqual(sum(row[count] for row in found), wanted_sum, delta=OF_ALL * size)


for _name in dict.fromkeys(row["method"] for row in WRITTEN):
    setattr(Work, f"test_{_name.replace('-', '_')}_does_what_is_written_down", lambda self, name=_name: self.compare(name))


def write():
    text = io.StringIO()
    found = [row for method in methods() for row in rows(method)]
    writer = csv.DictWriter(text, found[0], lineterminator="\n")
    writer.writeheader()
    writer.writerows(found)
    TABLE.write_text(text.getvalue())


if __name__ == "__main__":
    write() if "--write" in sys.argv else unittest.main()
