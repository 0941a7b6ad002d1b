"""Runs that cannot go on say why: forces that feed on what they drive, dampers backwards in time, jumps of drivers."""

import cmath
import math
import unittest

from failing import FOUR_BAR, FailingTest

CART = """format = "raak/1"
[ground.points]
O = [0, 0]
[bodies.cart]
type = "point"
mass = 2.0
[joints]
rail = { type = "slot", pins = ["ground.O", "cart"], axes = ["ground.x"] }
[forces]
push = { type = "force", at = "cart", value = ["LAW", 0] }
[start]
trust = { "cart.x" = 0.0, "cart.vx" = 3.0 }
"""

DAMPED = """format = "raak/1"
[ground.points]
O = [0, 0]
[bodies.wheel]
mass = 1.0
inertia = 0.01
points = { O = [0, 0] }
[joints]
O = { type = "revolute", pins = ["ground.O", "wheel.O"] }
[forces]
brake = { type = "torsion-spring", bodies = ["ground", "wheel"], stiffness = 1.0, damping = DAMPING }
[start]
trust = { "wheel.angle" = 0.3, "wheel.omega" = 0.0 }
"""

MOTOR = """format = "raak/1"
[ground.points]
O = [0, 0]
[bodies.wheel]
mass = 1.0
inertia = 0.01
points = { O = [0, 0] }
[joints]
O = { type = "revolute", pins = ["ground.O", "wheel.O"] }
[drivers]
motor = { coordinate = "wheel.angle", motion = "MOTION" }
"""


class Diagnoses(FailingTest):
    def test_a_driver_whose_own_motion_has_no_bounds_is_named(self):
        for motion in ("1/(1-t)", "tan(1.5*t)"):
            with self.subTest(motion=motion):
                found = self.failed(self.model(MOTOR, MOTION=motion), "--until", "2")
                self.assertIn('driver "motor" prescribes a motion that grows without bound (the velocity of "wheel.angle" has grown to', found["message"])
                self.assertIn('check the motion of "motor"', found["message"])
                self.assertNotIn("forces", found["message"])

    def test_a_force_that_feeds_on_the_velocity_it_drives_is_named(self):
        words = {2: "with the square of the velocity", 3: "with the cube of the velocity", 1.5: "with the velocity to the power of 1.5"}
        for power, text in words.items():
            with self.subTest(power=power):
                law = f"0.5*cart.vx*abs(cart.vx)^{power - 1}"
                path = self.model(CART, LAW=law)
                found = self.failed(path, "--until", "1e3")
                # v' = c v^p, c = 0.25: no value beyond t = v0^(1-p) / (c (p - 1))
                pole = 3.0 ** (1 - power) / (0.25 * (power - 1))
                self.assertEqual(found["diagnosis"]["cause"], "blow-up")
                self.assertIn(f'the force "push" grows {text}', found["message"])
                self.assertIn("diverges", found["message"])
                self.assertAlmostEqual(found["final"]["t"], pole, delta=1e-3 * pole)
                self.assertNotIn("prescribes", found["message"])
                self.assertIn('the force "push" grows', self.json("explain", path, "--until", "1e3")["message"])

    def test_a_force_that_feeds_on_the_position_it_drives_is_named(self):
        # x'' = c x^r from x = 1 with v^2 = 2 c / (r + 1) x^(r + 1): no value beyond t = 2 / ((r - 1) v0)
        for power, text in ((2, "with the square of the position"), (3, "with the cube of the position")):
            with self.subTest(power=power):
                c = 4.5 * (power + 1)
                path = self.model(CART.replace('"cart.x" = 0.0', '"cart.x" = 1.0'), LAW=f"{2 * c}*cart.x^{power}")
                found = self.failed(path, "--until", "1e3")
                pole = 2.0 / ((power - 1) * 3.0)
                self.assertEqual(found["diagnosis"]["cause"], "blow-up")
                self.assertIn(f'the force "push" grows {text}', found["message"])
                self.assertIn("diverges", found["message"])
                self.assertIn('check the sign of "push"', found["message"])
                self.assertAlmostEqual(found["final"]["t"], pole, delta=1e-3 * pole)
        found = self.failed(self.model(CART, LAW="8*cart.x"), "--until", "100")
        self.assertIn('the force "push" grows in proportion to the position it drives and feeds it, so that it grows exponentially', found["message"])
        both = self.failed(self.model(CART, LAW="2*cart.x*cart.vx"), "--until", "100")
        self.assertIn("in proportion to the velocity it acts along and in proportion to the position", both["message"])
        self.assertIn("diverges", both["message"])

    def test_one_that_grows_in_proportion_grows_exponentially(self):
        found = self.failed(self.model(CART, LAW="2*cart.vx"), "--until", "100")
        self.assertIn('the force "push" grows in proportion to the velocity', found["message"])
        self.assertIn("exponentially", found["message"])

    def test_a_drag_is_not_blamed(self):
        for law in ("-0.5*cart.vx*abs(cart.vx)", "1.0", "sin(t)"):
            self.assertEqual(self.json("run", self.model(CART, LAW=law), "--until", "10")["status"], "ok")

    def test_dampers_make_a_run_backwards_ill_posed(self):
        for damping, until in ((2.0, -1.0), (0.5, -5.0)):  # 1/s: damping / 0.01
            with self.subTest(damping=damping):
                # The wheel as it comes from long before, when what dies out fast has died out.
                slow = 50.0 * damping - math.sqrt(2500.0 * damping**2 - 100.0)
                path = self.model(DAMPED.replace('omega" = 0.0', f'omega" = {-0.3 * slow!r}'), DAMPING=damping)
                found = self.failed(path, "--until", str(until))
                self.assertEqual(found["diagnosis"]["cause"], "ill-posed")
                for words in ("ill-posed", '"brake"', "run forwards"):
                    self.assertIn(words, found["message"])
                self.assertLess(found["statistics"]["steps"], 100)
                self.assertEqual(self.json("explain", path, "--until", str(until))["cause"], "ill-posed")

    def test_a_wheel_that_rests_has_no_past_to_be_found(self):
        path = self.model(DAMPED.replace("0.3", "0.0"), DAMPING=0.02)
        self.assertEqual(self.failed(path, "--until", "-100")["diagnosis"]["cause"], "ill-posed")

    def test_a_motion_that_grows_as_its_errors_do_keeps_its_digits(self):
        # x'' + 2 d x' + w^2 x = 0, damped weakly, critically or strongly, from an angle of 0.3 rad at rest.
        for damping, until in ((0.02, -60.0), (0.001, -1000.0), (0.2 * math.sqrt(0.99999), -8.0), (2.0, -1.0)):
            with self.subTest(damping=damping):
                d = complex(50.0 * damping)
                f = (100.0 - d * d) ** 0.5
                want = (0.3 * cmath.exp(-d * until) * (cmath.cos(f * until) + d / f * cmath.sin(f * until))).real
                document = self.json("run", self.model(DAMPED, DAMPING=damping), "--until", str(until), "--rtol", "1e-10")
                found = dict(zip(document["names"], document["final"]["q"]))["wheel.angle"]
                size = max(abs(want), 0.0 if f.imag else 0.3 * math.exp(-d.real * until))  # of a vibration its amplitude
                self.assertGreater(size, 1e12)
                self.assertAlmostEqual(found / size, want / size, delta=1e-5)

    def test_little_damping_is_undone_backwards(self):
        path = self.model(DAMPED, DAMPING=0.02)  # 1 1/s
        s, f = 1.0, math.sqrt(100.0 - 1.0)
        want = 0.3 * math.exp(2.0 * s) * (math.cos(2.0 * f) - s / f * math.sin(2.0 * f))
        document = self.json("run", path, "--until", "-2", "--rtol", "1e-10")
        self.assertAlmostEqual(dict(zip(document["names"], document["final"]["q"]))["wheel.angle"], want, delta=1e-7)

    def test_the_branch_cut_of_atan2_in_a_driver_is_named_and_no_singular_configuration(self):
        for driver in ('{ coordinate = "crank.angle", motion = "atan2(sin(SPEED*t), cos(SPEED*t))" }', '{ coordinate = "atan2(crank.A.y, crank.A.x)", motion = "SPEED*t" }'):
            text = FOUR_BAR.replace('{ coordinate = "crank.angle", motion = "SPEED*t" }', driver)
            path = self.model(text, LA=1.0, LB=3.0, LC=2.5, LD=3.0, SPEED=2.0, MASS=1.0, INERTIA=0.1)
            with self.subTest(driver=driver):
                found = self.failed(path, "--until", "3")
                self.assertAlmostEqual(found["final"]["t"], 0.5 * math.pi, delta=1e-4)
                self.assertNotIn("singular", found["message"])
                for words in ('"motor"', "jumps by 6.28319 (1 turn)", "atan2", "branch cut"):
                    self.assertIn(words, found["message"])


if __name__ == "__main__":
    unittest.main()
