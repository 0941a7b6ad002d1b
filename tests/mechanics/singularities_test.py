"""Runs that start in, and pass, configurations where constraint rows are dependent for a moment (IFToMM benchmark A02)."""

import math
import re
import unittest

from program import ROOT, ProgramTest, raak


def pendulum_angle(linkages, angle, omega, until):
    """All cranks as one pendulum, by the classical Runge-Kutta method in small steps; angle from the horizontal."""
    mass = linkages + 1.0
    rate = 9.81 * (mass / 2 + linkages) / (mass / 3 + linkages)
    steps = 10000
    h = until / steps
    q, v = angle, omega
    for _ in range(steps):
        a1 = -rate * math.cos(q)
        a2 = -rate * math.cos(q + 0.5 * h * v)
        a3 = -rate * math.cos(q + 0.5 * h * v + 0.25 * h * h * a1)
        a4 = -rate * math.cos(q + h * v + 0.5 * h * h * a2)
        q += h * v + h * h * (a1 + a2 + a3) / 6
        v += h * (a1 + 2 * a2 + 2 * a3 + a4) / 6
    return q


CRANK_IN_SLOT = """format = "raak/1"
gravity = [9.81, -1.0]
[ground.points]
A = [0.0, 0.0]
[bodies.a]
mass = 1.0
inertia = 0.0833
com = [0.5, 0.0]
points = { P = [0.0, 0.0], Q = [1.0, 0.0] }
[bodies.b]
mass = 1.0
inertia = 0.0833
com = [0.5, 0.0]
points = { P = [0.0, 0.0], Q = [1.0, 0.0] }
[bodies.c]
type = "point"
mass = 1.0
[joints]
A = { type = "revolute", pins = ["ground.A", "a.P"] }
B = { type = "revolute", pins = ["a.Q", "b.P"] }
S = { type = "slot", pins = ["ground.A", "c"], axes = ["ground.x"] }
C = { type = "revolute", pins = ["b.Q", "c"] }
[start]
trust = { "a.angle" = 2.2, "a.omega" = 0.0 }
guess = { "b.angle" = -2.2 }
[runs.default]
until = 3.0
"""


class NFourBar(ProgramTest):
    def linkages(self, count, start):
        """The file of raak new n-four-bar with another start."""
        path = self.scratch / f"n{count}.toml"
        path.unlink(missing_ok=True)
        self.assertEqual(raak("new", "n-four-bar", "--count", str(count), "--out", str(path)).returncode, 0)
        path.write_text(path.read_text().split("[start]")[0] + "[start.trust]\n" + start + "[runs.default]\nuntil = 3.0\n")
        return str(path)

    def in_singularity(self, count, omega):
        """All bars on one line, the cranks turning alike."""
        start = "".join(f'"crank{i}.angle" = 0.0\n"crank{i}.omega" = {omega}\n' for i in range(count + 1))
        start += "".join(f'"coupler{i}.angle" = 0.0\n"coupler{i}.omega" = 0.0\n' for i in range(1, count + 1))
        return self.linkages(count, start)

    def expect_cranks(self, document, count, angle, within):
        self.assertEqual(document["status"], "ok", document["message"])
        final = dict(zip(document["names"], document["final"]["q"]))
        for i in range(count + 1):
            self.assertAlmostEqual(final[f"crank{i}.angle"], angle, delta=within)

    def test_a_start_in_the_singularity_passes_the_next_ones_on_its_branch(self):
        for count in (1, 18, 20, 28, 37):
            angle = pendulum_angle(count, 0.0, -4.0, 3.0)
            path = self.in_singularity(count, -4.0)
            for rtol in ("1e-6", "1e-9", "1e-10"):
                self.expect_cranks(self.json("run", path, "--rtol", rtol), count, angle, 1e-6)

    def test_a_start_shortly_before_the_singularity_passes_it_on_its_branch(self):
        for count in (1, 2, 10):
            for before in (0.05, 0.02, 0.005, 1e-3, 1e-4):
                guess = "".join(f'"crank{i}.angle" = {before}\n"coupler{i}.angle" = 0.0\n' for i in range(1, count + 1))
                path = self.linkages(count, f'"crank0.angle" = {before}\n"crank0.omega" = -4.0\n[start.guess]\n' + guess)
                angle = pendulum_angle(count, before, -4.0, 3.0)
                for rtol in ("1e-6", "1e-8", "1e-10"):
                    self.expect_cranks(self.json("run", path, "--rtol", rtol), count, angle, 1e-4)

    def test_methods_that_cannot_pass_a_singularity_are_helped_over_it(self):
        every = ("gauss", "radau", "dop853", "dopri5", "adams", "svd", "svd-dop853", "bdf", "radau5", "radau9")
        for count, methods in ((1, every), (2, every), (40, every[:2])):
            upright = "".join(f'"crank{i}.angle" = "pi/2"\n"coupler{i}.angle" = 0.0\n' for i in range(1, count + 1))
            path = self.linkages(count, '"crank0.angle" = "pi/2"\n"crank0.omega" = -1.0\n[start.guess]\n' + upright)
            angle = pendulum_angle(count, math.pi / 2, -1.0, 3.0)
            for method in methods:
                document = self.json("run", path, "--method", method, "--rtol", "1e-8")
                self.expect_cranks(document, count, angle, 1e-5)
                self.assertIn(document["method"], (method, method + "+tangent"))

    def test_loose_tolerances_keep_their_digits_through_singularities(self):
        for count in (1, 2):
            example = str(ROOT / f"examples/n-four-bar-{count}.toml")
            self.assertGreater(self.json("run", example, "--rtol", "1e-4")["quality"]["scd"], 2.5)

    def test_many_singularities_at_tight_tolerances_cost_few_digits_and_steps_and_are_reported(self):
        example = str(ROOT / "examples/n-four-bar-40.toml")
        for method in ("gauss", "radau"):
            for rtol in ("1e-11", "1e-12"):
                document = self.json("run", example, "--method", method, "--rtol", rtol)
                self.assertGreater(document["quality"]["scd"], 7.2, (method, rtol))
                self.assertLess(document["statistics"]["steps"], 160, (method, rtol))
                self.assertEqual(len(document["singular_poses"]), 10)
                self.assertIn("10 singular configurations left the energy off by", " ".join(document["warnings"]))
        self.assertEqual(self.json("run", example, "--rtol", "1e-8")["warnings"], [])

    def test_auto_is_never_twice_as_slow_as_a_method_that_steps_over_singularities(self):
        for name in ("n-four-bar-1", "n-four-bar-2", "n-four-bar-singular"):
            for rtol in ("1e-3", "1e-4", "1e-6"):
                work = {method: self.json("run", str(ROOT / f"examples/{name}.toml"), "--method", method, "--rtol", rtol)
                        ["statistics"]["evaluations"] for method in ("auto", "gauss", "radau")}
                self.assertLess(work["auto"], 2 * min(work["gauss"], work["radau"]), (name, rtol))

    def test_every_method_starts_in_the_singularity(self):
        angle = pendulum_angle(1, 0.0, -4.0, 3.0)
        path = self.in_singularity(1, -4.0)
        methods = {row["name"] for row in self.json("list", "methods")} - {"generalized-alpha"}  # it stops at the next one
        self.assertGreaterEqual(len(methods), 14)
        for method in sorted(methods):
            self.expect_cranks(self.json("run", path, "--method", method, "--rtol", "1e-6"), 1, angle, 1e-3)

    def test_a_start_at_rest_in_the_singularity_says_that_nothing_tells_the_motion(self):
        self.refused("run", self.in_singularity(2, 0.0), code=3, says=["at rest in a singular configuration", "nothing decides which"])

    def on_one_line(self, count, angle, rates):
        guess = "".join(f'"crank{i}.angle" = "{angle}"\n"coupler{i}.angle" = 0.0\n' for i in range(1, count + 1))
        return self.linkages(count, f'"crank0.angle" = "{angle}"\n{rates}[start.guess]\n{guess}')

    def test_one_rate_tells_the_motion_where_only_one_has_it(self):
        for count in (1, 2, 12, 20, 40):
            document = self.json("run", self.on_one_line(count, "0", '"crank0.omega" = -4.0\n'), "--rtol", "1e-9")
            self.expect_cranks(document, count, pendulum_angle(count, 0.0, -4.0, 3.0), 1e-6)

    def test_rates_of_several_motions_are_distinguished(self):
        for count in (1, 3):
            path = self.on_one_line(count, "pi", '"crank0.omega" = -4.0\n')
            self.refused("run", path, code=3, says=["two motions or more cross", '"crank1.omega" = ', "trust one of these rates"])

    def test_rates_that_lead_to_no_motion_name_the_joints_that_would_open(self):
        path = self.on_one_line(2, "0", '"crank0.omega" = -4.0\n"crank1.omega" = -3.0\n')
        self.refused("run", path, code=3, says=["several motions cross", "A0, A1, A2, B0, B1, B2 would open", "give the rates of all bodies"])
        path = self.on_one_line(6, "0", '"crank0.omega" = -4.0\n"crank1.omega" = -3.0\n')
        said = self.refused("run", path, code=3, says=["several motions cross"])
        first, more = re.search(r"none of them: (.*) and (\d+) more would open", said).groups()
        self.assertEqual(len(set(first.split(", "))), 8, said)
        self.assertGreater(int(more), 0)


class CrankInSlot(ProgramTest):
    # Crank and rod of one length whose end a slot guides: its only row vanishes where both stand upright.
    def test_the_only_row_may_vanish(self):
        path = self.scratch / "slot.toml"
        path.write_text(CRANK_IN_SLOT)
        found = [self.json("run", str(path), "--method", method, "--rtol", "1e-9")["final"]["q"][2]
                 for method in ("auto", "gauss", "radau", "dop853")]
        for angle in found:
            self.assertAlmostEqual(angle, 2.17792, places=4)
        for rtol in ("1e-6", "1e-8", "1e-10"):
            document = self.json("run", str(path), "--rtol", rtol)
            self.assertAlmostEqual(document["final"]["q"][2], found[0], places=4)
            self.assertLess(document["statistics"]["steps"], 80)
            self.assertEqual(document["singular_poses"][0]["joints"], ["S"])


if __name__ == "__main__":
    unittest.main()
