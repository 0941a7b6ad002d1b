"""Known values over time: tables of both forms as references, for raak check --against, and drawn in reports."""

import json
import math
import re
import unittest

from program import ROOT, ProgramTest, raak

# A mass on a spring of stiffness 1: x = cos t.
SWING = """format = "raak/1"
[ground.points]
O = [0.0, 0.0]
[bodies.bob]
type = "point"
mass = 1.0
[constraints]
line = { equation = "bob.y" }
[forces]
spring = { type = "spring", between = ["ground.O", "bob"], stiffness = 1.0, length = 0.0 }
[start]
trust = { "bob.x" = 1.0, "bob.vx" = 0.0 }
[outputs]
twice = "2*bob.x"
[runs.default]
until = 2.0
[references.known]
file = "known.csv"
"""
TIMES = [0.0, 0.37, 0.5, 1.1, 1.999, 2.0]


def wide(times, off=lambda t: 0.0):
    return "t,bob.x,twice\n" + "".join(f"{t!r},{math.cos(t) + off(t)!r},{2 * math.cos(t)!r}\n" for t in times)


def tall(times):
    return "t,name,value\n" + "".join(f"{t!r},bob.x,{math.cos(t)!r}\n{t!r},twice,{2 * math.cos(t)!r}\n" for t in times)


class HistoryTest(ProgramTest):
    def write(self, name, text):
        path = self.scratch / name
        path.write_text(text)
        return str(path)


class References(HistoryTest):
    def check(self, table, more="tolerance = 1e-8\n", code=0):
        self.write("known.csv", table)
        [row] = self.json("check", self.write("m.toml", SWING + more), code=code)
        return row

    def test_both_forms_are_compared_at_all_times(self):
        for table in (wide(TIMES), tall(TIMES)):
            row = self.check(table)
            self.assertTrue(row["pass"])
            self.assertEqual([(one["name"], one["times"]) for one in row["history"]], [("q.bob.x", 6), ("twice", 6)])
            self.assertLess(row["deviation"], 1e-8)
            self.assertGreater(row["scd"], 8.0)

    def test_the_largest_deviation_and_its_time_decide(self):
        row = self.check(wide(TIMES, lambda t: 1e-3 if t == 0.37 else 1e-5 if t == 1.1 else 0.0), code=4)
        self.assertFalse(row["pass"])
        self.assertIn("q.bob.x is ", row["message"])
        self.assertIn("at t = 0.37 s, 1.0e-03 off", row["message"])
        off = row["history"][0]
        self.assertAlmostEqual(off["absolute"], 1e-3, delta=1e-8)
        self.assertEqual((off["t"], off["t_absolute"]), (0.37, 0.37))
        self.assertAlmostEqual(off["value"], math.cos(0.37), delta=1e-8)
        self.assertAlmostEqual(row["deviation"], 1e-3, delta=1e-8)

    def test_values_before_the_end_only_are_judged_by_a_tolerance(self):
        row = self.check(wide([0.1, 1.0]))
        self.assertTrue(row["pass"])
        self.assertIsNone(row["scd"])
        self.check(wide([0.1, 1.0], lambda t: 1e-6), code=4)
        self.write("known.csv", wide([0.1, 1.0]))
        self.refused("check", self.write("m.toml", SWING + "scd = 8.0\n"), says=["no reference solution"])

    def test_a_run_backwards(self):
        table = wide([0.0, -0.5, -2.0])
        self.write("known.csv", table)
        [row] = self.json("check", self.write("m.toml", SWING.replace("until = 2.0", "until = -2.0") + "tolerance = 1e-8\n"))
        self.assertEqual(row["history"][0]["times"], 3)

    def test_what_is_wrong_is_reported_with_its_place(self):
        for table, place, words in (
                (wide([0.5, 2.5]), "3:1", "t = 2.5 s lies outside run \"default\", from 0 to 2 s"),
                (wide([0.5, 0.4, 0.6]), "4:1", "expected times that fall"),
                (wide([0.5, 0.6, 0.6]), "4:1", "expected times that increase"),
                ("t,bob.x\n1.0,one\n", "2:5", 'expected a number for bob.x, found "one"'),
                ("t,bob.x,twice\n1.0,,1.0\n", "2:5", "found no value of bob.x"),
                ("t,bob.x,twice\n1.0,0.5\n", "2:8", "twice has none"),
                ("t,bob.x,twise\n1.0,0.5,1.0\n", "1:9", 'did you mean "twice"'),
                ("t,bob.x,energy.kinetik\n1.0,0.5,1.0\n", "1:9", 'did you mean "energy.kinetic"'),
                ("1.0,0.5\n", "1:1", "expected a header that names the columns, t,name,value"),
                ("t,name,value\n2.0,bob.z,1.0\n", "2:5", 'did you mean "bob.x"')):
            self.write("known.csv", table)
            path = self.write("m.toml", SWING)
            with self.subTest(table):
                self.refused("check", path, code=1, says=[f"known.csv:{place}: ", words])


class Against(HistoryTest):
    def test_a_table_of_the_program_itself_agrees_to_the_tolerances(self):
        out = self.scratch / "out"
        self.assertEqual(raak("run", "andrews-iftomm", "--rtol", "1e-9", "--every", "1e-3", "--quiet", "--out", str(out)).returncode, 0)
        table = str(out / "result.csv")
        [row] = self.json("check", "andrews-iftomm", "--against", table)
        self.assertIsNone(row["pass"])
        self.assertEqual(row["source"], table)
        names = [one["name"] for one in row["history"]]
        self.assertEqual(names, (out / "result.csv").read_text().splitlines()[0].split(",")[1:])
        self.assertLess(next(one for one in row["history"] if one["name"] == "F.x")["absolute"], 1e-6)
        self.assertTrue(self.json("check", "andrews-iftomm", "--against", table, "--tolerance", "0.1")[0]["pass"])
        self.assertFalse(self.json("check", "andrews-iftomm", "--against", table, "--tolerance", "1e-16", code=4)[0]["pass"])

    def test_it_prints_a_table_of_deviations(self):
        table = self.write("f.csv", wide(TIMES, lambda t: -2e-3 if t == 0.5 else 0.0))
        model = self.write("m.toml", SWING.split("[references")[0])
        done = raak("check", model, "--against", table)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"beside \S*f\.csv at 6 times")
        self.assertRegex(done.stdout, r"q\.bob\.x +2\.000e-03 +0\.5 +2\.000e-03 +0\.5")
        self.assertIn("--tolerance X sets", done.stdout)
        done = raak("check", model, "--against", table, "--tolerance", "1e-3")
        self.assertEqual(done.returncode, 4)
        self.assertIn("FAIL", done.stdout)
        self.assertIn("1 of 1 checks pass", raak("check", model, "--against", table, "--tolerance", "1e-2").stdout)

    def test_what_is_wrong_on_the_command_line(self):
        table = self.write("f.csv", wide(TIMES))
        model = self.write("m.toml", SWING.split("[references")[0])
        self.refused("check", "--against", table, says=["--against compares one model"])
        self.refused("check", model, "pendulum", "--against", table, says=["--against compares one model", "2 models"])
        self.refused("check", model, "--tolerance", "1e-3", says=["--tolerance", "--against"])
        self.refused("check", model, "--against", table, "--tolerance", "-1", says=["--tolerance"])
        self.refused("check", model, "--against", str(self.scratch / "none.csv"), says=["none.csv"])
        self.refused("check", "pendulum", "--against", table, code=1, says=["f.csv:1:3: ", '"bob.x"'])
        self.refused("check", "andrews-iftomm", "--against", self.write("g.csv", "t,F.x\n0,1\n50,1\n"), code=1, says=["g.csv:3:1: t = 50 s lies outside"])
        self.refused("run", model, "--against", table, says=["--against", "--out"])
        self.refused("run", model, "--against", table, "--until", "1", "--out", str(self.scratch / "o"), code=1, says=["f.csv:5:1: t = 1.1 s lies outside"])


class Reports(HistoryTest):
    def histories(self, *arguments):
        out = self.scratch / "out"
        done = raak("run", *arguments, "--quiet", "--out", str(out))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(raak("report", str(out)).returncode, 0)
        data = json.loads(re.search(r'id="data">(.*?)</script>', (out / "report.html").read_text(), re.DOTALL).group(1))
        return data["about"]["histories"]

    def test_have_the_known_values_of_the_model_and_of_the_table(self):
        self.write("known.csv", wide(TIMES))
        [known] = self.histories(self.write("m.toml", SWING))
        self.assertEqual(known["source"], "known")
        self.assertEqual(known["columns"]["q.bob.x"], {"t": TIMES, "values": [math.cos(t) for t in TIMES]})
        known, more = self.histories(str(self.scratch / "m.toml"), "--against", self.write("more.csv", tall([0.25, 0.75])))
        self.assertEqual(more["columns"]["twice"]["t"], [0.25, 0.75])
        self.assertEqual(self.histories("andrews"), [])

    def test_have_as_many_as_a_plot_can_show(self):
        table = self.write("many.csv", wide([2.0 * i / 5000 for i in range(5001)]))
        [known] = self.histories(self.write("m.toml", SWING.split("[references")[0]), "--against", table)
        self.assertLessEqual(len(known["columns"]["twice"]["t"]), 1001)
        self.assertGreater(len(known["columns"]["twice"]["t"]), 500)


if __name__ == "__main__":
    unittest.main()
