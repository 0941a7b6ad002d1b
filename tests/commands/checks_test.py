"""What `raak check` judges, and the exit code that scripts rely on: 0 met, 1 a file, 2 the command line, 3 a computation, 4 a check that is not met."""

import json
import math
import unittest

from program import ProgramTest, raak

# x'' = -x from x = 1: cos t.
SWING = """format = "raak/1"
[ground.points]
O = [0.0, 0.0]
[bodies.bob]
type = "point"
mass = 1.0
[joints]
rail = { type = "slot", pins = ["ground.O", "bob"], axes = ["ground.x"] }
[forces]
s = { type = "spring", between = ["ground.O", "bob"], stiffness = STIFFNESS }
[start.trust]
"bob.x" = 1.0
[runs.default]
until = UNTIL
[references.closed]
at = AT
scd = SCD
values = { "bob.x" = X, "bob.vx" = V }
"""


def swing(until=2.0, at=None, x=None, v=None, scd=8.0, stiffness=1.0):
    at = until if at is None else at
    text = SWING.replace("UNTIL", str(until)).replace("AT", str(at)).replace("SCD", str(scd)).replace("STIFFNESS", str(stiffness))
    return text.replace("= X", f"= {math.cos(at) if x is None else x!r}").replace("= V", f"= {-math.sin(at) if v is None else v!r}")


APART = """format = "raak/1"
[ground.points]
O = [0.0, 0.0]
W = [5.0, 0.0]
[bodies.bob]
type = "point"
mass = 1.0
[joints]
one = { type = "distance", between = ["ground.O", "bob"], length = 1.0 }
two = { type = "distance", between = ["ground.W", "bob"], length = 1.0 }
[runs.default]
until = 1.0
[references.none]
values = { "bob.x" = 0.0 }
"""
# The force has no value beyond t = 0.5.
ENDS = swing().replace("[start", 'p = { type = "force", at = "bob", value = ["sqrt(0.5 - t)", 0.0] }\n[start')


class ExitCodes(ProgramTest):
    def write(self, name, text):
        path = self.scratch / name
        path.write_text(text)
        return str(path)

    def code(self, *arguments):
        done = raak("check", *arguments)
        again = raak("check", *arguments, "--json")
        self.assertEqual(done.returncode, again.returncode)
        if again.stdout:
            json.loads(again.stdout)
        return done.returncode, done.stdout + done.stderr

    def test_each_outcome_has_its_own(self):
        good, off = self.write("good.toml", swing()), self.write("off.toml", swing(x=0.3))
        broken, apart = self.write("broken.toml", "format = 3\n"), self.write("apart.toml", APART)
        silent = self.write("silent.toml", swing().split("[references")[0])
        ends = self.write("ends.toml", ENDS)
        for models, code in (((good,), 0), ((off,), 4), ((broken,), 1), ((apart,), 4), ((silent,), 2), ((ends,), 4), (("nothing",), 2),
                             ((good, off), 4), ((off, good), 4), ((good, broken), 1), ((off, broken), 1), ((good, silent), 2), ((good, good), 0),
                             ((silent, off), 2), ((silent, broken), 1)):
            with self.subTest(models):
                found, text = self.code(*models)
                self.assertEqual(found, code, text)

    def test_every_model_is_counted_once(self):
        good, off = self.write("good.toml", swing()), self.write("off.toml", swing(x=0.3))
        self.assertIn("1 of 2 checks pass", raak("check", good, off).stdout)
        self.assertIn("1 of 1 checks pass", raak("check", good, good).stdout)
        broken = self.write("broken.toml", "format = 3\n")
        self.assertIn("1 of 2 checks pass; 1 model could not be checked", raak("check", good, off, broken).stdout)
        more = self.write("more.toml", "format = 4\n")
        self.assertIn("; 2 models could not be checked", raak("check", good, broken, more).stdout)

    def test_a_run_that_fails_says_why(self):
        [row] = self.json("check", self.write("ends.toml", ENDS), code=4)
        self.assertIs(row["pass"], False)
        self.assertIn("t = 0.5", row["message"])


class Judged(ExitCodes):
    def test_digits_are_those_of_the_largest_relative_error(self):
        for off, digits in ((1e-3, 3.0), (1e-5, 5.0)):
            path = self.write("m.toml", swing(x=math.cos(2.0) * (1.0 + off)))
            [row] = self.json("check", path, code=4)
            self.assertAlmostEqual(row["scd"], digits, delta=1e-3)
            self.assertAlmostEqual(row["mescd"], -math.log10(off * abs(math.cos(2.0)) / (1.0 + abs(math.cos(2.0)))), delta=1e-3)
            self.assertEqual(row["required"], 8.0)
        [row] = self.json("check", self.write("m.toml", swing(v=-math.sin(2.0) * (1.0 + 1e-4))), code=4)
        self.assertAlmostEqual(row["scd"], 4.0, delta=1e-3)

    def test_what_is_required_is_what_the_file_says(self):
        off = math.cos(2.0) * (1.0 + 1e-5)
        self.assertTrue(self.json("check", self.write("m.toml", swing(x=off, scd=4.9)))[0]["pass"])
        self.assertFalse(self.json("check", self.write("m.toml", swing(x=off, scd=5.1)), code=4)[0]["pass"])

    def test_a_looser_tolerance_may_cost_a_digit_a_decade(self):
        path = self.write("m.toml", swing())
        self.assertEqual(self.json("check", path, "--rtol", "1e-8")[0]["required"], 6.0)
        self.assertEqual(self.json("check", path, "--rtol", "1e-10")[0]["required"], 8.0)
        self.assertEqual(self.json("check", path, "--rtol", "1e-12")[0]["required"], 8.0)
        self.assertEqual(self.json("check", path, "--rtol", "1e-12")[0]["rtol"], 1e-12)

    def test_references_of_a_run_backwards_are_at_negative_times(self):
        path = self.write("m.toml", swing(until=-2.0))
        [row] = self.json("check", path)
        self.assertGreater(row["scd"], 9.0)
        # Nearer to the start there is nothing to compare the end with, and beyond the end nothing is reached.
        self.refused("check", self.write("m.toml", swing(until=-2.0, at=-1.0)), says=["no reference solution"])
        for until, at in ((-2.0, 1.0), (-2.0, -3.0), (2.0, -1.0), (2.0, 3.0)):
            self.refused("check", self.write("m.toml", swing(until=until, at=at)), code=1, says=["m.toml:16:6: ", "does not reach"])

    def test_a_drift_of_the_energy_is_judged_where_it_is_asked_for(self):
        path = self.write("m.toml", swing().replace("scd = 8.0", "scd = 1.0\ndrift = 1e-25"))
        [row] = self.json("check", path, "--rtol", "1e-10", code=4)
        self.assertIn("energy drift", row["message"])
        self.assertTrue(self.json("check", self.write("m.toml", swing().replace("scd = 8.0", "scd = 1.0\ndrift = 1e-3")))[0]["pass"])

    def test_every_reference_of_a_run_is_judged(self):
        (self.scratch / "wrong.csv").write_text("t,bob.x\n0.5,0.9\n1.0,0.9\n")
        for more, message in (('[references.early]\nat = 1.0\ntolerance = 1e-4\nvalues = { "bob.x" = 7.0 }\n', "beside early: q.bob.x is 0.54"),
                           ('[references.table]\ntolerance = 1e-4\nfile = "wrong.csv"\n', "beside table: q.bob.x is 0.54")):
            for text in (swing() + more, swing().replace("[references", more + "[references")):
                rows = self.json("check", self.write("m.toml", text), code=4)
                self.assertEqual(sorted(row["pass"] for row in rows), [False, True])
                self.assertIn(message, next(row["message"] for row in rows if not row["pass"]))
        # One that has nothing to be judged by is not passed over in silence.
        said = raak("check", self.write("m.toml", swing() + '[references.early]\nat = 1.0\nvalues = { "bob.x" = 7.0 }\n')).stdout
        self.assertIn("its reference (early) has no values at the end of the run", said)

    def test_a_reference_has_values_or_a_file(self):
        (self.scratch / "t.csv").write_text("t,bob.x\n1.0,0.9\n")
        self.refused("check", self.write("m.toml", swing().replace("at = 2.0\n", "") + 'file = "t.csv"\n'), code=1, says=["m.toml:17:10: ", "has values and a file"])
        self.refused("check", self.write("m.toml", swing().split("values")[0] + 'file = "t.csv"\n'), code=1, says=["m.toml:16:6: ", "leave at out"])

    def test_values_of_a_file_count_as_those_of_the_model(self):
        (self.scratch / "values.csv").write_text(f"t,name,value\n1.0,bob.x,{math.cos(1.0)!r}\n2.0,bob.x,{math.cos(2.0)!r}\r\n\n2.0,v.bob.x,{-math.sin(2.0)!r}\n")
        text = swing().split("values")[0].replace("at = 2.0\n", "") + 'file = "values.csv"\n'
        [row] = self.json("check", self.write("m.toml", text))
        self.assertEqual(sorted(one["name"] for one in row["compared"]), ["q.bob.x", "v.bob.x"])
        self.assertGreater(row["scd"], 9.0)
        for line, message in (("2.0,bob.x", "3:1: found 2 cells"), ("2.0,v.bob.x,one", '3:13: expected a number for v.bob.x, found "one"'),
                           ("now,bob.x,1.0", '3:1: expected a number for t, found "now"'), ("bob.x", "3:1: found 1 cells"),
                           ("2.0,bob.x,2.0", "3:5: there is a value of bob.x at t = 2 already")):
            (self.scratch / "values.csv").write_text("t,name,value\n2.0,bob.x,1.0\n" + line + "\n")
            self.refused("check", self.write("m.toml", text), code=1, says=["values.csv:" + message])

    def test_another_parameter_has_no_reference_and_a_run_with_its_own_has(self):
        text = swing(stiffness='"k"').replace("[ground", "[parameters]\nk = 1.0\n[ground")
        text = text.replace("[references.closed]\n", f'[runs.stiff]\nuntil = 1.0\nset = {{ k = 4.0 }}\n[references.stiff]\nrun = "stiff"\nscd = 8.0\nvalues = {{ "bob.x" = {math.cos(2.0)!r} }}\n[references.closed]\nrun = "default"\n')
        path = self.write("m.toml", text)
        rows = self.json("check", path)
        self.assertEqual([row["run"] for row in rows], ["default", "stiff"])
        self.refused("check", path, "--set", "k=2", says=["no reference solution for these settings"])
        # With k = 4 set for all, that of the stiff run still holds.
        self.assertEqual([row["run"] for row in self.json("check", path, "--set", "k=4")], ["stiff"])

    def test_names_of_a_reference_may_say_their_kind(self):
        values = f'values = {{ "q.bob.x" = {math.cos(2.0)!r}, "v.bob.x" = {-math.sin(2.0)!r}, "a.bob.x" = {-math.cos(2.0)!r}, "lambda.1" = 0.0, "energy.kinetic" = {0.5 * math.sin(2.0) ** 2!r} }}'
        [row] = self.json("check", self.write("m.toml", swing().split("values")[0] + values + "\n"))
        self.assertEqual(len(row["compared"]), 5)
        for name in ("q.bob.z", "w.bob.x", "lambda.2", "lambda.0", "lambda.1.0", "energy.heat"):
            self.refused("check", self.write("m.toml", swing().split("values")[0] + f'values = {{ "{name}" = 0.0 }}\n'), code=1, says=["m.toml:18:12: ", name])


if __name__ == "__main__":
    unittest.main()
