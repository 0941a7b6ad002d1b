"""Holds the methods to the work and the digits that a user is promised, on whole runs."""

import json
import math
import pathlib
import sys
import tempfile
import unittest

from program import ROOT, ProgramTest, raak, rows_of

sys.path.insert(0, str(ROOT / "benchmarks"))
from random_mechanisms import write_mechanism

CRANK_BESIDE_A_MASS = """format = "raak/1"
gravity = [0.0, -9.81]
[parameters]
W = 100.0
[ground.points]
O = [0.0, 0.0]
[bodies.crank]
mass = 1.0
inertia = 0.01
com = [0.03, 0.0]
points = { O = [0.0, 0.0], A = [0.1, 0.0] }
[bodies.rod]
mass = 0.5
inertia = 0.005
com = [0.15, 0.0]
points = { A = [0.0, 0.0], B = [0.3, 0.0] }
[bodies.piston]
mass = 0.4
inertia = 0.001
points = { B = [0.0, 0.0] }
[bodies.mass]
mass = 2.0
inertia = 1.0
points = { S = [0.0, 0.0] }
[joints]
O = { type = "revolute", pins = ["ground.O", "crank.O"] }
A = { type = "revolute", pins = ["crank.A", "rod.A"] }
B = { type = "revolute", pins = ["rod.B", "piston.B"] }
slide = { type = "prismatic", pins = ["ground.O", "piston.B"], axes = ["ground.x", "piston.x"] }
far = { type = "prismatic", pins = ["ground.O", "mass.S"], axes = ["ground.x", "mass.x"] }
[drivers]
motor = { coordinate = "crank.angle", motion = "W*t" }
[forces]
wall = { type = "spring", between = ["ground.O", "mass.S"], stiffness = 2.0, length = 2.5 }
[start.guess]
"rod.angle" = 0.0
"piston.x" = 0.4
"mass.x" = 3.0
[runs.default]
until = 1.0
"""

BEVEL_GEAR = """format = "raak/1"
space = "spatial"
gravity = [0.0, 0.0, 0.0]
[ground.points]
A = [0.0, 0.0, 0.0]
B = [0.3, 0.0, 0.0]
[bodies.a]
mass = 1.0
inertia = [0.02, 0.02, 0.02]
points = { C = [0, 0, 0] }
[bodies.b]
mass = 1.0
inertia = [0.03, 0.03, 0.03]
points = { C = [0, 0, 0] }
[joints]
A = { type = "revolute", pins = ["ground.A", "a.C"], axes = ["ground.z", "a.z"] }
B = { type = "revolute", pins = ["ground.B", "b.C"], axes = ["ground.x", "b.x"] }
g = { type = "gear", bodies = ["a", "b"], ratio = 1.5, axes = ["a.z", "b.x"] }
[forces]
act = { type = "actuator", joint = "A", value = "0.5 - 0.01*a.omega.z" }
[runs.default]
until = 10.0
rtol = 1e-8
"""


def run(model, method, rtol):
    return json.loads(raak("run", str(model), "--method", method, "--rtol", rtol, "--json").stdout)


class Methods(ProgramTest):
    def test_auto_leaves_coordinates_that_turn_away_in_step_after_step(self):
        with tempfile.TemporaryDirectory() as folder:
            model = pathlib.Path(folder) / "bevel.toml"
            model.write_text(BEVEL_GEAR)
            auto, gauss = (run(model, method, "1e-8")["statistics"]["steps"] for method in ("auto", "gauss"))
        self.assertLess(auto, 1.3 * gauss)

    def test_auto_takes_one_divergence_for_no_stiffness(self):
        self.assertEqual(run(ROOT / "examples/bicycle.toml", "auto", "1e-5")["method_used"], "gauss")

    def run_random(self, seed, *methods):
        """What methods make of a random mechanism with the tolerance that it asks for."""
        with tempfile.TemporaryDirectory() as folder:
            model = pathlib.Path(folder) / "random.toml"
            model.write_text(write_mechanism(seed))
            return [json.loads(raak("run", str(model), "--method", method, "--json").stdout) for method in methods]

    def test_auto_passes_the_singular_poses_that_gauss_passes(self):
        for name, count in (("n-four-bar-2", 10), ("equal-slider-crank", 1)):
            with self.subTest(name):
                auto, gauss = (run(ROOT / f"examples/{name}.toml", method, "1e-8") for method in ("auto", "gauss"))
                self.assertEqual(auto["final"]["t"], gauss["final"]["t"])
                self.assertEqual((len(auto["singular_poses"]), len(gauss["singular_poses"])), (count, count))

    def test_bodies_pinned_to_each_other_several_times_have_no_singular_poses_of_their_own(self):
        for seed in (5, 65, 150, 161):
            with self.subTest(seed):
                for found in self.run_random(seed, "auto", "gauss"):
                    self.assertEqual((found["status"], found["singular_poses"]), ("ok", []))

    def test_auto_counts_what_evaluations_of_many_bodies_take(self):
        for seed in (59, 198):
            with self.subTest(seed):
                auto, radau = (each["statistics"]["evaluations"] for each in self.run_random(seed, "auto", "radau"))
                self.assertLess(auto, 2.0 * radau)

    def test_auto_tries_nothing_that_the_rest_of_the_run_does_not_pay_for(self):
        for seed in (31, 42, 194, 214, 296):
            with self.subTest(seed):
                auto, gauss = self.run_random(seed, "auto", "gauss")
                self.assertEqual(auto["method_used"], "gauss")
                self.assertEqual(auto["statistics"]["evaluations"], gauss["statistics"]["evaluations"])

    def test_a_long_way_does_not_cost_the_digits_asked_for(self):
        model = ROOT / "examples/heavy-top.toml"
        exact = run(model, "gauss", "1e-13")["final"]["q"]
        for k in (4, 5, 6, 7, 8):
            with self.subTest(k):
                found = run(model, "auto", f"1e-{k}")["final"]["q"]
                error = max(abs(x - y) / (1 + abs(y)) for x, y in zip(found, exact))
                self.assertGreater(-math.log10(error), k - 1.5)

    def test_turns_that_magnify_errors_do_not_cost_the_digits_asked_for(self):
        model = ROOT / "examples/euler-top-dzhanibekov.toml"
        exact = run(model, "gauss", "1e-13")["final"]["q"]
        for method in ("auto", "radau"):
            for k in range(4, 9):
                with self.subTest(method=method, k=k):
                    found = run(model, method, f"1e-{k}")["final"]["q"]
                    error = max(abs(x - y) / (1 + abs(y)) for x, y in zip(found, exact))
                    self.assertGreater(-math.log10(error), k - 1.5)

    def test_a_slow_correction_is_not_taken_for_a_rounding_error(self):
        self.assertLess(run(ROOT / "examples/lagrange-top.toml", "radau", "1e-12")["quality"]["energy_drift"], 3e-10)

    def test_what_is_driven_fast_is_where_its_driver_has_it_however_slow_the_rest(self):
        """A crank at W rad/s beside a mass on a soft spring, which alone decides on the error of a step in independent coordinates."""
        out = pathlib.Path(self.scratch) / "out"
        path = self.scratch / "crank.toml"
        path.write_text(CRANK_BESIDE_A_MASS)
        for method in ("auto", "radau", "gauss", "tangent", "svd", "dop853"):
            for speed in (60.0, 100.0, 133.0, 170.0, 300.0):
                for rtol in ("1e-3", "1e-5", "1e-6"):
                    with self.subTest(method=method, speed=speed, rtol=rtol):
                        done = raak("run", str(path), "--set", f"W={speed}", "--rtol", rtol, "--method", method, "--every", "0.0137", "--out", str(out), "--json")
                        document = json.loads(done.stdout)
                        self.assertEqual((document["status"], document["warnings"]), ("ok", []))
                        self.assertLess(document["quality"]["position_residual"], 1e-9)
                        for row in rows_of(out / "result.csv"):
                            angle = speed * float(row["t"])
                            expected = 0.1 * math.cos(angle) + math.sqrt(0.3**2 - (0.1 * math.sin(angle)) ** 2)
                            self.assertAlmostEqual(float(row["q.piston.x"]), expected, delta=3.0 * float(rtol))

    def test_the_direct_radau_methods_follow_a_fast_top_by_its_tolerance(self):
        for method in ("radau9", "radau13"):
            with self.subTest(method):
                self.assertLess(run(ROOT / "examples/heavy-top.toml", method, "1e-6")["statistics"]["steps"], 600)


if __name__ == "__main__":
    unittest.main()
