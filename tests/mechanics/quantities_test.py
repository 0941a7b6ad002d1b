"""Every name that a formula may have, against what it stands for; functions and operators against Python's."""

import json
import math
import random
import unittest

from two_bodies import PLACE, SPEED, SPIN, Bodies, turned
from program import ProgramTest, raak


class QuantityTest(ProgramTest):
    def outputs(self, text, formulas):
        path = self.scratch / "model.toml"
        path.write_text(text + "[outputs]\n" + "".join(f'o{i} = "{formula}"\n' for i, formula in enumerate(formulas)))
        found = self.json("assemble", str(path))["outputs"]
        return [found[f"o{i}"] for i in range(len(formulas))]

    def assert_outputs(self, text, expected, delta=1e-12):
        for (formula, value), found in zip(expected.items(), self.outputs(text, list(expected))):
            self.assertAlmostEqual(found, value, delta=delta * max(1.0, abs(value)), msg=formula)


class Names(QuantityTest):
    def test_of_a_body_in_the_plane(self):
        bodies, expected = Bodies(True), {}
        for b in "ab":
            expected |= {f"{b}.x": PLACE[b][0], f"{b}.y": PLACE[b][1], f"{b}.angle": bodies.turn(b)[2], f"{b}.vx": SPEED[b][0], f"{b}.vy": SPEED[b][1],
                         f"{b}.omega": bodies.spin(b)[2], f"{b}.P.x": bodies.point(b)[0], f"{b}.P.y": bodies.point(b)[1], f"{b}.P.vx": bodies.rate(b)[0],
                         f"{b}.P.vy": bodies.rate(b)[1], f"{b}.C.x": PLACE[b][0]}
        self.assert_outputs(bodies.text(), expected)

    def test_of_a_body_in_space(self):
        bodies, expected = Bodies(False), {}
        for b in "ab":
            for i, part in enumerate("xyz"):
                expected |= {f"{b}.position.{part}": PLACE[b][i], f"{b}.{part}": PLACE[b][i], f"{b}.velocity.{part}": SPEED[b][i], f"{b}.v{part}": SPEED[b][i],
                             f"{b}.omega.{part}": SPIN[b][i], f"{b}.P.{part}": bodies.point(b)[i], f"{b}.P.v{part}": bodies.rate(b)[i]}
                for j, axis in enumerate("xyz"):
                    expected[f"{b}.{axis}.{part}"] = turned(bodies.turn(b), tuple(float(k == j) for k in range(3)))[i]
            angle = math.sqrt(sum(x * x for x in bodies.turn(b)))
            expected[f"{b}.quaternion.w"] = math.cos(angle / 2.0)
            for i, part in enumerate("xyz"):
                expected[f"{b}.quaternion.{part}"] = math.sin(angle / 2.0) / angle * bodies.turn(b)[i]
        self.assert_outputs(bodies.text(), expected)

    def test_of_named_axes_and_points_of_the_ground(self):
        text = Bodies(False).text().replace("[bodies.b]", "[ground.points]\nG = [1.0, 2.0, 3.0]\n[bodies.b]").replace("C = [0.0, 0.0, 0.0] }\n[start", "C = [0.0, 0.0, 0.0] }\naxes = { n = [0.0, 3.0, 4.0] }\n[start")
        n = turned(Bodies(False).turn("b"), (0.0, 0.6, 0.8))
        self.assert_outputs(text, {"ground.G.x": 1.0, "ground.G.z": 3.0, "b.n.x": n[0], "b.n.y": n[1], "b.n.z": n[2], "ground.G.vx": 0.0})

    def test_of_points_that_move_with_the_time(self):
        path = self.scratch / "model.toml"
        path.write_text(Bodies(False).text() + '[outputs]\nx = "b.P.x"\nvx = "b.P.vx"\nat = "t^2"\n')
        h = 1e-5
        ends = [json.loads(raak("run", str(path), "--until", str(t), "--rtol", "1e-13", "--json").stdout)["outputs"] for t in (0.3 - h, 0.3, 0.3 + h)]
        self.assertAlmostEqual((ends[2]["x"] - ends[0]["x"]) / (2.0 * h), ends[1]["vx"], delta=1e-6)
        self.assertAlmostEqual(ends[1]["at"], 0.09, delta=1e-14)

    def test_of_parameters_pi_and_other_parameters(self):
        text = "[parameters]\na1 = 2.0\na2 = \"3*a1 + pi\"\na3 = \"a2^2\"\n" + Bodies(True).text().replace('format = "raak/1"\n', "")
        self.assert_outputs('format = "raak/1"\n' + text, {"a1": 2.0, "a2": 6.0 + math.pi, "a3": (6.0 + math.pi) ** 2, "pi": math.pi, "t": 0.0})

    def test_settings_replace_parameters_and_what_follows_from_them(self):
        path = self.scratch / "model.toml"
        path.write_text('format = "raak/1"\n[parameters]\na1 = 2.0\na2 = "3*a1"\na3 = "a2 + a1"\n' + Bodies(True).text().replace('format = "raak/1"\n', "") + '[outputs]\ns = "a3"\n')
        for settings, expected in (((), 8.0), (("a1=1",), 4.0), (("a2=1",), 3.0), (("a1=1", "a2=5"), 6.0), (("a3=-1",), -1.0)):
            options = [word for setting in settings for word in ("--set", setting)]
            self.assertEqual(self.json("assemble", str(path), *options)["outputs"]["s"], expected)


class Reactions(QuantityTest):
    TEXT = """format = "raak/1"
gravity = [0.0, -10.0]
[ground.points]
O = [0.0, 0.0]
[bodies.arm]
mass = 2.0
inertia = 0.5
com = [0.5, 0.0]
points = { O = [0.0, 0.0], A = [1.0, 0.0] }
[bodies.tip]
mass = 3.0
inertia = 0.1
points = { A = [0.0, 0.0] }
[joints]
O = { type = "revolute", pins = ["ground.O", "arm.O"] }
A = { type = "fixed", pins = ["arm.A", "tip.A"] }
[start.trust]
"arm.angle" = 0.4
"arm.omega" = 2.0
"""

    def test_are_what_acts_on_the_second_body_and_the_opposite_on_the_first(self):
        """The arm swings: alpha = -m g l cos / J. The weld gives the tip its acceleration; the hinge gives both theirs."""
        J = 0.5 + 2.0 * 0.25 + 0.1 + 3.0
        alpha = -10.0 * math.cos(0.4) * (2.0 * 0.5 + 3.0) / J
        def acceleration(r):
            return (-r * (4.0 * math.cos(0.4) + alpha * math.sin(0.4)), r * (alpha * math.cos(0.4) - 4.0 * math.sin(0.4)))
        tip, arm = acceleration(1.0), acceleration(0.5)
        Fx, Fy = 3.0 * tip[0], 3.0 * (tip[1] + 10.0)
        self.assert_outputs(self.TEXT, {
            "A.force.x": Fx, "A.force.y": Fy, "A.moment": 0.1 * alpha, "A.tip.force.x": Fx, "A.arm.force.x": -Fx, "A.arm.force.y": -Fy, "A.arm.moment": -0.1 * alpha,
            "O.force.x": 2.0 * arm[0] + Fx, "O.force.y": 2.0 * (arm[1] + 10.0) + Fy, "O.moment": 0.0, "O.ground.force.y": -(2.0 * (arm[1] + 10.0) + Fy)}, delta=1e-11)


class Functions(QuantityTest):
    TEXT = 'format = "raak/1"\n[bodies.b]\ntype = "point"\nmass = 1.0\n[start.trust]\n"b.x" = 0.6\n"b.y" = -1.7\n'

    def test_are_those_of_mathematics(self):
        x, y = 0.6, -1.7
        expected = {f"{name}(b.x)": getattr(math, name)(x) for name in ("sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "sqrt", "exp", "log")}
        expected |= {"abs(b.y)": 1.7, "abs(b.x)": 0.6, "sign(b.y)": -1.0, "sign(b.x)": 1.0, "sign(0)": 0.0, "atan2(b.y, b.x)": math.atan2(y, x), "min(b.x, b.y)": y, "max(b.x, b.y)": x,
                     "pow(b.x, 2.5)": x**2.5, "b.x^b.x": x**x, "b.y^2": y * y, "b.y^3": y**3, "b.y^-2": y**-2, "2^b.x": 2.0**x}
        self.assert_outputs(self.TEXT, expected)

    def test_operators_bind_as_usual(self):
        x, y = 0.6, -1.7
        self.assert_outputs(self.TEXT, {
            "b.x - b.y - 1": x - y - 1.0, "b.x - (b.y - 1)": x - (y - 1.0), "b.x/b.y/2": x / y / 2.0, "b.x/(b.y/2)": x / (y / 2.0), "-b.x^2": -(x**2), "(-b.x)^2": x**2, "2^-1": 0.5,
            "b.x + b.y*2": x + y * 2.0, "2*b.x^2": 2.0 * x * x, "2^3^2": 2.0**9, "-2 - -3": 1.0, "1e-3 + 2E2": 200.001, ".5 + 2.": 2.5, "+b.x": x})

    def test_formulas_at_random_are_evaluated_as_python_does(self):
        generator = random.Random(7)

        def formula(depth):
            if depth == 0:
                return generator.choice(("b.x", "b.y", "2", "0.3", "pi", "(-1.5)"))
            kind = generator.randrange(6)
            if kind < 3:
                return f"({formula(depth - 1)} {generator.choice('+-*')} {formula(depth - 1)})"
            if kind == 3:
                return f"{generator.choice(('sin', 'cos', 'tanh', 'atan'))}({formula(depth - 1)})"
            if kind == 4:
                return f"{formula(depth - 1)}/(2 + cos({formula(depth - 1)}))"
            return f"{generator.choice(('min', 'max', 'atan2'))}({formula(depth - 1)}, {formula(depth - 1)})"

        names = {name: getattr(math, name) for name in ("sin", "cos", "tanh", "atan", "atan2")} | {"min": min, "max": max, "pi": math.pi}
        formulas = [formula(4) for _ in range(60)]
        expected = {text: eval(text.replace("b.x", "(0.6)").replace("b.y", "(-1.7)"), {"__builtins__": {}}, names) for text in formulas}
        self.assert_outputs(self.TEXT, expected, delta=1e-11)


if __name__ == "__main__":
    unittest.main()
