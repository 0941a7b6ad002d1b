"""Runs `raak bench` as the documents did: their grids, forms and first steps, the objective of the IFToMM benchmark, and runs and forms by name."""

import csv
import json
import math
import re
import signal
import unittest
import xml.etree.ElementTree

from program import ROOT, ProgramTest, cpu_seconds, raak

# Of the documents: points a decade, number of tolerances, form, h0 / rtol.
PRINTED = {"andrews": (8, 49, "index3", 1.0), "car-axis": (4, 25, "index3", 1.0), "slider-crank": (4, 25, "index2", 0.01)}


class AsPrinted(ProgramTest):
    def test_grid_form_and_first_step_are_those_of_the_documents(self):
        for model, (decade, count, form, share) in PRINTED.items():
            rows = self.json("bench", model, "--as-printed", "--methods", "radau")
            self.assertEqual(len(rows), count)
            for m, row in enumerate(rows):
                self.assertAlmostEqual(math.log10(row["rtol"]), -(4 + m / decade), places=9)
                self.assertEqual((row["formulation"], row["atol"], row["status"]), (form, row["rtol"], "ok"))
                self.assertAlmostEqual(row["h0"] / row["rtol"], share, places=12)

    def test_a_method_without_the_form_says_which_one_it_has(self):
        rows = self.json("bench", "slider-crank", "--as-printed", "--methods", "gauss,svd,radau5", "--rtol", "1e-4")
        self.assertEqual([row["formulation"] for row in rows], ["index2", "index1", "index2"])

    def test_without_models_it_takes_those_that_have_a_document(self):
        rows = self.json("bench", "--as-printed", "--methods", "auto", "--rtol", "1e-5")
        self.assertEqual([row["model"] for row in rows], list(PRINTED))

    def test_the_terminal_and_the_folder_lay_measured_rows_under_printed_ones_with_their_form(self):
        out = self.scratch / "b"
        done = raak("bench", "andrews", "--as-printed", "--methods", "radau5,bdf", "--rtol", "1e-4:1e-7:2", "--out", str(out))
        self.assertEqual(done.returncode, 0, done.stderr)
        for words in ("Table II.13.3", r"BIMD +index3 +1\.0e-04 +1\.0e-04 +0\.27 +3\.05 +46 ", r"PSIDE-1 +index3 +1\.0e-04 +- ", "measured here:",
                      r"radau5 +index3 +1\.0e-04 +1\.0e-04 ", r"bdf +ggl +1\.0e-07 +1\.0e-07 ", "shown: 4 of 14 rows", "cost at scd"):
            self.assertRegex(done.stdout, words)
        with open(out / "andrews-characteristics.csv") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual({(row["source"], row["form"]) for row in rows}, {("printed", "index3"), ("measured", "index3"), ("measured", "ggl")})
        self.assertEqual({float(row["h0"]) / float(row["rtol"]) for row in rows if row["source"] == "measured"}, {1.0})
        page = (out / "bench.html").read_text()
        self.assertTrue(re.search(r'radau5</td><td class="l">index3</td><td>10<sup>-4</sup></td><td>10<sup>-4</sup></td><td>10<sup>-4</sup></td>', page))
        # Without --as-printed a measured row says its form too, and has no first step of its own.
        raak("bench", "andrews", "--methods", "radau5", "--rtol", "1e-4", "--out", str(out))
        self.assertTrue(re.search(r'radau5</td><td class="l">index1</td><td>10<sup>-4</sup></td><td>10<sup>-4</sup></td><td></td>', (out / "bench.html").read_text()))

    def test_what_a_method_is_not_made_for_is_left_out_unless_it_is_named(self):
        rows = self.json("bench", "pendulum", "--rtol", "1e-6:1e-8:1")
        asked = {method: [row for row in rows if row["method"] == method] for method in ("generalized-alpha", "bdf")}
        self.assertEqual([row["status"] for row in asked["generalized-alpha"]], ["ok", "refused"])
        self.assertIn("made for rtol 1e-06 and looser: the 2 tighter ones", asked["generalized-alpha"][1]["message"])
        self.assertEqual([row["status"] for row in asked["bdf"]], ["ok"] * 3)
        rows = self.json("bench", "pendulum", "--methods", "generalized-alpha", "--rtol", "1e-6:1e-7:1")
        self.assertEqual([row["status"] for row in rows], ["ok", "ok"])

    def test_a_model_without_a_document_is_refused_with_those_that_have_one(self):
        have = "there is one for: andrews, car-axis, slider-crank"
        self.refused("bench", "pendulum", "--as-printed", says=['"pendulum"', have])
        self.refused("bench", str(ROOT / "examples/andrews.toml"), "--as-printed", says=["andrews.toml", have])
        self.refused("bench", "andrews-iftomm", "--as-printed", says=[have, "raak bench andrews-iftomm --drift 1e-05"])


class FirstStep(ProgramTest):
    def test_it_may_be_a_multiple_of_the_tolerance(self):
        for text, steps in (("rtol", [1e-4, 1e-5]), ("0.01*rtol", [1e-6, 1e-7]), ("1e-5", [1e-5, 1e-5])):
            rows = self.json("bench", "andrews", "--methods", "dop853", "--rtol", "1e-4:1e-5:1", "--h0", text)
            self.assertEqual([round(row["h0"] / step, 9) for row, step in zip(rows, steps)], [1.0, 1.0])
        self.assertIsNone(self.json("bench", "andrews", "--methods", "dop853", "--rtol", "1e-4")[0]["h0"])
        self.assertRegex(raak("bench", "andrews", "--methods", "dop853", "--rtol", "1e-4", "--h0", "rtol").stdout, r"rtol +h0/s +scd")

    def test_anything_else_is_refused(self):
        for text in ("", "x", "0", "-1", "nan", "rtol*0.01", "*rtol", "0*rtol", "-1*rtol", "inf*rtol", "1e-3*atol", "rtol2"):
            self.refused("bench", "andrews", "--h0", text, says=["--h0", "0.01*rtol", f'"{text}"'])


class Drift(ProgramTest):
    GRID = ("--rtol", "1e-3:1e-6:2")

    def test_the_cheapest_run_of_each_method_is_one_from_which_every_tighter_holds(self):
        rows = self.json("bench", "andrews-iftomm", "--drift", "1e-5", "--methods", "auto,dop853,svd", *self.GRID)
        for method in ("auto", "dop853", "svd"):
            series = [row for row in rows if row["method"] == method]
            self.assertEqual(len(series), 7)
            held = [i for i in range(7) if all(row["energy_drift"] < 1e-5 for row in series[i:])]
            self.assertTrue(held)
            self.assertEqual([row["drift_held"] for row in series], [i in held for i in range(7)])
            cheapest = [row for row in series if row["cheapest"]]
            self.assertEqual(cheapest, [min((series[i] for i in held), key=lambda row: row["cpu_us_min"])])
            self.assertGreater(cheapest[0]["trajectory_error"], 0.3 * 10 ** -cheapest[0]["digits"])
            self.assertLess(cheapest[0]["trajectory_error"], 0.3)
        self.assertNotIn("cheapest", self.json("bench", "andrews-iftomm", "--methods", "auto", "--rtol", "1e-4")[0])

    def test_table_and_diagrams(self):
        out = self.scratch / "b"
        done = raak("bench", "andrews-iftomm", "--drift", "1e-5", "--methods", "auto,dopri5", *self.GRID, "--out", str(out))
        self.assertEqual(done.returncode, 0, done.stderr)
        for words in ("stays below 1.0e-05 J at this and every tighter rtol", r"method +form +rtol +CPU/us +min/us +steps +drift/J +trajectory error",
                      r"  auto +index1 +\S+ +[\d.]+ +[\d.]+ +\d+ +\d\.\de-\d+ +\d\.\de-\d+", r"  dopri5 ", r"the cheapest: (auto|dopri5) at rtol"):
            self.assertRegex(done.stdout, words)
        for name, series in (("drift", 2 * 7), ("balance", 0)):
            path = out / f"andrews-iftomm-{name}.svg"
            self.assertTrue(xml.etree.ElementTree.parse(path).getroot().tag.endswith("svg"))
            self.assertIn("limit 1e-05 J", path.read_text())
            self.assertEqual(path.read_text().count("at rtol"), series)
        self.assertIn("The cheapest run whose energy drift stays below 1e-05 J", (out / "bench.html").read_text())

    def test_a_drift_that_no_method_holds_says_what_was_reached(self):
        done = raak("bench", "andrews-iftomm", "--drift", "1e-17", "--methods", "auto,dopri5", *self.GRID)
        self.assertEqual(done.returncode, 4, done.stderr)
        self.assertEqual(len(re.findall(r"not held: no less than \d\.\de-\d+ J, at rtol \d", done.stdout)), 2, done.stdout)
        self.assertIn("no method keeps the drift below 1.0e-17 J", done.stdout)

    def test_bad_limits_are_refused(self):
        for text in ("0", "-1", "x", "nan", "1e-5J"):
            self.refused("bench", "andrews-iftomm", "--drift", text, says=["--drift", f'"{text}"'])


class Chosen(ProgramTest):
    def test_check_takes_a_run_and_a_form(self):
        rows = self.json("check", "slider-crank", "--run", "nonlinear")
        self.assertEqual([(row["run"], row["pass"]) for row in rows], [("nonlinear", True)])
        rows = self.json("check", "slider-crank", "--run", "default", "--form", "index2")
        self.assertEqual([(row["run"], row["formulation"], row["pass"]) for row in rows], [("default", "index2", True)])
        self.assertEqual({row["formulation"] for row in self.json("check", "andrews", "--form", "ggl", "--method", "radau9", "--rtol", "1e-8")}, {"ggl"})
        self.refused("check", "slider-crank", "--run", "nonlinaer", says=['"nonlinaer"', '"nonlinear"'])
        self.refused("check", "andrews", "--form", "index4", says=['"index4"', "index3"])
        self.refused("check", "andrews", "--method", "svd", "--form", "index2", says=['"svd" has no form "index2"'])

    def test_bench_takes_a_run(self):
        rows = self.json("bench", "slider-crank", "--run", "oscillatory", "--methods", "auto", "--rtol", "1e-6")
        usual = self.json("bench", "slider-crank", "--methods", "auto", "--rtol", "1e-6")
        self.assertEqual((rows[0]["run"], usual[0]["run"]), ("oscillatory", "default"))
        self.assertGreater(rows[0]["steps"], usual[0]["steps"])
        self.refused("bench", "slider-crank", "--run", "osc", says=['"osc"', "oscillatory"])
        out = self.scratch / "b"
        raak("bench", "slider-crank", "--run", "oscillatory", "--methods", "auto", "--rtol", "1e-6", "--out", str(out))
        self.assertIn("measured here, run oscillatory", (out / "bench.html").read_text())


class Plain(ProgramTest):
    def test_index_1_without_projection_shows_its_drift(self):
        for method in ("auto", "dop853", "dopri5", "adams"):
            plain = self.json("run", "andrews", "--method", method, "--form", "index1-plain", "--rtol", "1e-6")
            held = self.json("run", "andrews", "--method", method, "--rtol", "1e-6")
            self.assertEqual((plain["formulation"], plain["status"]), ("index1-plain", "ok"))
            self.assertGreater(plain["quality"]["position_residual"], 1e-11)
            self.assertLess(plain["quality"]["position_residual"], 1e-4)
            self.assertLess(held["quality"]["position_residual"], 1e-14)
            self.assertGreater(plain["quality"]["velocity_residual"], 1e-9)

    def test_methods_that_meet_the_constraints_by_construction_refuse_it(self):
        for method in ("gauss", "radau", "tangent", "svd", "radau5", "bdf", "generalized-alpha", "half-explicit"):
            self.refused("run", "andrews", "--method", method, "--form", "index1-plain", says=["index1-plain", "by construction", "dop853"])

    def test_no_digits_are_refused_for_the_constraints_that_it_leaves_open(self):
        rows = self.json("check", "andrews", "--form", "index1-plain", "--method", "dop853")
        self.assertEqual((rows[0]["formulation"], rows[0]["pass"]), ("index1-plain", True))


class Stopped(ProgramTest):
    def test_ctrl_c_prints_and_marks_what_is_done(self):
        out = self.scratch / "b"
        process, stdout, stderr = self.signalled(signal.SIGINT, lambda started: cpu_seconds(started) > 2.0, "bench", "andrews", "--as-printed", "--out", str(out))
        self.assertEqual(process.returncode, 130, stderr)
        self.assertIn("measured here", stdout)
        self.assertIn("stopped: the rows measured so far are kept", stderr)
        document = json.loads((out / "bench.json").read_text())
        self.assertEqual(document["status"], "interrupted")
        self.assertTrue(document["rows"])
        self.assertTrue((out / "bench.csv").read_text().endswith("# partial: stopped by the user\n"))


if __name__ == "__main__":
    unittest.main()
