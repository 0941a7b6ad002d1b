"""Looks at what `raak compare` says of the results of several runs."""

import json
import os
import subprocess
import unittest
import xml.etree.ElementTree

from program import PATIENCE, RAAK, ROOT, ProgramTest, raak, rows_of


class Compare(ProgramTest):
    def results(self, name, model, *options):
        done = raak("run", str(model), "--quiet", "--out", str(self.scratch / name), *options)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return str(self.scratch / name)

    def compared(self, *folders):
        done = raak("compare", *folders, "--json", "--out", str(self.scratch / "page.html"))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return json.loads(done.stdout)

    def in_scratch(self, *arguments):
        return subprocess.run([RAAK, *arguments], cwd=self.scratch, capture_output=True, text=True, timeout=PATIENCE)

    def test_the_largest_difference_is_that_of_the_tables(self):
        folders = [self.results(name, "pendulum", "--every", "0.01", "--frames", "2", "--rtol", rtol) for name, rtol in (("loose", "1e-5"), ("tight", "1e-10"))]
        document = self.compared(*folders)
        loose, tight = (rows_of(f"{folder}/result.csv") for folder in folders)
        self.assertEqual(document["runs"][1]["compared"], {"from": 0.0, "to": 2.57, "times": 258 + 1, "interpolated": False}, "258 rows, and the frame in the middle")
        self.assertEqual(sorted(document["common"]), sorted(name for name in loose[0] if name != "t"))
        for each in document["differences"]:
            column = each["column"]
            sizes = [abs(float(a[column]) - float(b[column])) for a, b in zip(loose, tight)]
            self.assertEqual(each["run"], "tight")
            self.assertGreaterEqual(each["largest"], max(sizes))
            self.assertLess(each["largest"], 1.05 * max(sizes) + 1e-300, "the frame is only one time more")
            self.assertAlmostEqual(abs(each["first"] - each["other"]), each["largest"], delta=1e-12 * max(1.0, abs(each["first"])))
            values = [float(row[column]) for row in loose]
            self.assertAlmostEqual(each["range"], max(values) - min(values), delta=1e-3 * abs(each["range"]) + 1e-300)
            if max(sizes) > 0.0 and each["largest"] == max(sizes):
                self.assertEqual(each["t"], float(loose[sizes.index(max(sizes))]["t"]))

    def test_other_times_are_interpolated(self):
        """phi of a pendulum between samples 0.01 s apart, by cubic polynomials: their error is about (0.01 Omega)^4/43 of it."""
        a = self.results("a", "pendulum", "--at", ",".join(f"{0.1 * i + 0.003:.3f}" for i in range(25)), "--frames", "1", "--rtol", "1e-12")
        b = self.results("b", "pendulum", "--every", "0.01", "--frames", "1", "--rtol", "1e-12")
        document = self.compared(a, b)
        self.assertTrue(document["runs"][1]["compared"]["interpolated"])
        self.assertEqual(document["runs"][1]["compared"]["times"], 25 + 2)
        phi = {each["column"]: each for each in document["differences"]}["q.phi"]
        self.assertLess(phi["largest"], 1e-8)
        self.assertGreater(phi["largest"], 1e-12)
        said = raak("compare", a, b, "--out", str(self.scratch / "p.html")).stdout
        self.assertIn("between the times of b by cubic interpolation", said)

    def test_tables_of_some_columns_are_compared_by_their_frames(self):
        whole = [self.results(f"whole{rtol}", "pendulum", "--frames", "50", "--every", "2.57", "--rtol", rtol) for rtol in ("1e-5", "1e-9")]
        some = [self.results(f"some{rtol}", "pendulum", "--frames", "50", "--every", "0.01", "--columns", "q.phi", "--rtol", rtol) for rtol in ("1e-5", "1e-9")]
        expected = self.compared(*whole)["differences"]
        self.assertGreater(max(each["largest"] for each in expected), 1e-7)
        for folders in (some, (whole[0], some[1])):
            found = self.compared(*folders)["differences"]
            self.assertEqual([(each["column"], each["largest"], each["t"]) for each in found], [(each["column"], each["largest"], each["t"]) for each in expected])

    def test_what_is_common_is_reported(self):
        a, b = self.results("a", "andrews"), self.results("b", "slider-crank")
        document = self.compared(a, b)
        self.assertTrue(all(name.startswith("energy.") for name in document["common"]), "multipliers of other joints are others")
        self.assertIn("q.beta", document["runs"][0]["only"])
        self.assertIn("lambda.1", document["runs"][1]["only"])
        self.assertEqual(document["runs"][1]["compared"]["to"], 0.03)
        said = raak("compare", a, b, "--out", str(self.scratch / "p.html")).stdout
        for words in ("different models", "not in all runs, so not compared: q.beta", "t = 0 to 0.03 s"):
            self.assertIn(words, said)

    def test_the_settings_that_differ_name_the_runs(self):
        a = self.results("linear", "slider-crank")
        b = self.results("nonlinear", "slider-crank", "--set", "beam=nonlinear")
        c = self.results("fast", "slider-crank", "--set", "Omega=155")
        document = self.compared(a, b, c)
        self.assertEqual([run["settings"] for run in document["runs"]],
                         [["Omega=150", "beam=linear"], ["Omega=150", "beam=nonlinear"], ["Omega=155", "beam=linear"]])
        self.assertEqual([run["label"] for run in document["runs"]], ["linear", "nonlinear", "fast"])
        self.assertEqual({each["run"] for each in document["differences"]}, {"nonlinear", "fast"})
        page = (self.scratch / "page.html").read_text()
        self.assertIn('"label":"nonlinear"', page)
        done = raak("compare", a, b, "--plot", "q3+q4,mod(phi1)", "--out", str(self.scratch / "figures"))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        texts = [node.text for node in xml.etree.ElementTree.parse(self.scratch / "figures/q3-q4.svg").iter() if node.tag.endswith("text")]
        for words in ("linear", "nonlinear", "q.q3 / m", "q.q4 / m", "t / s"):
            self.assertIn(words, texts)
        self.assertIn(">π<", (self.scratch / "figures/mod-phi1.svg").read_text())
        self.assertTrue((self.scratch / "figures/compare.html").exists())

    def test_a_run_that_diverged_is_compared_as_far_as_it_came(self):
        a = self.results("survives", "slider-crank", "--run", "nonlinear")
        done = raak("run", "slider-crank", "--run", "buckling", "--quiet", "--out", str(self.scratch / "buckled"))
        self.assertEqual(done.returncode, 3)
        document = self.compared(a, str(self.scratch / "buckled"))
        self.assertEqual(document["runs"][1]["status"], "failed")
        self.assertAlmostEqual(document["runs"][1]["compared"]["to"], 0.0867034, delta=1e-6)

    def test_folders_of_one_name_are_called_by_their_paths(self):
        for name in ("one", "two"):
            self.results(f"{name}/results", "pendulum")
        done = self.in_scratch("compare", "one/results", "two/results", "--json")
        self.assertEqual([run["label"] for run in json.loads(done.stdout)["runs"]], ["one/results", "two/results"])
        self.assertTrue((self.scratch / "compare.html").exists())

    def test_only_pages_of_raak_are_replaced_unasked(self):
        self.results("a", "pendulum")
        self.results("b", "pendulum")
        mine = self.scratch / "compare.html"
        mine.write_text("my thesis")
        done = self.in_scratch("compare", "a", "b")
        self.assertEqual((done.returncode, mine.read_text()), (2, "my thesis"))
        self.assertIn("was not written by raak", done.stderr)
        mine.unlink()
        for _ in range(2):
            self.assertEqual(self.in_scratch("compare", "a", "b").returncode, 0)

    def test_wrong_folders(self):
        a = self.results("a", "pendulum")
        out = ("--out", str(self.scratch / "p.html"))
        self.refused("compare", *out, says=["two or more", "none"])
        self.refused("compare", a, *out, says=["two or more", "alone"])
        self.refused("compare", a, a + "/", *out, says=["given twice"])
        self.refused("compare", a, "andrews", *out, says=['"andrews" is a model', "raak run andrews --out DIR"])
        self.refused("compare", a, str(ROOT / "examples/four-bar.toml"), *out, says=["is a model"])
        self.refused("compare", a, str(ROOT / "examples"), *out, says=["run.json", "is missing"])
        self.refused("compare", a, str(self.scratch / "nowhere"), *out, says=["is no folder"])
        b = self.results("b", "pendulum", "--until", "1")
        self.refused("compare", a, b, "--plot", "ph", *out, says=['"phi"'])
        self.refused("compare", a, b, "--out", "/proc/no/page.html", says=["/proc/no"])
        (self.scratch / "b/result.npz").write_bytes(b"broken")
        self.refused("compare", a, b, *out, says=["result.npz"])
        self.assertFalse((self.scratch / "p.html").exists())

    def test_forwards_and_backwards_share_their_start(self):
        a = self.results("a", "pendulum", "--until", "1")
        b = self.results("b", "pendulum", "--until", "-1")
        self.assertEqual(self.compared(a, b)["runs"][1]["compared"]["times"], 1)


if __name__ == "__main__":
    os.environ.pop("COLUMNS", None)
    unittest.main()
