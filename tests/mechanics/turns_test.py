"""Angles in space count turns: springs and bushings on hinges against the closed form of the motion over several turns."""

import math
import unittest

from program import ProgramTest, raak, rows_of

WHEEL = """format = "raak/1"
space = "spatial"
[ground.points]
O = [0.1, -0.2, 0.3]
[ground.axes]
n = AXIS
[bodies.wheel]
mass = 2.0
inertia = [0.5, 0.5, 0.5]
points = { O = [0.0, 0.0, 0.0] }
axes = { n = AXIS }
JOINTS
[forces]
FORCE
[start.trust]
"wheel.rotation" = [0.0, 0.0, 0.0]
"wheel.omega" = [WX, WY, WZ]
[outputs]
w = "wheel.omega.x*NX + wheel.omega.y*NY + wheel.omega.z*NZ"
[events]
turns-back = { when = "wheel.omega.x*NX + wheel.omega.y*NY + wheel.omega.z*NZ" }
"""
HINGE = '[joints]\nhinge = { type = "revolute", pins = ["ground.O", "wheel.O"], axes = ["ground.n", "wheel.n"] }'
SPRING = 't = { type = "torsion-spring", axes = ["ground.n", "wheel.n"], stiffness = K, damping = D, angle = A }'
BUSHING = 'b = { type = "bushing", pins = ["ground.O", "wheel.O"], stiffness = 100.0, torsion = K, torsion-damping = D }'
J = 0.5


def swing(t, x0, w0, k, d=0.0):
    """Angle and rate of J x'' + d x' + k x = 0."""
    s = d / (2.0 * J)
    f = math.sqrt(k / J - s * s)
    b = (w0 + s * x0) / f
    e = math.exp(-s * t)
    x = e * (x0 * math.cos(f * t) + b * math.sin(f * t))
    return x, e * ((b * f - s * x0) * math.cos(f * t) - (x0 * f + s * b) * math.sin(f * t))


class WheelTest(ProgramTest):
    def model(self, force, k, d=0.0, rest=0.0, speed=25.0, axis=(0.0, 0.0, 1.0), joints=HINGE):
        length = math.sqrt(sum(a * a for a in axis))
        n = [a / length for a in axis]
        text = WHEEL.replace("JOINTS", joints).replace("FORCE", force).replace("AXIS", str(list(axis)))
        for name, value in zip(("NX", "NY", "NZ"), n):
            text = text.replace(name, repr(value))
        for name, value in zip(("WX", "WY", "WZ"), n):
            text = text.replace(name, repr(value * speed))
        text = text.replace("= K", f"= {k}").replace("= D", f"= {d}").replace("= A", f"= {rest}")
        path = self.scratch / "wheel.toml"
        path.write_text(text)
        return str(path)


class CountedTurns(WheelTest):
    def test_a_spring_on_a_hinge_counts_turns_with_every_method(self):
        k, t = 2.0, 3.0  # up to 12.5 rad each way
        path = self.model(SPRING, k)
        _, w = swing(t, 0.0, 25.0, k)
        for method in ("auto", "gauss", "tangent", "svd", "radau", "radau5", "dop853", "dopri5", "adams", "bdf"):
            with self.subTest(method=method):
                document = self.json("run", path, "--until", str(t), "--method", method, "--rtol", "1e-9")
                self.assertAlmostEqual(document["outputs"]["w"], w, delta=2e-4 if method == "bdf" else 2e-5)
                self.assertEqual(document["warnings"], [])

    def test_it_counts_about_any_axis_with_damping_and_an_angle_at_rest(self):
        for axis in ((1.0, 0.0, 0.0), (1.0, 2.0, -2.0), (0.0, 0.0, -1.0)):
            for d in (0.0, 0.1):
                for rest in (0.0, 0.7, -2.5):
                    with self.subTest(axis=axis, d=d, rest=rest):
                        document = self.json("run", self.model(SPRING, 1.2, d, rest, axis=axis), "--until", "4", "--rtol", "1e-10")
                        self.assertAlmostEqual(document["outputs"]["w"], swing(4.0, -rest, 25.0, 1.2, d)[1], delta=1e-6)

    def test_it_counts_backwards_in_time_and_with_steps_of_one_length(self):
        path = self.model(SPRING, 2.0)
        self.assertAlmostEqual(self.json("run", path, "--until", "-2.5", "--rtol", "1e-10")["outputs"]["w"], swing(-2.5, 0.0, 25.0, 2.0)[1], delta=1e-6)
        fixed = self.json("run", path, "--until", "2.5", "--step", "0.005", "--method", "dop853")
        self.assertAlmostEqual(fixed["outputs"]["w"], swing(2.5, 0.0, 25.0, 2.0)[1], delta=1e-6)

    def test_samples_between_the_steps_and_events_count_too(self):
        k = 2.0
        path = self.model(SPRING, k)
        document = self.json("run", path, "--until", "3", "--rtol", "1e-10", "--every", "0.01", "--out", str(self.scratch / "out"))
        for row in rows_of(self.scratch / "out/result.csv"):
            x, w = swing(float(row["t"]), 0.0, 25.0, k)
            self.assertAlmostEqual(float(row["w"]), w, delta=1e-6)
            self.assertAlmostEqual(float(row["energy.potential"]), 0.5 * k * x * x, delta=1e-5)
        first = document["events"][0]
        self.assertAlmostEqual(first["t"], 0.5 * math.pi / math.sqrt(k / J), delta=1e-8)

    def test_the_coordinates_of_a_trace_go_on_over_all_turns(self):
        out = self.scratch / "trace"
        document = self.json("run", self.model(SPRING, 2.0), "--until", "3", "--rtol", "1e-10", "--method", "svd", "--trace", "--out", str(out))
        self.assertAlmostEqual(document["outputs"]["w"], swing(3.0, 0.0, 25.0, 2.0)[1], delta=1e-5)

    def test_the_centres_that_count_are_no_freedoms_and_no_results(self):
        path = self.model(SPRING, 2.0)
        self.assertEqual(self.json("assemble", path)["mobility"], 1)
        self.assertEqual(self.json("explain", path, "--until", "1")["mobility"], 1)
        document = self.json("run", path, "--until", "1")
        self.assertEqual(len(document["names"]), 7)
        self.assertEqual(len(document["final"]["q"]), 7)
        self.assertEqual(len(document["final"]["v"]), 6)

    def test_a_spring_between_two_wheels_counts_what_one_turns_more_than_the_other(self):
        text = WHEEL.replace("JOINTS", HINGE + '\nother = { type = "revolute", pins = ["ground.O", "disc.O"], axes = ["ground.n", "disc.n"] }')
        text = text.replace("AXIS", "[0.0, 0.0, 1.0]").replace("FORCE", 't = { type = "torsion-spring", axes = ["wheel.n", "disc.n"], stiffness = 1.5 }')
        for name, value in (("WX", 0), ("WY", 0), ("WZ", 30.0), ("NX", 0), ("NY", 0), ("NZ", 1)):
            text = text.replace(name, str(value))
        text = text.replace("[forces]", "[bodies.disc]\nmass = 1.0\ninertia = [0.25, 0.25, 0.25]\npoints = { O = [0.0, 0.0, 0.0] }\naxes = { n = [0.0, 0.0, 1.0] }\n[forces]")
        text = text.replace("[outputs]", '"disc.rotation" = [0.0, 0.0, 0.0]\n"disc.omega" = [0.0, 0.0, -10.0]\n[outputs]')
        path = self.scratch / "wheels.toml"
        path.write_text(text)
        t, reduced, mean = 2.0, 0.5 * 0.25 / 0.75, (0.5 * 30.0 - 0.25 * 10.0) / 0.75
        relative = -40.0 * math.cos(math.sqrt(1.5 / reduced) * t)
        w = self.json("run", str(path), "--until", str(t), "--rtol", "1e-10")["outputs"]["w"]
        self.assertAlmostEqual(w, mean - relative * 0.25 / 0.75, delta=1e-6)

    def test_many_springs_of_many_bodies_each_count_their_own_turns(self):
        for count in (4, 40):  # recorded as a whole, and element by element
            with self.subTest(count=count):
                parts = ['format = "raak/1"\nspace = "spatial"\n[ground.points]\nO = [0.0, 0.0, 0.0]\n']
                joints, forces, start, outputs = ["[joints]"], ["[forces]"], ["[start.trust]"], ["[outputs]"]
                for i in range(count):
                    parts.append(f"[bodies.b{i}]\nmass = 1.0\ninertia = [1.0, 1.0, 1.0]\npoints = {{ O = [0.0, 0.0, 0.0] }}\n")
                    axis = "xyz"[i % 3]
                    joints.append(f'h{i} = {{ type = "revolute", pins = ["ground.O", "b{i}.O"], axes = ["ground.{axis}", "b{i}.{axis}"] }}')
                    forces.append(f's{i} = {{ type = "torsion-spring", axes = ["ground.{axis}", "b{i}.{axis}"], stiffness = {1.0 + 0.1 * i} }}')
                    omega = [0.0, 0.0, 0.0]
                    omega[i % 3] = 8.0 + i
                    start += [f'"b{i}.rotation" = [0.0, 0.0, 0.0]', f'"b{i}.omega" = {omega}']
                    outputs.append(f'w{i} = "b{i}.omega.{axis}"')
                path = self.scratch / f"springs{count}.toml"
                path.write_text("\n".join(parts + joints + forces + start + outputs) + "\n")
                document = self.json("run", str(path), "--until", "2", "--rtol", "1e-9", "--method", "gauss")
                for i in range(count):
                    want = (8.0 + i) * math.cos(2.0 * math.sqrt(1.0 + 0.1 * i))
                    self.assertAlmostEqual(document["outputs"][f"w{i}"], want, delta=1e-4)


class Bushings(WheelTest):
    def test_a_bushing_on_a_hinge_counts_turns(self):
        for axis in ((0.0, 0.0, 1.0), (1.0, 2.0, -2.0)):
            document = self.json("run", self.model(BUSHING, 1.2, 0.1, axis=axis), "--until", "4", "--rtol", "1e-10")
            self.assertAlmostEqual(document["outputs"]["w"], swing(4.0, 0.0, 25.0, 1.2, 0.1)[1], delta=1e-6)

    def test_a_bushing_that_passes_half_a_turn_ends_the_run_there(self):
        for k, speed in ((0.3, 4.0), (2.0, 7.0)):
            path = self.model(BUSHING, k, speed=speed, joints="")
            f = math.sqrt(k / J)
            want = math.asin(math.pi * f / speed) / f
            for method in ("auto", "dop853", "radau5", "adams"):
                with self.subTest(k=k, method=method):
                    done = self.refused_run(path, method)
                    self.assertAlmostEqual(done["final"]["t"], want, delta=1e-4)
                    for words in ('bushing "b"', "half a turn", f"t = {want:.3f}", "revolute joint", "torsion-spring"):
                        self.assertIn(words, done["message"])
            self.assertEqual(self.json("explain", path, "--until", "3")["cause"], "half a turn")

    def refused_run(self, path, method):
        return self.json("run", path, "--until", "3", "--method", method, "--rtol", "1e-8", code=3)

    def test_one_that_turns_back_before_it_runs_on(self):
        path = self.model(BUSHING, 2.0, speed=6.2, joints="")  # up to 3.1 rad
        self.assertAlmostEqual(self.json("run", path, "--until", "5", "--rtol", "1e-10")["outputs"]["w"], swing(5.0, 0.0, 6.2, 2.0)[1], delta=1e-6)


if __name__ == "__main__":
    unittest.main()
