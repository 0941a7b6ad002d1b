"""Runs that cannot go on say why: locked mechanisms, forces that feed on what they drive, dampers backwards in time."""

import cmath
import math
import unittest

from program import ProgramTest, raak

FOUR_BAR = """format = "raak/1"
gravity = [0, -9.81]
[ground.points]
O2 = [0, 0]
O4 = [LD, 0]
[bodies.crank]
mass = MASS
inertia = INERTIA
points = { O2 = [0, 0], A = [LA, 0] }
[bodies.coupler]
mass = MASS
inertia = INERTIA
points = { A = [0, 0], B = [LB, 0] }
[bodies.rocker]
mass = MASS
inertia = INERTIA
points = { O4 = [0, 0], B = [LC, 0] }
[joints]
O2 = { type = "revolute", pins = ["ground.O2", "crank.O2"] }
A = { type = "revolute", pins = ["crank.A", "coupler.A"] }
B = { type = "revolute", pins = ["coupler.B", "rocker.B"] }
O4 = { type = "revolute", pins = ["ground.O4", "rocker.O4"] }
[drivers]
motor = { coordinate = "crank.angle", motion = "SPEED*t" }
"""

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


class Diagnoses(ProgramTest):
    def model(self, text, **values):
        for name, value in values.items():
            text = text.replace(name, str(value))
        path = self.scratch / "model.toml"
        path.write_text(text)
        return str(path)

    def failed(self, path, *arguments):
        """The run fails; it, its JSON and `explain` say the same."""
        done = raak("run", path, *arguments)
        self.assertEqual(done.returncode, 3, done.stdout + done.stderr)
        document = self.json("run", path, *arguments, code=3)
        self.assertIn(document["message"], done.stderr)
        return document

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
