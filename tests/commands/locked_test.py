"""Mechanisms that are locked say where, and which links are in line."""

import math
import unittest

from failing import FOUR_BAR, FailingTest
from program import raak

TWO_LINKS = """format = "raak/1"
gravity = [0, GRAVITY]
[ground.points]
O = [0, 0]
[bodies.upper]
mass = 1.0
inertia = INERTIA
points = { O = [0, 0], A = [LA, 0] }
[bodies.lower]
mass = 1.0
inertia = INERTIA
points = { A = [0, 0], B = [LB, 0] }
[joints]
O = { type = "revolute", pins = ["ground.O", "upper.O"] }
A = { type = "revolute", pins = ["upper.A", "lower.A"] }
[drivers]
pull = { distance = ["ground.O", "lower.B"], motion = "MOTION" }
[start]
trust = { "upper.angle" = 0.3, "upper.omega" = 0.0 }
[start.guess]
"lower.angle" = -1.0
"""

SPATIAL_PULL = """format = "raak/1"
space = "spatial"
gravity = [0, 0, -9.81]
[ground.points]
O = [0, 0, 0]
[bodies.upper]
mass = 1.0
inertia = [0.01, 0.1, 0.1]
points = { O = [0, 0, 0], A = [1, 0, 0] }
[bodies.lower]
mass = 1.0
inertia = [0.01, 0.1, 0.1]
points = { A = [0, 0, 0], B = [1, 0, 0] }
[joints]
O = { type = "revolute", pins = ["ground.O", "upper.O"], axes = ["ground.y", "upper.y"] }
A = { type = "revolute", pins = ["upper.A", "lower.A"], axes = ["upper.y", "lower.y"] }
[drivers]
pull = { distance = ["ground.O", "lower.B"], motion = "1+t" }
[start]
trust = { "upper.rotation" = [0.0, 0.3, 0.0], "upper.omega" = [0.0, 0.0, 0.0] }
[start.guess]
"lower.rotation" = [0.0, -1.0, 0.0]
"lower.position" = [0.95, 0.0, -0.3]
"""


class Locked(FailingTest):
    def lock_angle(self, a, b, c, d):
        """Of the crank where coupler and rocker are in line: the law of cosines."""
        return math.acos((a * a + d * d - (b + c) ** 2) / (2.0 * a * d))

    def test_a_four_bar_that_cannot_turn_on_is_locked_where_two_links_are_in_line(self):
        for a, b, c, d in ((0.04, 0.12, 0.03, 0.14), (1.0, 1.5, 1.0, 2.2), (2.0, 1.2, 1.4, 1.0)):
            for size in (1e-3, 1.0, 1e3):
                for method in ("auto", "dop853", "radau5"):
                    with self.subTest(links=(a, b, c, d), size=size, method=method):
                        path = self.model(FOUR_BAR, LA=a * size, LB=b * size, LC=c * size, LD=d * size, SPEED=2.0, MASS=1.0, INERTIA=0.1 * (a * size) ** 2)
                        angle = self.lock_angle(a, b, c, d)
                        found = self.failed(path, "--until", "3", "--method", method)
                        self.assertEqual(found["diagnosis"]["cause"], "locked")
                        self.assertIn(f"locked at t = {angle / 2.0:.4f}"[:-1], found["message"])
                        self.assertIn(f"({math.degrees(angle):.1f} degrees)", found["message"])
                        self.assertIn('"coupler" and "rocker" are in line (joints "A", "B" and "O4")', found["message"])
                        self.assertIn('"motor" cannot go on', found["message"])
        explained = self.json("explain", path, "--until", "3")
        self.assertEqual(explained["cause"], "locked")
        self.assertIn("are in line", explained["message"])

    def test_it_is_locked_whatever_moves_beside_it(self):
        """Bodies that swing beside it, so many that the mechanism is evaluated element by element and has sparse matrices only."""
        a, b, c, d = 0.04, 0.12, 0.03, 0.14
        angle = self.lock_angle(a, b, c, d)
        for others, mass, inertia in ((40, 1.0, 1.6e-4), (100, 0.2, 2e-4), (205, 1.0, 1.6e-4), (205, 0.2, 2e-4), (500, 1.0, 1.6e-4)):
            with self.subTest(others=others, mass=mass):
                text = FOUR_BAR
                for i in range(others):
                    text = text.replace("[joints]\n", f"[bodies.w{i}]\nmass = 1.0\ninertia = 0.01\ncom = [0.1, 0]\npoints = {{ O = [0, 0] }}\n[joints]\nj{i} = {{ type = \"revolute\", pins = [\"ground.O2\", \"w{i}.O\"] }}\n")
                path = self.model(text, LA=a, LB=b, LC=c, LD=d, SPEED=2.0, MASS=mass, INERTIA=inertia)
                found = self.failed(path, "--until", "3")
                self.assertEqual(found["diagnosis"]["cause"], "locked")
                self.assertIn(f"locked at t = {angle / 2.0:.4f}"[:-1], found["message"])
                self.assertIn('"coupler" and "rocker" are in line (joints "A", "B" and "O4")', found["message"])
        self.assertIn("are in line", self.json("explain", path, "--until", "3")["message"])

    def test_what_passes_a_position_by_a_hair_is_not_locked(self):
        """Coupler and rocker are longer by a little than they have to be where the crank points away from O4."""
        a, b, d = 0.04, 0.12, 0.14
        for margin in (1e-3, 1e-5, 1e-7):
            with self.subTest(margin=margin):
                path = self.model(FOUR_BAR, LA=a, LB=b, LC=(a + d) * (1.0 + margin) - b, LD=d, SPEED=2.0, MASS=1.0, INERTIA=1e-4)
                self.assertEqual(self.json("run", path, "--until", "3")["status"], "ok")
                done = raak("run", path, "--until", "100")  # by so little that the other branch is near it in the end
                self.assertNotIn("locked", done.stderr)

    def test_so_many_links_in_space_are_locked_too(self):
        """A slider on a crank too short for the driver that pulls it, beside balls on strings."""
        for others in (40, 100):
            with self.subTest(others=others):
                text = SPATIAL_PULL
                for i in range(others):
                    text = text.replace("[joints]\n", f"[bodies.w{i}]\nmass = 1.0\ninertia = [0.01, 0.01, 0.01]\ncom = [0.1, 0, 0]\npoints = {{ O = [0, 0, 0] }}\n[joints]\nj{i} = {{ type = \"spherical\", pins = [\"ground.O\", \"w{i}.O\"] }}\n")
                found = self.failed(self.model(text), "--until", "2")
                self.assertEqual(found["diagnosis"]["cause"], "locked", found["message"])
                self.assertIn("locked at t = 1 s of 2 s", found["message"])
                self.assertIn('"upper" and "lower"', found["message"])

    def test_links_that_a_driver_stretches_are_locked_where_they_are_in_line(self):
        for a, b in ((1.0, 1.0), (1.3, 0.7)):
            for size in (1e-3, 1.0, 1e3):
                for method in ("auto", "dop853", "radau5"):
                    with self.subTest(links=(a, b), size=size, method=method):
                        path = self.model(TWO_LINKS, LA=a * size, LB=b * size, INERTIA=0.1 * size**2, GRAVITY=-9.81 * size, MOTION=f"{size!r}*(1+t)")
                        found = self.failed(path, "--until", "2", "--method", method)
                        self.assertEqual(found["diagnosis"]["cause"], "locked")
                        self.assertIn(f'locked at t = 1 s of 2 s, with driver "pull" at {2 * size:g} m', found["message"])
                        self.assertIn('"upper" and "lower" are in line (joints "O" and "A")', found["message"])
                        self.assertIn('"pull" cannot go on', found["message"])

    def test_a_driver_that_lets_them_go_before_that_does_not_lock_them(self):
        path = self.model(TWO_LINKS, LA=1.0, LB=1.0, INERTIA=0.1, GRAVITY=-9.81, MOTION="1+0.9*sin(t)")
        self.assertEqual(self.json("run", path, "--until", "6")["status"], "ok")

    def test_one_that_turns_freely_or_turns_back_is_not(self):
        whole = self.model(FOUR_BAR, LA=1.0, LB=3.0, LC=2.5, LD=3.0, SPEED=2.0, MASS=1.0, INERTIA=0.1)
        self.assertEqual(self.json("run", whole, "--until", "6")["status"], "ok")
        back = self.model(FOUR_BAR.replace("SPEED*t", "1.5*sin(t)"), LA=0.04, LB=0.12, LC=0.03, LD=0.14, MASS=1.0, INERTIA=1e-4)
        self.assertEqual(self.json("run", back, "--until", "6")["status"], "ok")


if __name__ == "__main__":
    unittest.main()
