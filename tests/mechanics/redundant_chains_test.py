"""Long chains of redundant joints: however long, turned, scaled or driven, no configuration is called singular that is none."""

import json
import math
import unittest

import many_bodies
import turned
from program import ProgramTest, raak

UNTIL = 0.2  # s


def fallen_lift(stages, until, angle=0.6, platform=False):
    """The angle of the bars of an undriven lift of size 1 at the end, by its one equation of motion: I(a) a'' + I'(a) a'^2 / 2 = Q(a)."""
    heights = [k - 0.5 for k in range(1, stages + 1)]
    squares, sums = sum(h * h for h in heights), sum(heights)
    top, mass, inertia, g = (stages if platform else 0.0), 2.0, 0.167, 9.81

    def acceleration(a, w):
        s, c = math.sin(a), math.cos(a)
        moment = 2.0 * (mass * (stages * 0.25 * s * s + squares * c * c) + stages * inertia) + top * top * c * c
        slope = 2.0 * s * c * (2.0 * mass * (stages * 0.25 - squares) - top * top)
        return (-g * c * (2.0 * mass * sums + top) - 0.5 * slope * w * w) / moment

    a, w, steps = angle, 0.0, 4000
    h = until / steps
    for _ in range(steps):  # the classical method of Runge and Kutta
        ka, kw = [w], [acceleration(a, w)]
        for c in (0.5, 0.5, 1.0):
            ka.append(w + c * h * kw[-1])
            kw.append(acceleration(a + c * h * ka[-2], ka[-1]))
        a += h / 6.0 * (ka[0] + 2.0 * ka[1] + 2.0 * ka[2] + ka[3])
        w += h / 6.0 * (kw[0] + 2.0 * kw[1] + 2.0 * kw[2] + kw[3])
    return a


class RedundantChains(ProgramTest):
    def run_of(self, text, *arguments, until=UNTIL):
        path = self.scratch / "model.toml"
        path.write_text(text)
        done = raak("run", str(path), "--until", repr(until), "--rtol", "1e-9", *arguments, "--json")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        document = json.loads(done.stdout)
        self.assertEqual(document["singular_poses"], [])
        self.assertLess(document["quality"]["position_residual"], 1e-7)
        return document

    def mobility_of(self, text):
        path = self.scratch / "model.toml"
        path.write_text(text)
        return self.json("assemble", str(path))["mechanism"]

    # From 18 stages on a lift has more than 300 rows: then which of them depend on others is found without matrices.
    def test_lifts_of_any_length_fall_as_their_one_equation_of_motion_says(self):
        for stages, platform in ((2, False), (17, False), (18, False), (19, True), (24, False), (40, False), (60, True)):
            with self.subTest(stages=stages, platform=platform):
                text = many_bodies.scissor_lift(stages, platform=platform)
                height = self.run_of(text)["outputs"]["height"]
                self.assertAlmostEqual(height, stages * math.sin(fallen_lift(stages, UNTIL, platform=platform)), delta=1e-6 * stages)

    def test_what_is_redundant_is_counted_whatever_the_length(self):
        for stages in (17, 18, 21, 30, 50):
            with self.subTest(stages=stages):
                found = self.mobility_of(many_bodies.scissor_lift(stages))
                self.assertEqual((found["mobility"], found["redundant"]), (1, 3 * stages - 2))

    def test_lifts_turned_as_a_whole_fall_alike(self):
        text = many_bodies.scissor_lift(20)
        path = self.scratch / "model.toml"
        path.write_text(text)
        model = json.loads(raak("convert", str(path), "--out", "-").stdout)
        start = turned.start_of(self.json("assemble", str(path)))
        plain = self.run_of(turned.text_of(turned.bare(model, start)))
        for seed in (1, 2):
            with self.subTest(seed=seed):
                axis, angle = turned.random_turn(seed)
                whole = self.run_of(turned.text_of(turned.turned(model, start, axis, angle)))
                name, difference = max(turned.differences(plain, whole, axis, angle, size=20.0), key=lambda pair: pair[1])
                self.assertLess(difference, 1e-6, name)

    # Their joints make a tree, whose loops are closed through ever more of them: recorded as a whole up to 14 stages.
    def test_driven_lifts_on_a_turntable_take_few_steps_and_have_no_singular_configuration(self):
        for stages in (4, 8, 11, 13, 14):
            path = self.scratch / "model.toml"
            path.write_text(many_bodies.scissor_lift(stages, driven=True))
            model = json.loads(raak("convert", str(path), "--out", "-").stdout)
            text = turned.text_of(turned.carried(model, turned.start_of(self.json("assemble", str(path))), [0.0, 0.0, 1.0], 2.0))
            for method in ("auto", "gauss", "dop853"):
                with self.subTest(stages=stages, method=method):
                    done = self.run_of(text, "--method", method, until=3.0)
                    place = turned.vectors_of(done["names"], done["final"]["q"])[f"l{stages}.position"]
                    across, height = 0.5 * math.cos(1.2), (stages - 0.5) * math.sin(1.2)
                    for found, expected in zip(place, (across * math.cos(6.0), across * math.sin(6.0), height)):
                        self.assertAlmostEqual(found, expected, delta=1e-8 * stages)
                    self.assertLess(done["statistics"]["accepted"], 60)

    def test_lifts_of_any_size_and_mass_fall_alike(self):
        expected = math.sin(fallen_lift(20, UNTIL))  # gravity is scaled with the size
        for size, mass in ((1e-4, 1e-6), (1e4, 1.0), (1.0, 1e6), (1e-3, 1e3)):
            with self.subTest(size=size, mass=mass):
                text = many_bodies.scissor_lift(20, size=size, mass=mass)
                height = self.run_of(text, "--atol", repr(1e-9 * size))["outputs"]["height"]
                self.assertAlmostEqual(height / (20.0 * size), expected, delta=2e-6)

    def test_driven_lifts_and_rows_of_linkages_go_on_too(self):
        for stages in (18, 30):
            with self.subTest(stages=stages):
                done = self.run_of(many_bodies.scissor_lift(stages, driven=True), until=1.0)
                self.assertAlmostEqual(done["outputs"]["height"], stages * math.sin(0.8), delta=1e-7 * stages)
        for count in (10, 18, 30):
            with self.subTest(linkages=count):
                self.assertLess(self.run_of(many_bodies.linkages(count))["quality"]["energy_drift"], 1e-5)


if __name__ == "__main__":
    unittest.main()
