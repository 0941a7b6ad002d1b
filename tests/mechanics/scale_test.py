"""A mechanism in other units of length, mass and time moves as it did: of any size, any weight and any pace.

In the tests a seeded choice of factors; `scale_test.py --all` tries every example with every combination.
"""

import itertools
import math
import random
import sys
import unittest

from program import ROOT, ProgramTest, raak
from scaled_models import FACTORS, Comparison, read

EXAMPLES = sorted((ROOT / "examples").glob("*.toml"))
COMBINATIONS = [c for c in itertools.product(FACTORS, repeat=3) if c != (1.0, 1.0, 1.0)]
OF_EACH = 2  # combinations of each example, unless all are wanted
# Of the size of the motion. Forty loops that pass a singular configuration together multiply rounding errors there.
ALLOWED = {"n-four-bar-40": 1e-5}

FOUR_BAR = """format = "raak/1"
gravity = [0, -9.81]
[parameters]
s = SIZE
[ground.points]
O2 = [0, 0]
O4 = ["0.14*s", 0]
[bodies.crank]
mass = 0.1
inertia = 1e-4
points = { O2 = [0, 0], A = ["0.04*s", 0] }
[bodies.coupler]
mass = 0.3
inertia = 4e-4
points = { A = [0, 0], B = ["0.12*s", 0], P = ["0.06*s", "0.05*s"] }
[bodies.rocker]
mass = 0.2
inertia = 2e-4
points = { O4 = [0, 0], B = ["0.08*s", 0] }
[joints]
O2 = { type = "revolute", pins = ["ground.O2", "crank.O2"] }
A = { type = "revolute", pins = ["crank.A", "coupler.A"] }
B = { type = "revolute", pins = ["coupler.B", "rocker.B"] }
O4 = { type = "revolute", pins = ["ground.O4", "rocker.O4"] }
[drivers]
m = { coordinate = "crank.angle", motion = "2*pi*t" }
"""

HEAVY_LINKS = FOUR_BAR.replace("inertia = 4e-4", 'inertia = 4e-4\ncom = ["0.05*s", "0.01*s"]').replace(
    "inertia = 2e-4", 'inertia = 2e-4\ncom = ["0.04*s", 0]') + '[outputs]\nT = "m.moment"\n'

# A bar of a ten-thousandth of a gram on an arm that is as long as ARM says, and a rod from its end.
LONG_ARM = """format = "raak/1"
gravity = [0, -9.81]
[ground.points]
O = [0, 0]
D = ["ARM", 0]
[bodies.arm]
mass = MASS
inertia = MASS
points = { O = [0, 0], A = ["ARM", 0] }
[bodies.link]
mass = 1.0
inertia = 1.0
points = { A = [0, 0], B = ["ARM", 0] }
[joints]
O = { type = "revolute", pins = ["ground.O", "arm.O"] }
A = { type = "revolute", pins = ["arm.A", "link.A"] }
B = { type = "slot", pins = ["ground.D", "link.B"], axes = ["ground.y"] }
[start]
trust = { "arm.angle" = 1.0 }
guess = { "link.angle" = -0.5 }
"""

# Three cranks where two would do, and a spring with a damper that is the fastest thing in it.
THREE_CRANKS = """format = "raak/1"
gravity = [0, -9.81]
[ground.points]
A = [0, 0]
B = [0.5, 0]
C = [1.0, 0]
W = [0.3, 1.1]
[bodies.coupler]
mass = 2.0
inertia = 0.2
com = [0.5, 0]
points = { a = [0, 0], b = [0.5, 0], c = [1.0, 0] }
[bodies.k1]
mass = 0.5
inertia = 0.01
com = [0.2, 0]
points = { o = [0, 0], e = [0.4, 0] }
[bodies.k2]
mass = 0.5
inertia = 0.01
com = [0.2, 0]
points = { o = [0, 0], e = [0.4, 0] }
[bodies.k3]
mass = 0.5
inertia = 0.01
com = [0.2, 0]
points = { o = [0, 0], e = [0.4, 0] }
[joints]
A = { type = "revolute", pins = ["ground.A", "k1.o"] }
B = { type = "revolute", pins = ["ground.B", "k2.o"] }
C = { type = "revolute", pins = ["ground.C", "k3.o"] }
a = { type = "revolute", pins = ["k1.e", "coupler.a"] }
b = { type = "revolute", pins = ["k2.e", "coupler.b"] }
c = { type = "revolute", pins = ["k3.e", "coupler.c"] }
[forces]
sp = { type = "spring", between = ["ground.W", "coupler.b"], stiffness = 4e6, damping = 3e4, length = 0.7 }
[start.trust]
"k1.angle" = 1.1
[start.guess]
"k2.angle" = 1.1
"k3.angle" = 1.1
"coupler.angle" = 0
[runs.r]
until = 0.01
"""

# 0.16 kg beside 33 t: where the light links come into line they turn very fast, and nothing is singular.
LIGHT_AND_HEAVY = """format = "raak/1"
gravity = [0.0, -9.81]
[ground.points]
A = [-0.1999739696825916, 0.05020135143966538]
D = [0.05499562564214348, 0.16905900804225404]
W = [0.03378724927246835, -0.22806503516199447]
[bodies.k1]
mass = 0.17719361217235152
inertia = 0.0013209158845333237
com = [0.3156633620966887, -0.0293598578588457]
points = { a = [0.0, 0.0], b = [0.41405259523603716, 0.0] }
[bodies.k2]
mass = 0.15750216952788604
inertia = 0.0006798633930084899
com = [0.11004925666488596, -0.0003910481255177267]
points = { a = [0.0, 0.0], b = [0.30677337964364026, 0.0], p = [0.10838773951514688, -0.23466711441743135] }
[bodies.k3]
mass = 33021.486439178756
inertia = 250.01151899678553
com = [0.11459532296987777, 0.04068995840275474]
points = { a = [0.0, 0.0], b = [0.24275892788145897, 0.0] }
[joints]
A = { type = "revolute", pins = ["ground.A", "k1.a"] }
B = { type = "revolute", pins = ["k1.b", "k2.a"] }
C = { type = "revolute", pins = ["k2.b", "k3.b"] }
D = { type = "revolute", pins = ["ground.D", "k3.a"] }
[forces]
sp = { type = "spring", between = ["ground.W", "k2.p"], stiffness = 14.03983511208668, length = 0.1913084608204599 }
ts = { type = "torsion-spring", bodies = ["ground", "k2"], stiffness = 0.3564420362480961, damping = 0.1902338950198619, angle = 1.2847691579630607 }
[start.trust]
"k1.angle" = -0.973027040735208
"k1.omega" = -1.2240601458254128
[start.guess]
"k2.angle" = 1.0212067945395111
"k3.angle" = -0.9646625607495276
[runs.r]
until = 0.357
"""


class Scale(ProgramTest):
    def written(self, text, **words):
        for word, value in words.items():
            text = text.replace(word, str(value))
        path = self.scratch / "model.toml"
        path.write_text(text)
        return str(path)

    def test_examples_move_as_they_did_in_other_units_of_length_mass_and_time(self):
        wanted = random.Random(14)
        for path in EXAMPLES:
            run = next(iter(read(path).get("runs", {"default": {}})))
            comparison = Comparison(path, run, self.scratch)
            combinations = COMBINATIONS if ALL else wanted.sample(COMBINATIONS, OF_EACH)
            for factors in combinations:
                with self.subTest(model=path.stem, factors=factors):
                    problem = comparison.problem_with(factors, ALLOWED.get(path.stem, 1e-6))
                    self.assertIsNone(problem, problem)

    def test_a_driven_four_bar_closes_in_the_same_way_at_every_size_whatever_its_bodies_weigh(self):
        angles = {}
        # Without a guess its links lie in one line, and the branch must not be a matter of rounding.
        for size in (1e-6, 1e-3, 0.3, 0.7, 1.0, 1.5, 3.0, 10.0, 1e3, 1e4, 1e6):
            result = self.json("run", self.written(FOUR_BAR, SIZE=size), "--rtol", "1e-9")
            self.assertEqual(result["status"], "ok")
            # Rows of angles are open by rounding errors of their own.
            self.assertLess(result["quality"]["position_residual"], 1e-12 * size + 1e-15)
            final = dict(zip(result["names"], result["final"]["q"]))
            angles[size] = [final["coupler.angle"], final["rocker.angle"]]
        for size, found in angles.items():
            for angle, expected in zip(found, angles[1.0]):
                self.assertAlmostEqual(angle, expected, delta=1e-12, msg=f"at size {size}")

    def test_the_moment_of_a_driver_is_known_however_little_the_bodies_weigh_for_their_size(self):
        # Of inertias as they are, weights that grow with the size and inertias of masses that grow with its square.
        def moment(size):
            return self.json("run", self.written(HEAVY_LINKS, SIZE=size), "--until", "0.1", "--rtol", "1e-10")["outputs"]["T"]
        sizes = (0.5, 1.0, 2.0)
        moments = [moment(size) for size in sizes]
        for size in (1e-6, 1e-3, 1e3, 1e6):
            terms = [value * math.prod((size - b) / (a - b) for b in sizes if b != a) for a, value in zip(sizes, moments)]
            self.assertAlmostEqual(moment(size), sum(terms), delta=1e-8 * max(abs(term) for term in terms), msg=f"at size {size}")

    def test_arms_of_any_length_on_bodies_of_any_mass_are_no_redundant_constraints(self):
        for arm, mass in itertools.product((1e-6, 1.0, 1e6), (1e-15, 1e-12, 1e-4, 1.0, 1e6)):
            with self.subTest(arm=arm, mass=mass):
                found = self.json("assemble", self.written(LONG_ARM, ARM=arm, MASS=mass))
                mechanism = found["mechanism"]
                self.assertEqual((mechanism["mobility"], mechanism["redundant"]), (1, 0))
                start = dict(zip(found["names"], found["start"]["q"]))
                self.assertAlmostEqual(start["arm.angle"], 1.0, delta=1e-14)
                self.assertAlmostEqual(math.cos(start["link.angle"]), 1.0 - math.cos(1.0), delta=1e-12)

    def test_what_is_reported_of_a_mechanism_does_not_depend_on_its_units(self):
        path = self.scratch / "cranks.toml"
        path.write_text(THREE_CRANKS)
        comparison = Comparison(path, "r", self.scratch)
        reports = {}
        for factors in ((1.0, 1.0, 1.0), (1e-6, 1.0, 1.0), (1e6, 1.0, 1.0), (1.0, 1e6, 1e-6), (1e6, 1e-6, 1e6), (1e-6, 1e6, 1e-6)):
            scaled = self.scratch / "scaled.toml"
            scaled.write_text(comparison.text(factors))
            mechanism = self.json("assemble", str(scaled))["mechanism"]
            explained = self.json("explain", str(scaled))
            mode = explained["stiffness"]["mode"]
            reports[factors] = {
                "rank": (mechanism["rank"], mechanism["mobility"], mechanism["redundant"]),
                "not unique": mechanism["indeterminate_components"],
                "cause": explained["cause"],
                "decay": round(mode["decay"] * factors[2], 6),
                "coordinates": [(c["coordinate"], round(c["share"], 6)) for c in mode["coordinates"]],
                "forces": [(f["force"], round(f["share"], 4)) for f in mode["forces"]],
            }
        first = reports[1.0, 1.0, 1.0]
        self.assertEqual(first["rank"], (11, 1, 1))
        self.assertIn("B.force.x", first["not unique"])
        self.assertEqual([name for name, share in first["forces"]], ["sp"])
        for factors, found in reports.items():
            self.assertEqual(found, first, f"lengths, masses and times by {factors}")

    def test_light_bodies_beside_heavy_ones_run_with_every_method(self):
        path = self.written(LIGHT_AND_HEAVY)
        expected = self.json("run", path, "--method", "radau5", "--rtol", "1e-10")["final"]["q"]
        for method in ("auto", "dop853", "gauss", "radau", "svd", "tangent"):
            for rtol in ("1e-6", "1e-10"):
                with self.subTest(method=method, rtol=rtol):
                    result = self.json("run", path, "--method", method, "--rtol", rtol)
                    self.assertEqual(result["status"], "ok")
                    for found, wanted in zip(result["final"]["q"], expected):
                        self.assertAlmostEqual(found, wanted, delta=1e-2 if rtol == "1e-6" else 1e-5)

    def test_an_absolute_tolerance_that_is_large_beside_the_mechanism_is_warned_of(self):
        path = self.scratch / "small.toml"
        path.write_text(Comparison(ROOT / "examples/a01-pendulum.toml", "default", self.scratch).text((1e-6, 1.0, 1.0)))
        warned = raak("run", str(path))
        self.assertEqual(warned.returncode, 0, warned.stderr)
        self.assertRegex(warned.stdout + warned.stderr, "absolute tolerance of 1e-08 m is large .*about 1e-06 m")
        fitting = raak("run", str(path), "--atol", "m=1e-14,m/s=1e-13")
        self.assertNotIn("large beside", fitting.stdout + fitting.stderr)


ALL = "--all" in sys.argv
if __name__ == "__main__":
    unittest.main(argv=[a for a in sys.argv if a != "--all"])
