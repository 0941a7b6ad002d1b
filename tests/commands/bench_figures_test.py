"""One bench, said in five ways: the figures of the tables, the page and the documents are the same, and sums and levels follow from the rows."""

import csv
import html
import json
import math
import pathlib
import re
import tempfile
import unittest

from program import ProgramTest, raak


class Figures(ProgramTest):
    METHODS, FORMS, MODELS = ("tangent", "svd"), ("index1", "index2"), ("pendulum",)

    @classmethod
    def setUpClass(cls):
        """Measured once. Neither method has the form index2: rows that say why they were not run."""
        cls.folder = tempfile.TemporaryDirectory(prefix="raak-bench-")
        cls.addClassCleanup(cls.folder.cleanup)
        cls.out = pathlib.Path(cls.folder.name) / "bench"
        done = raak("bench", *cls.MODELS, "--methods", ",".join(cls.METHODS), "--forms", ",".join(cls.FORMS), "--rtol", "1e-3:1e-6:1", "--out", str(cls.out))
        assert done.returncode == 0, done.stderr
        cls.text = done.stdout
        document = json.loads((cls.out / "bench.json").read_text())
        cls.rows = document if isinstance(document, list) else document["rows"]
        with open(cls.out / "bench.csv") as file:
            cls.table = list(csv.DictReader(file))

    def test_the_grid_is_what_was_asked_for(self):
        for model in self.MODELS:
            for method in self.METHODS:
                rtols = [row["rtol"] for row in self.rows if (row["model"], row["method"], row["formulation"]) == (model, method, "index1")]
                self.assertEqual(rtols, [1e-3, 1e-4, 1e-5, 1e-6])
        self.assertEqual({row["status"] for row in self.rows if row["formulation"] == "index2"}, {"refused"})
        self.assertEqual({row["status"] for row in self.rows if row["formulation"] == "index1"}, {"ok"})
        for row in self.rows:
            self.assertEqual(row["rtol"], row["atol"])
            self.assertEqual(row["steps"], row["accepted"] + row["rejected"])
            if row["status"] == "ok":
                self.assertAlmostEqual(row["shortfall"], -math.log10(row["rtol"]) - row["digits"], delta=1e-9)
                self.assertGreaterEqual(row["cpu_us"], row["cpu_us_min"])
                self.assertGreater(row["cpu_us_min"], 0.0)

    def test_the_table_and_the_document_have_the_same_rows(self):
        self.assertEqual(len(self.table), len(self.rows))
        for said, row in zip(self.table, self.rows):
            for name, value in said.items():
                wanted = row.get(name)
                if value == "":
                    self.assertIn(wanted, (None, 0, 0.0, ""), name)
                elif isinstance(wanted, str):
                    self.assertEqual(value, wanted)
                elif wanted is None:  # of a row that was not run
                    self.assertEqual((row["status"], float(value)), ("refused", 0.0), name)
                else:
                    self.assertAlmostEqual(float(value), wanted, delta=1e-9 * max(1.0, abs(wanted)), msg=name)

    def test_what_failed_is_a_list_of_its_own(self):
        with open(self.out / "failures.csv") as file:
            failures = list(csv.DictReader(file))
        self.assertEqual([(f["model"], f["method"], float(f["rtol"]), f["status"], f["reason"]) for f in failures],
                         [(r["model"], r["method"], r["rtol"], r["status"], r["message"]) for r in self.rows if r["status"] != "ok"])

    def test_run_characteristics_are_in_the_columns_of_the_literature(self):
        for model in self.MODELS:
            with open(self.out / f"{model}-characteristics.csv") as file:
                measured = [row for row in csv.DictReader(file) if row["source"] == "measured"]
            mine = {(row["method"], row["rtol"]): row for row in self.rows if row["model"] == model and row["status"] == "ok"}
            self.assertEqual(len(measured), len(mine))
            for said in measured:
                row = mine[said["solver"].split()[0], float(said["rtol"])]
                for column, name in (("mescd", "mescd"), ("scd", "scd"), ("steps", "steps"), ("accept", "accepted"), ("#f", "evaluations"), ("#Jac", "jacobians"), ("#LU", "factorizations")):
                    self.assertAlmostEqual(float(said[column]), row[name], delta=1e-9 * max(1.0, abs(row[name])), msg=column)
                self.assertAlmostEqual(float(said["CPU"]), 1e-6 * row["cpu_us"], delta=1e-12)

    def test_the_terminal_tells_the_same_rows_and_what_follows_from_them(self):
        for model in self.MODELS:
            part = self.text.split(f"{model}: ")[1].split("\n\n")[0]
            runs, costs = part.split("cost at scd")
            lines = [line.split() for line in runs.splitlines() if re.match(r"^  (?:tangent|svd) ", line)]
            mine = [row for row in self.rows if row["model"] == model]
            self.assertEqual(len(lines), len(mine))
            header = next(line.split() for line in runs.splitlines() if line.split()[:1] == ["method"])
            for line, row in zip(lines, mine):
                said = dict(zip(header, line))
                self.assertEqual(said["method"], row["method"])
                self.assertEqual(float(said["rtol"]), row["rtol"])
                if row["status"] != "ok":
                    continue
                self.assertAlmostEqual(float(said["scd"]), row["scd"], delta=0.006)
                for column, name in (("steps", "steps"), ("evals", "evaluations"), ("reject", "rejected")):
                    if column in said:
                        self.assertEqual(int(said[column]), row[name])
                self.assertAlmostEqual(float(said["min/us"]), row["cpu_us_min"], delta=0.06 if row["cpu_us_min"] < 100 else 0.6)
            levels = {line.split()[0]: line.split() for line in costs.splitlines() if " index1 " in line and re.match(r"^  (?:tangent|svd) ", line)}
            for method in self.METHODS:
                series = [row for row in mine if (row["method"], row["formulation"]) == (method, "index1")]
                for place, level in zip((2, 3, 4, 5), (3.0, 5.0, 8.0, 10.0)):
                    from_here = [row for i, row in enumerate(series) if all(r["status"] == "ok" and r["scd"] >= level for r in series[i:])]
                    said = levels[method][place]
                    if not from_here:
                        self.assertEqual(said, "-", (method, level))
                    else:
                        self.assertAlmostEqual(float(said), from_here[0]["cpu_us_min"], delta=0.06 if from_here[0]["cpu_us_min"] < 100 else 0.6)
                worst = max(row["shortfall"] for row in series if row["status"] == "ok")
                self.assertAlmostEqual(float(levels[method][6]), worst, delta=0.006)
                best, back = -math.inf, 0.0
                for row in series:
                    if row["status"] == "ok":
                        back, best = max(back, best - row["digits"]), max(best, row["digits"])
                said = levels[method][7]
                self.assertAlmostEqual(0.0 if said == "-" else float(said), back, delta=0.006)

    def test_the_page_has_every_row(self):
        page = html.unescape((self.out / "bench.html").read_text())
        for row in self.rows:
            if row["status"] == "ok":
                self.assertIn(f"{row['scd']:.2f}", page)
                self.assertIn(str(row["evaluations"]), page.replace(",", "").replace("\u202f", "").replace(" ", ""))
            else:
                self.assertIn(row["message"][:60], page)


if __name__ == "__main__":
    unittest.main()
