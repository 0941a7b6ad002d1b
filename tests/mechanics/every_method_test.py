"""Every method in every form follows motions that are known: without a constraint, without a freedom, with constraints of velocities alone, few bodies and many."""

import json
import math
import unittest

from program import ProgramTest, raak, rows_of

FREE = """format = "raak/1"
gravity = [0.0, -10.0]
[bodies.b]
mass = 2.0
inertia = 0.5
[start.trust]
"b.vx" = 3.0
"b.omega" = 2.0
[runs.default]
until = 0.8
"""

DRIVEN = """format = "raak/1"
gravity = [0.0, -10.0]
[ground.points]
O = [0.0, 0.0]
[bodies.b]
mass = 2.0
inertia = 0.5
com = [0.5, 0.0]
points = { C = [0.0, 0.0] }
[joints]
O = { type = "revolute", pins = ["ground.O", "b.C"] }
[drivers]
m = { coordinate = "b.angle", motion = "0.3 + 2*t - 1.5*t^2" }
[outputs]
M = "m.moment"
[runs.default]
until = 0.8
"""

# The blade under the centre of mass: a circle at constant speed.
SKATE = """format = "raak/1"
gravity = [0.0, 0.0]
[ground.points]
O = [0.0, 0.0]
[bodies.b]
mass = 2.0
inertia = 0.5
points = { A = [0.0, 0.0] }
[joints]
blade = { type = "knife-edge", pins = ["ground.O", "b.A"], axes = ["b.x"] }
[start.trust]
"b.vx" = 3.0
"b.omega" = 2.0
[outputs]
across = "blade.force.x*sin(b.angle) - blade.force.y*cos(b.angle)"
[runs.default]
until = 0.8
"""


def oscillators(count):
    """Blocks on a rail, each on a spring of its own: x = 1 + 0.1 cos(w t), w = sqrt(k)."""
    text = 'format = "raak/1"\ngravity = [0.0, -10.0]\n[ground.points]\nO = [0.0, 0.0]\n'
    joints, forces, trust = "[joints]\n", "[forces]\n", "[start.trust]\n"
    for i in range(count):
        text += f'[bodies.b{i}]\ntype = "point"\nmass = 1.0\n'
        joints += f'rail{i} = {{ type = "slot", pins = ["ground.O", "b{i}"], axes = ["ground.x"] }}\n'
        forces += f's{i} = {{ type = "spring", between = ["ground.O", "b{i}"], stiffness = {stiffness(i)}, length = 1.0 }}\n'
        trust += f'"b{i}.x" = 1.1\n'
    return text + joints + forces + trust + "[runs.default]\nuntil = 0.3\n"


def stiffness(i):
    return 4.0 + i % 5


class EveryMethod(ProgramTest):
    RTOL, ALLOWED = 1e-6, 2e-4  # of generalized-alpha, the least accurate

    def hold(self, text, expected, forms=4):
        """At the end of the run these values have come about, by every method in its first forms."""
        path = self.scratch / "model.toml"
        path.write_text(text)
        for method in self.json("list", "methods"):
            for form in method["formulations"][:forms]:
                with self.subTest(method["name"], form=form):
                    done = raak("run", str(path), "--method", method["name"], "--form", form, "--rtol", str(self.RTOL), "--json")
                    self.assertEqual(done.returncode, 0, done.stderr)
                    document = json.loads(done.stdout)
                    found = dict(zip(document["names"], document["final"]["q"])) | document["outputs"]
                    found |= {f"v.{name}": v for name, v in zip(document["names_v"], document["final"]["v"])}
                    for name, value in expected.items():
                        self.assertAlmostEqual(found[name], value, delta=self.ALLOWED * max(1.0, abs(value)), msg=name)

    def test_a_body_that_nothing_holds_falls(self):
        t = 0.8
        self.hold(FREE, {"b.x": 3.0 * t, "b.y": -5.0 * t * t, "b.angle": 2.0 * t, "v.b.x": 3.0, "v.b.y": -10.0 * t, "v.b.angle": 2.0})

    def test_a_body_without_freedom_follows_its_driver(self):
        t = 0.8
        angle = 0.3 + 2.0 * t - 1.5 * t * t
        self.hold(DRIVEN, {"b.angle": angle, "v.b.angle": 2.0 - 3.0 * t, "M": (0.5 + 2.0 * 0.25) * -3.0 + 2.0 * 10.0 * 0.5 * math.cos(angle)})

    def test_a_skate_runs_in_a_circle(self):
        t, v, w = 0.8, 3.0, 2.0
        self.hold(SKATE, {"b.x": v / w * math.sin(w * t), "b.y": v / w * (1.0 - math.cos(w * t)), "b.angle": w * t, "v.b.angle": w,
                          "v.b.x": v * math.cos(w * t), "v.b.y": v * math.sin(w * t), "across": -2.0 * v * w})

    def test_blocks_on_springs_swing_each_by_itself(self):
        for count, forms in ((1, 4), (40, 1), (260, 1)):
            expected = {}
            for i in range(min(count, 5)):
                w = math.sqrt(stiffness(i))
                expected |= {f"b{i}.x": 1.0 + 0.1 * math.cos(0.3 * w), f"v.b{i}.x": -0.1 * w * math.sin(0.3 * w)}
            self.hold(oscillators(count), expected, forms)

    def test_rows_between_the_steps_lie_on_the_motion(self):
        # The flying body asks for no steps at all, and the driven one for short ones.
        flying = '[bodies.f]\nmass = 1.0\ninertia = 1.0\n[start.trust]\n"f.vx" = 3.0\n'
        path, out = self.scratch / "model.toml", self.scratch / "out"
        driven = DRIVEN.replace("0.3 + 2*t - 1.5*t^2", "0.3 + sin(5*t)").replace("[joints]", flying + "[joints]").replace("-10.0]", "0.0]")
        path.write_text(driven)
        for method in self.json("list", "methods"):
            with self.subTest(method["name"]):
                done = raak("run", str(path), "--method", method["name"], "--rtol", str(self.RTOL), "--every", "0.01", "--out", str(out), "--json")
                self.assertEqual(done.returncode, 0, done.stderr)
                rows = rows_of(out / "result.csv")
                self.assertEqual(len(rows), 81)
                for row in rows:
                    t = float(row["t"])
                    self.assertAlmostEqual(float(row["q.b.angle"]), 0.3 + math.sin(5 * t), delta=self.ALLOWED, msg=t)
                    self.assertAlmostEqual(float(row["v.b.angle"]), 5 * math.cos(5 * t), delta=5 * self.ALLOWED, msg=t)
                    self.assertAlmostEqual(float(row["q.f.x"]), 3.0 * t, delta=self.ALLOWED, msg=t)
                # The driver gives what moves: inertia 0.5 and 2 kg at 0.5 m.
                self.assertAlmostEqual(float(rows[-1]["energy.input"]), 0.5 * (5 * math.cos(4)) ** 2 - 0.5 * 25.0, delta=25 * self.ALLOWED)


if __name__ == "__main__":
    unittest.main()
