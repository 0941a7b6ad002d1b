"""Torsion springs in space whose axes no joint keeps parallel: they know no directions of the ground, tilt through right angles, keep
the energy, and end a run by name where their axes are opposite."""

import json
import math
import re
import unittest

import turned
from force_keys_test import FORCES
from program import ProgramTest, raak
from two_bodies import Bodies, add, cross, dot, times

JOINTS = {
    "spherical": '{ type = "spherical", pins = ["a.P", "b.O"] }',
    "universal": '{ type = "universal", pins = ["a.P", "b.O"], axes = ["a.x", "b.y"] }',
    "point-on-plane": '{ type = "point-on-plane", pins = ["a.P", "b.O"], axes = ["a.x"] }',
    "point-on-line": '{ type = "point-on-line", pins = ["a.P", "b.O"], axes = ["a.x"] }',
}


def swinging(joint, axes="z", damping=0.0):
    """A body that flies round on a hinge and whirls a second one about."""
    return f"""format = "raak/1"
space = "spatial"
gravity = [1.0, -2.0, -5.0]
[ground.points]
O = [0.0, 0.0, 0.0]
S = [1.0, 1.0, 0.0]
[bodies.a]
mass = 2.0
inertia = [0.3, 0.4, 0.2]
com = [0.1, 0.0, 0.3]
points = {{ O = [0.0, 0.0, 0.0], P = [0.0, 0.0, 0.5] }}
[bodies.b]
mass = 1.0
inertia = [0.1, 0.2, 0.15]
com = [0.0, 0.1, 0.2]
points = {{ O = [0.0, 0.0, 0.0], Q = [0.0, 0.3, 0.4] }}
[joints]
j1 = {{ type = "revolute", pins = ["ground.O", "a.O"], axes = ["ground.z", "a.z"] }}
j2 = {JOINTS[joint]}
[forces]
ts = {{ type = "torsion-spring", axes = ["a.{axes}", "b.{axes}"], stiffness = 2.0, damping = {damping}, angle = 0.2 }}
s = {{ type = "spring", between = ["ground.S", "b.Q"], stiffness = 15.0, length = 0.3 }}
[start.trust]
"a.quaternion" = [1.0, 0.0, 0.0, 0.0]
"b.quaternion" = [1.0, 0.0, 0.0, 0.0]
"a.omega" = [0.0, 0.0, 9.0]
"""


def on_ball(omega, quaternion=(1.0, 0.0, 0.0, 0.0), angle=0.0, stiffness=2.0, axis=(0.0, 0.0, 1.0), there=(0.0, 0.0, 1.0)):
    return f"""format = "raak/1"
space = "spatial"
[ground.points]
O = [0.0, 0.0, 0.0]
[ground.axes]
n = {list(axis)}
[bodies.b]
mass = 1.0
inertia = [1.0, 1.0, 1.0]
points = {{ O = [0.0, 0.0, 0.0] }}
axes = {{ n = {list(there)} }}
[joints]
j = {{ type = "spherical", pins = ["ground.O", "b.O"] }}
[forces]
ts = {{ type = "torsion-spring", axes = ["ground.n", "b.n"], stiffness = {stiffness}, angle = {angle} }}
[start.trust]
"b.quaternion" = {list(quaternion)}
"b.omega" = {list(omega)}
"""


class TiltedSprings(ProgramTest):
    def written(self, text):
        path = self.scratch / "model.toml"
        path.write_text(text)
        return str(path)

    def run_of(self, text, *arguments):
        done = raak("run", self.written(text), "--rtol", "1e-10", "--json", *arguments)
        document = json.loads(done.stdout)
        self.assertEqual(document["status"], "ok", document["message"])
        return document

    def test_a_body_on_a_ball_moves_alike_wherever_the_axis_of_its_spring_points(self):
        omega = [0.8, 0.3, 1.0]
        plain = self.run_of(on_ball(omega), "--until", "3")
        self.assertLess(abs(plain["quality"]["energy_drift"]), 1e-7)
        expected = plain["final"]["v"][3:6]
        for seed in range(5):
            axis, angle = turned.random_turn(seed)
            R = turned.rotation(axis, angle)
            n = turned.apply(R, [0.0, 0.0, 1.0])
            found = self.run_of(on_ball(turned.apply(R, omega), axis=n, there=n), "--until", "3")["final"]["v"][3:6]
            self.assertLess(math.dist(found, turned.apply(R, expected)), 1e-8)

    def test_every_force_between_two_bodies_turns_with_them(self):
        for seed, ((name, space, key), (force, _)) in enumerate(FORCES.items()):
            if space == "planar" or "b.P.vx" in force:  # a formula that speaks of a direction of the ground
                continue
            with self.subTest(name, key=key):
                path = self.written(Bodies(False).text() + f"[forces]\nf = {{ {force} }}\n")
                model = json.loads(raak("convert", path, "--out", "-").stdout)
                start = turned.start_of(json.loads(raak("assemble", path, "--json").stdout))
                axis, angle = turned.random_turn(seed)
                plain = self.run_of(turned.text_of(turned.bare(model, start)), "--until", "0.5")
                whole = self.run_of(turned.text_of(turned.turned(model, start, axis, angle)), "--until", "0.5")
                what, difference = max(turned.differences(plain, whole, axis, angle), key=lambda pair: pair[1])
                self.assertLess(difference, 1e-8, what)

    def test_axes_that_tilt_through_right_angles_keep_the_energy_and_turn_with_the_model(self):
        for joint in JOINTS:
            # A damper of the twist leads axes that swing over right through where they are opposite: end before that.
            for damping, until in ((0.0, "1"), (0.1, "0.5")):
                with self.subTest(joint, damping=damping):
                    text = swinging(joint, damping=damping)
                    path = self.written(text)
                    model = json.loads(raak("convert", path, "--out", "-").stdout)
                    start = turned.start_of(json.loads(raak("assemble", path, "--json").stdout))
                    plain = self.run_of(turned.text_of(turned.bare(model, start)), "--until", until)
                    self.assertLess(abs(plain["quality"]["energy_drift"]), 1e-6)
                    self.assertEqual(plain["singular_poses"], [])
                    axis, angle = turned.random_turn(len(joint))
                    whole = self.run_of(turned.text_of(turned.carried(model, start, axis, 0.0, angle)), "--until", until)
                    what, difference = max(turned.differences(plain, whole, axis, angle), key=lambda pair: pair[1])
                    self.assertLess(difference, 1e-5, what)

    def test_axes_that_come_to_be_opposite_end_the_run_by_the_name_of_the_spring(self):
        for method in ("auto", "gauss", "radau5", "dop853", "adams"):
            with self.subTest(method):
                path = self.written(on_ball([2.0, 0.0, 0.0]))  # no twist: the spring does nothing until then
                document = self.json("run", path, "--until", "3", "--method", method, "--rtol", "1e-8", code=3)
                self.assertAlmostEqual(document["final"]["t"], math.pi / 2.0, delta=1e-3)
                for words in ('torsion spring "ts"', "opposite", "shortest turn", "joint that keeps"):
                    self.assertIn(words, document["message"])
        explained = self.json("explain", path, "--until", "3")
        self.assertEqual(explained["cause"], "half a turn")

    def test_axes_that_pass_near_the_opposite_go_on_and_wind_the_spring_up(self):
        """Round the pole the twist makes turns, which are counted: the motion with its rate integrated along, by the classical method."""
        k, until, steps = 0.05, 4.0, 20000

        def rates(state):
            n, w, angle = state[:3], state[3:6], state[6]
            slope = times(1.0 / (1.0 + n[2]), add(n, (0.0, 0.0, 1.0)))
            return (*cross(w, n), *times(-k * angle, slope), dot(slope, w))

        for off in (0.3, 0.1, -0.2):
            with self.subTest(off=off):
                x, h, lowest, most = (0.0, 0.0, 1.0, 3.0, 0.0, off, 0.0), until / steps, 1.0, 0.0
                for _ in range(steps):
                    a = rates(x)
                    b = rates(add(x, times(h / 2, a)))
                    c = rates(add(x, times(h / 2, b)))
                    d = rates(add(x, times(h, c)))
                    x = add(x, times(h / 6, add(a, times(2.0, b), times(2.0, c), d)))
                    lowest, most = min(lowest, x[2]), max(most, abs(x[6]))
                self.assertLess(lowest, -0.9)
                self.assertGreater(most, 2.0)
                document = self.run_of(on_ball([3.0, 0.0, off], stiffness=k), "--until", str(until))
                self.assertLess(abs(document["quality"]["energy_drift"]), 1e-7)
                self.assertLess(math.dist(document["final"]["v"][3:6], x[3:6]), 1e-7)
                [stored] = [account["end"] for account in document["ledger"]["accounts"]]
                self.assertAlmostEqual(stored, 0.5 * k * x[6] ** 2, delta=1e-7)

    def test_a_start_with_opposite_axes_is_refused_by_the_name_of_the_spring(self):
        self.refused("run", self.written(on_ball([0.0, 0.0, 1.0], quaternion=(0.0, 1.0, 0.0, 0.0))), code=3, says=['torsion spring "ts"', "opposite"])
        self.refused("run", self.written(on_ball([0.0, 0.0, 1.0], there=(0.0, 0.0, -1.0))), code=3, says=['torsion spring "ts"', "opposite"])

    def test_a_body_of_any_size_takes_as_many_steps(self):
        """What the spring stores is 1e-18 to 1e18 J: the angle that counts its turns must not feel the rounding of that. Alone, and among 31 bodies."""
        for others in (0, 30):
            known = {}
            for inertia in (1.0, 1e-18, 1e18):
                text = on_ball([0.3, 0.2, 0.1], angle=1.2, stiffness=2.0 * inertia, axis=(0.0, 0.6, 0.8), there=(0.6, 0.0, 0.8))
                text = re.sub(r"inertia = .*", f"inertia = [{0.5 * inertia}, {0.6 * inertia}, {0.7 * inertia}]", text)
                text = text.replace("[bodies.b]", "".join(f'[bodies.p{i}]\ntype = "point"\nmass = 1.0\n' for i in range(others)) + "[bodies.b]")
                for method in ("auto", "dop853"):
                    with self.subTest(inertia=inertia, others=others, method=method):
                        document = self.run_of(text, "--until", "0.5", "--method", method)
                        omega = document["final"]["v"][-3:]
                        for found, expected in zip(omega, known.setdefault(method, omega)):
                            self.assertAlmostEqual(found, expected, delta=1e-8)
                        self.assertLess(document["statistics"]["accepted"], 60)

    def test_a_hinge_keeps_axes_in_line_that_are_named_against_each_other(self):
        text = on_ball([0.0, 0.0, 5.0], there=(0.0, 0.0, -1.0), angle=0.5, stiffness=3.0)
        text = text.replace('"spherical", pins = ["ground.O", "b.O"]', '"revolute", pins = ["ground.O", "b.O"], axes = ["ground.n", "b.n"]')
        document = self.run_of(text, "--until", "4")
        # At the start the directions that angles count from coincide: those of z and -z are -y and y of the body.
        x0, w = math.pi - 0.5, math.sqrt(3.0)
        x0 = min((x0, -math.pi - 0.5), key=abs)
        self.assertAlmostEqual(document["final"]["v"][5], 5.0 * math.cos(w * 4.0) - x0 * w * math.sin(w * 4.0), delta=1e-7)


if __name__ == "__main__":
    unittest.main()
