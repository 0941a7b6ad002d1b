"""Starts that are given in part: what is trusted holds, what is guessed steers, and mechanisms at rest run all the same."""

import json
import math
import unittest

from program import ProgramTest, raak

FREE = """format = "raak/1"
space = "spatial"
[bodies.b]
mass = 2.0
inertia = [0.3, 0.5, 0.6]
com = [0.1, -0.2, 0.3]
points = { P = [1.0, 0.0, 0.0] }
"""
OMEGA, VELOCITY, ROTATION, POSITION = (0.7, -1.1, 2.3), (0.4, 0.5, -0.6), (0.9, -0.4, 1.3), (1.0, -2.0, 3.0)


class StartTest(ProgramTest):
    def start(self, text, *arguments, code=0):
        path = self.scratch / "model.toml"
        path.write_text(text)
        document = self.json("assemble", str(path), *arguments, code=code)
        return (dict(zip(document["names"], document["start"]["q"])), dict(zip(document["names_v"], document["start"]["v"])),
                dict(zip(document["names_v"], document["start"]["a"])), document)

    def vector(self, values, name):
        return [values[f"{name}.{part}"] for part in "xyz"]

    def assert_near(self, found, expected, delta=1e-12):
        self.assertEqual(len(found), len(expected))
        for a, b in zip(found, expected):
            self.assertAlmostEqual(a, b, delta=delta)


class FreeBodies(StartTest):
    def test_rates_of_a_turned_body_are_those_of_the_file_whether_trusted_or_guessed(self):
        for how in ("trust", "guess"):
            for turned in ("trust", "guess"):
                with self.subTest(rates=how, rotation=turned):
                    text = FREE + f'[start.{turned}]\n"b.rotation" = {list(ROTATION)}\n"b.position" = {list(POSITION)}\n'
                    text += (f"[start.{how}]\n" if how != turned else "") + f'"b.omega" = {list(OMEGA)}\n"b.velocity" = {list(VELOCITY)}\n'
                    q, v, _, _ = self.start(text)
                    self.assert_near(self.vector(v, "b.omega"), OMEGA)
                    self.assert_near(self.vector(v, "b.velocity"), VELOCITY)
                    self.assert_near(self.vector(q, "b.position"), POSITION)
                    angle = math.sqrt(sum(x * x for x in ROTATION))
                    self.assertAlmostEqual(q["b.quaternion.w"], math.cos(angle / 2.0), delta=1e-12)
                    self.assert_near(self.vector(q, "b.quaternion"), [math.sin(angle / 2.0) / angle * x for x in ROTATION])

    def test_single_components_hold_too(self):
        q, v, _, _ = self.start(FREE + '[start.trust]\n"b.position.z" = 0.3\n"b.omega.x" = 2.0\n"b.velocity.y" = -1.0\n')
        self.assert_near((q["b.position.z"], v["b.omega.x"], v["b.velocity.y"]), (0.3, 2.0, -1.0))

    def test_a_quaternion_is_a_rotation(self):
        half = (0.5, -0.5, 0.5, 0.5)
        q, v, _, _ = self.start(FREE + f'[start.trust]\n"b.quaternion" = {list(half)}\n"b.omega" = {list(OMEGA)}\n')
        self.assert_near([q[f"b.quaternion.{part}"] for part in "wxyz"], half)
        self.assert_near(self.vector(v, "b.omega"), OMEGA)

    def test_a_turned_body_spins_on_about_its_axis(self):
        """About a principal axis, e_z of the body: in the ground it is the turned axis, and stays it."""
        turn = 0.8  # about x
        axis = (0.0, -math.sin(turn), math.cos(turn))
        text = FREE.replace("com = [0.1, -0.2, 0.3]\n", "") + f'[start.trust]\n"b.rotation" = [{turn}, 0.0, 0.0]\n[start.guess]\n"b.omega" = {[3.0 * x for x in axis]}\n'
        text += '[outputs]\nx = "b.P.x"\ny = "b.P.y"\nz = "b.P.z"\n'
        path = self.scratch / "model.toml"
        path.write_text(text)
        document = json.loads(raak("run", str(path), "--until", "2", "--rtol", "1e-11", "--json").stdout)
        c, s = math.cos(6.0), math.sin(6.0)
        self.assert_near([document["outputs"][name] for name in "xyz"], [c, s * math.cos(turn), s * math.sin(turn)], 1e-8)

    def test_the_accelerations_of_a_spinning_body_with_its_mass_beside_the_origin(self):
        """The centre flies straight: the origin accelerates by -alpha x c - omega x (omega x c)."""
        _, _, a, document = self.start(FREE.replace("inertia = [0.3, 0.5, 0.6]", "inertia = [0.4, 0.4, 0.4]") + f'[start.trust]\n"b.rotation" = [0.0, 0.0, 0.0]\n"b.omega" = {list(OMEGA)}\n')
        self.assert_near(self.vector(a, "b.omega"), (0.0, 0.0, 0.0))
        c, w = (0.1, -0.2, 0.3), OMEGA
        dot = sum(x * y for x, y in zip(c, w))
        square = sum(x * x for x in w)
        self.assert_near(self.vector(a, "b.velocity"), [square * x - dot * y for x, y in zip(c, w)])
        self.assertEqual(document["mobility"], 6)


SCREW = """format = "raak/1"
space = "spatial"
gravity = [0.0, 0.0, -9.81]
[ground.points]
O = [0.0, 0.0, 0.0]
[bodies.nut]
mass = 2.0
inertia = [0.01, 0.01, 0.02]
points = { C = [0.0, 0.0, 0.0] }
[joints]
thread = { type = "screw", pins = ["ground.O", "nut.C"], axes = ["ground.z", "nut.z"], pitch = 0.05 }
[start.trust]
START
"""


class Screws(StartTest):
    PER_RADIAN = 0.05 / (2.0 * math.pi)

    def test_a_trusted_rate_tells_the_other(self):
        for entry, omega in (('"nut.omega" = [0.0, 0.0, 4.0]', 4.0), ('"nut.velocity" = [0.0, 0.0, 0.02]', 0.02 / self.PER_RADIAN), ('"nut.omega.z" = -3.0', -3.0),
                             ('"nut.velocity.z" = -0.01', -0.01 / self.PER_RADIAN)):
            for turned in ("", '"nut.position" = [0.0, 0.0, 0.4]\n"nut.rotation" = [0.0, 0.0, 0.9]\n'):
                with self.subTest(entry, turned=turned):
                    q, v, a, _ = self.start(SCREW.replace("START", turned + entry))
                    self.assert_near(self.vector(v, "nut.omega"), (0.0, 0.0, omega), 1e-11)
                    self.assert_near(self.vector(v, "nut.velocity"), (0.0, 0.0, omega * self.PER_RADIAN), 1e-13)
                    self.assertAlmostEqual(q["nut.position.z"], 0.4 if turned else 0.0, delta=1e-13)
                    fall = -9.81 / (1.0 + 0.02 / 2.0 / self.PER_RADIAN**2)
                    self.assertAlmostEqual(a["nut.velocity.z"], fall, delta=1e-11)
                    self.assertAlmostEqual(a["nut.omega.z"], fall / self.PER_RADIAN, delta=1e-9)

    def test_rates_that_the_thread_does_not_allow_are_refused(self):
        path = self.scratch / "model.toml"
        path.write_text(SCREW.replace("START", '"nut.omega" = [0.0, 0.0, 4.0]\n"nut.velocity" = [0.0, 0.0, -0.02]'))
        self.refused("assemble", str(path), code=3, says=["nut."])
        path.write_text(SCREW.replace("START", '"nut.omega" = [0.0, 1.0, 0.0]'))
        self.refused("assemble", str(path), code=3, says=["nut.omega"])


HANGING = """format = "raak/1"
gravity = [0.0, -9.81]
[ground.points]
O = [0.0, 0.0]
[bodies.rod]
mass = 2.0
inertia = 0.1
com = [0.5, 0.0]
points = { O = [0.0, 0.0] }
[joints]
O = { type = "revolute", pins = ["ground.O", "rod.O"] }
[start.trust]
"rod.angle" = ANGLE
[outputs]
up = "O.force.y"
"""


class AtRest(StartTest):
    def test_a_pendulum_that_hangs_or_stands_is_no_structure(self):
        for angle in ('"-pi/2"', '"pi/2"'):
            with self.subTest(angle):
                path = self.scratch / "model.toml"
                path.write_text(HANGING.replace("ANGLE", angle))
                document = self.json("run", str(path), "--until", "1")
                self.assertEqual(document["status"], "ok")
                self.assertAlmostEqual(document["outputs"]["up"], 2.0 * 9.81, delta=1e-9)
                self.assertAlmostEqual(document["final"]["v"][2], 0.0, delta=1e-9)
                mechanism = self.json("assemble", str(path))["mechanism"]
                self.assertEqual((mechanism["mobility"], mechanism["gruebler"], mechanism["rank"]), (1, 1, 2))

    def test_a_rod_that_is_held_is_a_structure_and_a_driven_one_is_not(self):
        path = self.scratch / "model.toml"
        rod = HANGING.replace("ANGLE", "0.0")
        path.write_text(rod.replace('type = "revolute"', 'type = "fixed"').replace('[start.trust]\n"rod.angle" = 0.0\n', ""))
        self.refused("run", str(path), code=3, says=["structure", "raak assemble"])
        self.assertEqual(self.json("assemble", str(path))["mechanism"]["mobility"], 0)
        path.write_text(rod.replace('[start.trust]\n"rod.angle" = 0.0\n', '[drivers]\nm = { coordinate = "rod.angle", motion = "0.1*t^2" }\n'))
        document = self.json("run", str(path), "--until", "1")
        self.assertAlmostEqual(document["final"]["q"][2], 0.1, delta=1e-12)

    def test_a_structure_carries_its_weight(self):
        """A rod of 1 m held at its end: the weld carries m g and m g l/2."""
        path = self.scratch / "model.toml"
        path.write_text(HANGING.replace("ANGLE", "0.0").replace('type = "revolute"', 'type = "fixed"').replace('up = "O.force.y"', 'up = "O.force.y"\nside = "O.force.x"\nturn = "O.moment"')
                        .replace('[start.trust]\n"rod.angle" = 0.0\n', ""))
        outputs = self.json("assemble", str(path))["outputs"]
        self.assert_near([outputs[name] for name in ("up", "side", "turn")], [2.0 * 9.81, 0.0, 2.0 * 9.81 * 0.5])


RODS = """format = "raak/1"
space = "spatial"
gravity = [0.0, 0.0, -9.81]
[ground.points]
O = [0.0, 0.0, 0.0]
Q = [1.0, 0.5, 0.0]
[bodies.rod]
mass = 1.2
inertia = [0.0, 0.1, 0.1]
com = [0.5, 0.0, 0.0]
points = { O = [0.0, 0.0, 0.0], B = [1.0, 0.0, 0.0], beside = [0.5, 0.1, 0.0], far = [0.5, 1e-10, 0.0] }
[joints]
O = { type = "spherical", pins = ["ground.O", "rod.O"] }
MORE
[start.trust]
"rod.rotation" = [0.0, 0.4, 0.2]
"""


class ThinRods(StartTest):
    def test_what_pulls_beside_the_axis_of_a_rod_without_thickness_is_refused(self):
        for element in ('[forces]\ns = { type = "spring", between = ["ground.Q", "rod.beside"], stiffness = 5.0 }',
                        '[forces]\ns = { type = "force", at = "rod.beside", value = [0.0, 0.0, 1.0] }',
                        '[forces]\ns = { type = "torque", on = "rod", value = [1.0, 0.0, 0.0] }',
                        '[forces]\ns = { type = "bushing", pins = ["ground.Q", "rod.B"], stiffness = 5.0 }',
                        's = { type = "distance", between = ["ground.Q", "rod.beside"], length = 1.0 }',
                        's = { type = "point-on-plane", pins = ["ground.Q", "rod.beside"], axes = ["ground.z"] }',
                        's = { type = "point-on-plane", pins = ["rod.B", "ground.Q"], axes = ["rod.z"] }',
                        '[drivers]\ns = { distance = ["ground.Q", "rod.beside"], motion = "1 + t" }',
                        '[drivers]\ns = { coordinate = "rod.B.z", motion = "0.1*t" }',
                        '[constraints]\ns = { equation = "rod.B.z" }'):
            with self.subTest(element):
                path = self.scratch / "model.toml"
                path.write_text(RODS.replace("MORE", element))
                self.refused("assemble", str(path), code=1, says=["model.toml:9:", '"rod" has no inertia about its own axis', '"s"'])

    def test_what_pulls_on_the_axis_moves_it_as_a_rod_of_any_thickness(self):
        for element in ('[forces]\ns = { type = "spring", between = ["ground.Q", "rod.B"], stiffness = 5.0, damping = 0.3 }',
                        '[forces]\ns = { type = "spring", between = ["ground.Q", "rod.far"], stiffness = 5.0 }',
                        '[forces]\ns = { type = "force", at = "rod.B", value = [0.0, 2.0, 1.0] }',
                        '[drivers]\ns = { distance = ["ground.Q", "rod.B"], motion = "LENGTH + 0.1*t^2" }',
                        's = { type = "distance", between = ["ground.Q", "rod.B"], length = LENGTH }'):
            with self.subTest(element):
                far = self.start(RODS.replace("MORE", "") + '[outputs]\nd = "sqrt((rod.B.x - 1)^2 + (rod.B.y - 0.5)^2 + rod.B.z^2)"\n')[3]["outputs"]["d"]
                text = RODS.replace("MORE", element.replace("LENGTH", repr(far)))
                q, _, a, _ = self.start(text)
                thick, _, b, _ = self.start(text.replace("[0.0, 0.1, 0.1]", "[0.15, 0.1, 0.1]"))
                self.assert_near(list(q.values()), list(thick.values()), 1e-9)
                # What it turns about itself has no influence on its end.
                self.assert_near(self.end_acceleration(q, a), self.end_acceleration(thick, b), 1e-8)

    def end_acceleration(self, q, a):
        w, x, y, z = (q[f"rod.quaternion.{part}"] for part in "wxyz")
        end = (w * w + x * x - y * y - z * z, 2.0 * (x * y + w * z), 2.0 * (x * z - w * y))
        alpha = self.vector(a, "rod.omega")
        return [alpha[1] * end[2] - alpha[2] * end[1], alpha[2] * end[0] - alpha[0] * end[2], alpha[0] * end[1] - alpha[1] * end[0]]


if __name__ == "__main__":
    unittest.main()
