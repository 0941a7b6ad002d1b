"""Scissor lifts in all directions: stretched out or lying flat several of their loops lose rank at once, and they go on."""

import math
import random
import unittest

import turned
from program import ProgramTest

HALF, MASS, INERTIA = 0.5, 2.0, 0.167  # of each bar, m, kg, kg m^2
START, RATE = 0.6, 0.8  # angle of the bars and how it grows, rad and rad/s


def stages(count):
    """Joints of the bars l and r of each stage."""
    for i in range(1, count + 1):
        yield f"M{i}", f"l{i}.C", f"r{i}.C"
        if i < count:
            yield f"P{i}", f"r{i}.B", f"l{i + 1}.A"
            yield f"Q{i}", f"l{i}.B", f"r{i + 1}.A"


def bars(count, points, inertia):
    return "".join(f"[bodies.{side}{i}]\nmass = {MASS}\ninertia = {inertia}\npoints = {points}\n" for i in range(1, count + 1) for side in "lr")


def planar_lift(count, heading):
    """On the ground, its foot in a slot, the whole turned by an angle."""
    c, s = math.cos(heading), math.sin(heading)
    points = f"{{ C = [0.0, 0.0], A = [{-HALF}, 0.0], B = [{HALF}, 0.0] }}"
    joints = "".join(f'{name} = {{ type = "revolute", pins = ["{one}", "{other}"] }}\n' for name, one, other in stages(count))
    guess = ""
    for i in range(1, count + 1):
        x, y = HALF * math.cos(START), (2 * i - 1) * HALF * math.sin(START)
        for side, angle in (("l", START), ("r", math.pi - START)):
            guess += f'"{side}{i}.x" = {c * x - s * y}\n"{side}{i}.y" = {s * x + c * y}\n'
            guess += "" if (side, i) == ("l", 1) else f'"{side}{i}.angle" = {angle + heading}\n'
    return f"""format = "raak/1"
gravity = [0.0, 0.0]
[ground.points]
A = [0.0, 0.0]
[ground.axes]
e = [{c}, {s}]
{bars(count, points, INERTIA)}[joints]
A = {{ type = "revolute", pins = ["ground.A", "l1.A"] }}
B = {{ type = "slot", pins = ["ground.A", "r1.A"], axes = ["ground.e"] }}
{joints}[start.trust]
"l1.angle" = {START + heading}
"l1.omega" = {RATE}
[start.guess]
{guess}[runs.default]
until = 6.0
rtol = 1e-8
"""


def inertia_of(count, angle):
    """That of the angle: centres at (cos, (2i-1) sin) half a bar, of two bars a stage."""
    s, c = (HALF * math.sin(angle)) ** 2, (HALF * math.cos(angle)) ** 2
    return sum(2.0 * (MASS * (s + (2 * i - 1) ** 2 * c) + INERTIA) for i in range(1, count + 1))


def lift_angle(count, until):
    """Nothing acts: angle' = sqrt(2 E / inertia), by the classical Runge-Kutta method in small steps."""
    speed = lambda angle: RATE * math.sqrt(inertia_of(count, START) / inertia_of(count, angle))
    steps = 20000
    h, angle = until / steps, START
    for _ in range(steps):
        one = speed(angle)
        two = speed(angle + 0.5 * h * one)
        three = speed(angle + 0.5 * h * two)
        angle += h * (one + 2.0 * two + 2.0 * three + speed(angle + h * three)) / 6.0
    return angle


def poses_of(count, angle):
    """Where it is stretched out, and with more than one stage where it lies flat, on the way to an angle."""
    step = math.pi if count == 1 else math.pi / 2
    first = math.pi / 2
    return sum(1 for k in range(40) if first + k * step < angle)


def lift_in_space(count, axis, angle):
    """On a table that tumbles freely, every hinge with rows to spare."""
    R, p = turned.rotation(axis, angle), turned.quaternion(axis, angle)
    vector = lambda *v: turned.apply(R, v)
    points = f"{{ C = [0.0, 0.0, 0.0], A = [{-HALF}, 0.0, 0.0], B = [{HALF}, 0.0, 0.0] }}"
    hinge = lambda name, one, other: f'{name} = {{ type = "revolute", pins = ["{one}", "{other}"], axes = ["{one.split(".")[0]}.y", "{other.split(".")[0]}.y"] }}\n'
    guess = ""
    for i in range(1, count + 1):
        place = vector(-0.4 + HALF * math.cos(START), 0.0, (2 * i - 1) * HALF * math.sin(START))
        for side, down in (("l", -START), ("r", START - math.pi)):
            guess += f'"{side}{i}.position" = {place}\n"{side}{i}.quaternion" = {turned.product(p, turned.quaternion([0.0, 1.0, 0.0], down))}\n'
    return f"""format = "raak/1"
space = "spatial"
gravity = [0.0, 0.0, 0.0]
[bodies.table]
mass = 5.0
inertia = [1.0, 1.0, 2.0]
points = {{ A = [-0.4, 0.0, 0.0] }}
{bars(count, points, [0.002, INERTIA, INERTIA + 0.001])}[joints]
{hinge("A", "table.A", "l1.A")}B = {{ type = "point-on-line", pins = ["table.A", "r1.A"], axes = ["table.x"] }}
{"".join(hinge(*joint) for joint in stages(count))}[start.trust]
"table.position" = [0.0, 0.0, 0.0]
"table.quaternion" = {p}
"table.omega" = {vector(0.3, -0.4, 1.5)}
"table.velocity" = [0.0, 0.0, 0.0]
"l1.omega" = {vector(0.3, -0.4 - RATE, 1.5)}
[start.guess]
{guess}[outputs]
size = "(l{count}.B.x-table.A.x)^2 + (l{count}.B.y-table.A.y)^2 + (l{count}.B.z-table.A.z)^2"
[runs.default]
until = 4.0
rtol = 1e-8
"""


class Lifts(ProgramTest):
    def written(self, text):
        path = self.scratch / "lift.toml"
        path.write_text(text)
        return str(path)

    def expect_angle(self, run, count, heading, within):
        self.assertEqual(run["status"], "ok", run["message"])
        angle = lift_angle(count, 6.0)
        self.assertAlmostEqual(run["final"]["q"][run["names"].index("l1.angle")], angle + heading, delta=within)
        return angle

    def test_lifts_in_the_plane_pass_their_singular_configurations_in_all_directions(self):
        numbers = random.Random(14)
        for count in range(1, 9):
            for heading in (0.0, math.pi / 4, math.pi / 2, *(numbers.uniform(0.0, 2.0 * math.pi) for _ in range(4))):
                with self.subTest(count=count, heading=heading):
                    run = self.json("run", self.written(planar_lift(count, heading)))
                    angle = self.expect_angle(run, count, heading, 2e-6)
                    self.assertEqual(len(run["singular_poses"]), poses_of(count, angle))
                    self.assertLess(run["statistics"]["steps"], 120)

    def test_other_methods_pass_them_too(self):
        for method in ("tangent", "gauss", "radau", "dop853"):
            for heading in (0.3, 1.0, math.pi / 2):
                with self.subTest(method=method, heading=heading):
                    run = self.json("run", self.written(planar_lift(3, heading)), "--method", method)
                    self.expect_angle(run, 3, heading, 2e-6)

    def test_lifts_on_a_table_in_space_pass_them_in_all_directions(self):
        for count in (1, 2, 3, 5):
            sizes = []
            for seed in range(4):
                with self.subTest(count=count, seed=seed):
                    axis, angle = turned.random_turn(seed) if seed else ([0.0, 0.0, 1.0], 0.0)
                    run = self.json("run", self.written(lift_in_space(count, axis, angle)))
                    self.assertEqual(run["status"], "ok", run["message"])
                    self.assertGreaterEqual(len(run["singular_poses"]), 1)
                    self.assertLess(run["quality"]["energy_drift"], 1e-6)
                    sizes.append(run["outputs"]["size"])
            for size in sizes:
                self.assertAlmostEqual(size, sizes[0], delta=3e-6)


if __name__ == "__main__":
    unittest.main()
