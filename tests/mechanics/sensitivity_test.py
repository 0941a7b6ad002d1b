"""Motions that multiply errors are called sensitive, by about the factor that two runs side by side show; others are not."""

import math
import re
import unittest

from program import ROOT, ProgramTest, raak

DOUBLE_PENDULUM = """format = "raak/1"
gravity = [0, -9.81]
[ground.points]
O = [0, 0]
[bodies.a]
mass = 1.0
inertia = 0.08
com = [0.5, 0]
points = { O = [0, 0], P = [1, 0] }
[bodies.b]
mass = 1.0
inertia = 0.08
com = [0.5, 0]
points = { P = [0, 0] }
[joints]
O = { type = "revolute", pins = ["ground.O", "a.O"] }
P = { type = "revolute", pins = ["a.P", "b.P"] }
[start]
trust = { "a.angle" = FIRST, "b.angle" = SECOND }
"""

# On an inverted spring x'' = s^2 x: errors grow as exp(s t), the motion as slowly as its start lies on the falling branch.
SADDLE = """format = "raak/1"
[ground.points]
O = [0, 0]
[bodies.m]
type = "point"
mass = 2.0
[joints]
rail = { type = "slot", pins = ["ground.O", "m"], axes = ["ground.x"] }
[forces]
f = { type = "force", at = "m", value = ["LAW", 0] }
[start]
trust = { "m.x" = 1.0, "m.vx" = SPEED }
"""

WHEEL = """format = "raak/1"
space = "spatial"
gravity = [0, 0, 0]
[ground.points]
O = [0, 0, 0]
[bodies.b]
mass = 1.0
inertia = [2.0, 1.5, 1.0]
points = { O = [0, 0, 0] }
[joints]
h = { type = "revolute", pins = ["ground.O", "b.O"], axes = ["ground.z", "b.z"] }
[forces]
s = { type = "torsion-spring", axes = ["ground.z", "b.z"], stiffness = STIFFNESS, angle = 0.0, damping = 0.0 }
[start.trust]
"b.quaternion" = [1, 0, 0, 0]
"b.omega" = [0, 0, 314.159]
"""


# A rod that stands on a pin, at rest but for the rounding of its angle.
UPRIGHT = """format = "raak/1"
gravity = [0, -9.81]
[ground.points]
O = [0, 0]
[bodies.rod]
mass = 1
inertia = 0.1
com = [0.5, 0]
points = { O = [0, 0] }
[joints]
pin = { type = "revolute", pins = ["ground.O", "rod.O"] }
[start]
trust = { "rod.angle" = ANGLE, "rod.omega" = 0 }
"""


class Sensitivity(ProgramTest):
    def model(self, text, **values):
        for name, value in values.items():
            text = text.replace(name, repr(value) if isinstance(value, float) else value)
        path = self.scratch / "model.toml"
        path.write_text(text)
        return str(path)

    def warning(self, path, *arguments):
        """The warning of the run, or nothing; what is printed and the JSON agree."""
        found = [w for w in self.json("run", path, *arguments)["warnings"] if "sensitive" in w]
        self.assertEqual("sensitive" in raak("run", path, *arguments).stderr, bool(found))
        return found[0] if found else None

    def factor(self, warning):
        return float(re.search(r"multiplies errors by about (\S+)\.", warning).group(1))

    def test_the_factor_on_a_saddle_is_the_exponential(self):
        for rate, until in ((3.0, 5.0), (1.0, 15.0), (10.0, 2.0)):
            with self.subTest(rate=rate):
                path = self.model(SADDLE, LAW=f"2.0*{rate * rate}*m.x", SPEED=-rate)
                warning = self.warning(path, "--until", str(until), "--rtol", "1e-12")
                self.assertAlmostEqual(math.log10(self.factor(warning)), math.log10(math.exp(rate * until)), delta=0.7)
                self.assertEqual(self.json("explain", path, "--until", str(until))["cause"], "sensitive motion")

    def test_the_same_mass_on_a_spring_a_slope_or_alone_multiplies_nothing(self):
        for law in ("-50*m.x", "4.0", "0*m.x", "-3*m.vx", "sin(t)"):
            with self.subTest(law=law):
                self.assertIsNone(self.warning(self.model(SADDLE, LAW=law, SPEED=2.0), "--until", "100"))

    def test_a_double_pendulum_is_sensitive_where_it_turns_over_and_not_where_it_hangs(self):
        over = self.model(DOUBLE_PENDULUM, FIRST=1.2, SECOND=1.5)
        warning = self.warning(over, "--until", "20")
        self.assertGreater(self.factor(warning), 1e8)
        self.assertIn("as large as the motion itself", warning)
        hanging = self.model(DOUBLE_PENDULUM, FIRST=-1.4, SECOND=-1.7)
        self.assertIsNone(self.warning(hanging, "--until", "100"))

    def test_the_factor_is_what_two_runs_side_by_side_show(self):
        for until in (6.0, 10.0):
            ends = []
            for change in (0.0, 1e-12):
                document = self.json("run", self.model(DOUBLE_PENDULUM, FIRST=1.2 + change, SECOND=1.5 + change), "--until", str(until), "--rtol", "1e-13")
                ends.append(document["final"]["q"] + document["final"]["v"])
            factor = max(abs(a - b) for a, b in zip(*ends)) / 1e-12
            said = self.factor(self.warning(self.model(DOUBLE_PENDULUM, FIRST=1.2, SECOND=1.5), "--until", str(until)))
            self.assertAlmostEqual(math.log10(said), math.log10(factor), delta=1.7)

    def test_a_wheel_in_space_multiplies_nothing(self):
        """Alone it turns at a constant speed, with a torsion spring it swings over many turns."""
        for stiffness in (0.0, 1.0):
            path = self.model(WHEEL, STIFFNESS=stiffness)
            for arguments in ((), ("--rtol", "1e-4"), ("--method", "radau")):
                with self.subTest(stiffness=stiffness, arguments=arguments):
                    self.assertIsNone(self.warning(path, "--until", "10", *arguments))

    def test_a_motion_that_grows_as_its_errors_do_multiplies_nothing(self):
        self.assertIsNone(self.warning(self.model(SADDLE, LAW="60*m.vx", SPEED=2.0), "--until", "1"))
        self.assertIsNone(self.warning(self.model(SADDLE, LAW="-10*m.vx-2*m.x", SPEED=0.0), "--until", "-4"))

    def test_an_unstable_equilibrium_is_named_at_any_tolerance(self):
        rate = math.sqrt(9.81 * 0.5 / 0.35)
        path = self.model(UPRIGHT, ANGLE=math.pi / 2)
        for until in ("3", "10", "20"):
            for arguments in ((), ("--rtol", "1e-3"), ("--rtol", "1e-12"), ("--method", "adams"), ("--method", "radau")):
                with self.subTest(until=until, arguments=arguments):
                    warning = self.warning(path, "--until", until, *arguments)
                    self.assertGreater(math.log10(self.factor(warning)), min(rate * float(until) / math.log(10), 16) - 3)
                    self.assertIn(f'unstable equilibrium, with a mode that grows at {rate:.1e} 1/s, carried by "rod.angle"', warning)
        found = self.json("explain", path, "--until", "10")
        self.assertEqual(found["cause"], "sensitive motion")
        self.assertIn("unstable equilibrium", found["message"])
        self.assertEqual(found["advice"], "a start clearly off the equilibrium gives a motion with digits")
        self.assertIsNone(self.warning(self.model(UPRIGHT, ANGLE=-math.pi / 2), "--until", "1000"))

    def test_no_model_of_the_project_is_called_sensitive(self):
        models = ["pendulum", "andrews", "andrews-iftomm", "car-axis", "slider-crank"] + sorted(str(p) for p in (ROOT / "examples").glob("*.toml"))
        found = [m for m in models if "sensitive" in raak("run", m).stderr]
        self.assertEqual(found, [])

    def test_the_estimate_changes_nothing_of_the_motion(self):
        a = self.json("run", "andrews")
        b = self.json("check", "andrews")
        self.assertEqual(a["statistics"]["steps"], self.json("run", "andrews")["statistics"]["steps"])
        self.assertTrue(all(entry["pass"] for entry in b))


if __name__ == "__main__":
    unittest.main()
