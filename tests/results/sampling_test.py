"""The times of rows, the direction of a run, and what the tables and plots say of them."""

import json
import re
import unittest
import xml.etree.ElementTree

from program import ROOT, ProgramTest, raak, rows_of

FALL = """format = "raak/1"
gravity = [0.0, -10.0]
[bodies.stone]
type = "point"
mass = 2.0
[start.trust]
"stone.x" = 1.0
"stone.y" = 5.0
"stone.vx" = 3.0
"stone.vy" = 4.0
[outputs]
OUTPUTS
"""


def decimals(step, count, sign=1):
    """0, step, 2 step, .. as a person writes them: step in whole units of its last decimal."""
    digits = len(step.split(".")[1]) if "." in step else 0
    return [sign * i * round(float(step) * 10**digits) / 10**digits for i in range(count + 1)]


class Times(ProgramTest):
    def times(self, *arguments):
        out = self.scratch / "out"
        done = raak("run", "pendulum", *arguments, "--out", str(out), "--quiet")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return [float(row["t"]) for row in rows_of(out / "result.csv")]

    def test_rows_come_at_decimal_multiples_and_the_end_once(self):
        for step, until, count in (("0.3", "2.1", 7), ("0.1", "0.7", 7), ("0.01", "0.29", 29), ("0.7", "2.1", 3), ("1", "3", 3)):
            with self.subTest(step, until=until):
                self.assertEqual(self.times("--every", step, "--until", until), decimals(step, count))

    def test_the_end_is_a_row_where_it_is_no_multiple(self):
        self.assertEqual(self.times("--every", "0.4", "--until", "1"), [0.0, 0.4, 0.8, 1.0])
        self.assertEqual(self.times("--every", "0.4", "--until", "0.8000001"), [0.0, 0.4, 0.8, 0.8000001])
        self.assertEqual(self.times("--every", "5", "--until", "1"), [0.0, 1.0])

    def test_rows_of_a_run_backwards_come_in_its_order(self):
        self.assertEqual(self.times("--every", "0.3", "--until", "-2.1"), decimals("0.3", 7, -1))
        self.assertEqual(self.times("--at", "-0.2,-1,-0.5", "--until", "-1"), [-0.2, -0.5, -1.0])

    def test_times_asked_for_twice_are_one_row_and_need_no_end(self):
        self.assertEqual(self.times("--at", "0.5,0.2,0.5", "--until", "1"), [0.2, 0.5])

    def test_times_outside_the_run_are_refused_on_both_sides(self):
        for at, until in (("1.5", "1"), ("-0.1", "1"), ("0.1", "-1"), ("-1.5", "-1")):
            self.refused("run", "pendulum", "--at", at, "--until", until, says=["outside the run"])
        self.assertEqual(self.times("--at", "0,1", "--until", "1"), [0.0, 1.0])

    def test_so_many_rows_that_nobody_reads_them_are_refused(self):
        self.refused("run", "pendulum", "--every", "1e-8", "--until", "1", says=["1e+08 samples", "1e+07"])


class Backwards(ProgramTest):
    def end(self, *arguments):
        path = self.scratch / "fall.toml"
        path.write_text(FALL.replace("OUTPUTS", 'h = "stone.y"'))
        document = json.loads(raak("run", str(path), *arguments, "--json").stdout)
        self.assertEqual(document["status"], "ok", document["message"])
        return document, dict(zip(document["names"], document["final"]["q"])), dict(zip(document["names_v"], document["final"]["v"]))

    def test_a_first_step_goes_the_way_of_the_run(self):
        """Backwards a stone has come from x - v t and y - v t - g t^2/2, whatever its first step is."""
        for options in ((), ("--h0", "0.01"), ("--h0", "1"), ("--step", "0.05"), ("--method", "dop853", "--h0", "0.01"), ("--method", "svd", "--h0", "1e-4"),
                        ("--method", "gauss", "--h0", "0.1"), ("--method", "radau", "--h0", "0.1"), ("--method", "tangent", "--h0", "0.1")):
            for until in (-2.0, 2.0):
                with self.subTest(options, until=until):
                    document, q, v = self.end("--until", str(until), "--rtol", "1e-9", *options)
                    self.assertEqual((document["t_start"], document["t_end"], document["final"]["t"]), (0.0, until, until))
                    self.assertAlmostEqual(q["stone.x"], 1.0 + 3.0 * until, delta=1e-8)
                    self.assertAlmostEqual(q["stone.y"], 5.0 + 4.0 * until - 5.0 * until**2, delta=1e-7)
                    self.assertAlmostEqual(v["stone.y"], 4.0 - 10.0 * until, delta=1e-8)

    def test_there_and_back_is_where_it_began(self):
        one = json.loads(raak("run", "pendulum", "--until", "1", "--rtol", "1e-11", "--json").stdout)
        angle, rate = one["final"]["q"][2], one["final"]["v"][2]
        two = json.loads(raak("run", "pendulum", "--until", "-1", "--rtol", "1e-11", "--h0", "1e-3", "--trust", f"phi={angle}", "--trust", f"v.phi={rate}", "--json").stdout)
        start = json.loads(raak("assemble", "pendulum", "--json").stdout)["start"]
        self.assertAlmostEqual(two["final"]["q"][2], start["q"][2], delta=1e-9)
        self.assertAlmostEqual(two["final"]["v"][2], start["v"][2], delta=1e-9)

    def test_fixed_steps_are_as_many_as_they_fit(self):
        for until, step, count in (("1", "0.1", 10), ("-1", "0.1", 10), ("1", "0.3", 4)):
            document, *_ = self.end("--until", until, "--step", step, "--method", "gauss")
            self.assertEqual(document["statistics"]["accepted"], count, (until, step))


class Units(ProgramTest):
    def test_every_column_has_the_unit_of_its_kind(self):
        """By what the names of columns say, for models of the plane and of space."""
        for model in ("examples/four-bar.toml", "examples/heavy-top.toml", "examples/spherical-pendulum.toml"):
            out = self.scratch / "out"
            raak("run", str(ROOT / model), "--until", "0.01", "--out", str(out), "--quiet")
            header, line = (out / "result.csv").read_text().splitlines()[:2]
            self.assertTrue(line.startswith("# units: "), line)
            units = dict(zip(header.split(","), line[len("# units: "):].split(","), strict=True))
            self.assertEqual(units["t"], "s")
            for name, unit in units.items():
                kind, *rest = name.split(".")
                angular = rest and (rest[-1] in ("angle", "omega") or "omega" in rest)
                if kind == "q" and "quaternion" in rest:
                    self.assertEqual(unit, "1", name)
                elif kind in ("q", "v", "a"):
                    self.assertEqual(unit, ("rad" if angular else "m") + {"q": "", "v": "/s", "a": "/s^2"}[kind], name)
                elif kind == "energy":
                    self.assertEqual(unit, "J", name)
                elif kind == "lambda":
                    self.assertIn(unit, ("N", "N m"), name)

    def test_multipliers_have_the_unit_of_their_row(self):
        """Two rows of a hinge are lengths, the mesh of gears is an angle."""
        path = self.scratch / "m.toml"
        path.write_text('format = "raak/1"\n[ground.points]\nO = [0.0, 0.0]\n[bodies.a]\nmass = 1.0\ninertia = 1.0\npoints = { C = [0.0, 0.0] }\n'
                        '[bodies.b]\nmass = 1.0\ninertia = 1.0\npoints = { C = [0.0, 0.0] }\n[joints]\nO = { type = "revolute", pins = ["ground.O", "a.C", "b.C"] }\n'
                        'mesh = { type = "gear", bodies = ["a", "b"], ratio = 2.0 }\n')
        out = self.scratch / "out"
        raak("run", str(path), "--until", "0.01", "--out", str(out), "--quiet")
        header, line = (out / "result.csv").read_text().splitlines()[:2]
        units = dict(zip(header.split(","), line[len("# units: "):].split(",")))
        self.assertEqual([units[f"lambda.{i}"] for i in range(1, 6)], ["N", "N", "N", "N", "N m"])


class Gaps(ProgramTest):
    def curve(self, output, *arguments):
        """The pieces of the curve of an output over time, each a list of points in pixels."""
        path = self.scratch / "fall.toml"
        path.write_text(FALL.replace("OUTPUTS", f'h = "{output}"'))
        out = self.scratch / "out"
        raak("run", str(path), "--until", "2", "--plot", "h", "--out", str(out), "--quiet", *arguments)
        pieces = []
        for node in xml.etree.ElementTree.parse(out / "h.svg").iter():
            if node.tag.endswith(("polyline", "path")):
                text = node.get("points") or node.get("d")
                numbers = [float(number) for number in re.findall(r"-?\d+\.?\d*", text)]
                if len(numbers) > 8:
                    pieces.append(list(zip(numbers[::2], numbers[1::2])))
        return pieces

    def test_a_curve_breaks_where_it_has_no_value(self):
        whole = self.curve("stone.y")
        self.assertEqual(len(whole), 1)
        # sqrt(|t - 1| - 0.5) has no value from 0.5 to 1.5 s.
        left, right = self.curve("sqrt(abs(t - 1) - 0.5)")
        span = whole[0][-1][0] - whole[0][0][0]
        self.assertAlmostEqual((right[0][0] - left[-1][0]) / span, 0.5, delta=0.02)
        self.assertLess(left[-1][0], right[0][0])

    def test_a_curve_goes_up_where_the_value_does(self):
        [points] = self.curve("t")
        self.assertLess(points[0][0], points[-1][0])
        self.assertGreater(points[0][1], points[-1][1])  # pixels count downwards
        slope = (points[-1][1] - points[0][1]) / (points[-1][0] - points[0][0])
        for x, y in points:
            self.assertAlmostEqual(y, points[0][1] + slope * (x - points[0][0]), delta=0.2)

    def test_the_numbers_at_the_axes_are_those_of_the_curve(self):
        """h = 3 t - 1 from -1 to 5 over 2 s: both axes are linear between their numbers, and the curve lies where they say."""
        for formula, low, high, until in (("3*t - 1", -1.0, 5.0, "2"), ("1e-3*t", 0.0, 2e-3, "2"), ("200 - 100*t", 0.0, 200.0, "2")):
            with self.subTest(formula):
                [points] = self.curve(formula)
                texts = [(float(node.get("x") or 0.0), float(node.get("y") or 0.0), node.text, node.get("text-anchor"), node.get("transform")) for node in
                         xml.etree.ElementTree.parse(self.scratch / "out/h.svg").iter() if node.tag.endswith("text")]
                labels = [text for _, _, text, _, _ in texts]
                self.assertIn("t / s", labels)
                self.assertTrue(any(text.startswith("h") for text in labels), labels)
                numbers = [(x, y, float(text), anchor) for x, y, text, anchor, _ in texts if re.fullmatch(r"-?[\d.e+-]+", text or "")]
                across = sorted((x, value) for x, _, value, anchor in numbers if anchor == "middle")
                upward = sorted((y, value) for _, y, value, anchor in numbers if anchor == "end")
                self.assertGreaterEqual(len(across), 4)
                self.assertGreaterEqual(len(upward), 3)
                for ticks in (across, upward):
                    steps = [(b[0] - a[0], b[1] - a[1]) for a, b in zip(ticks, ticks[1:])]
                    for dx, dv in steps:
                        self.assertAlmostEqual(dx, steps[0][0], delta=0.2)
                        self.assertAlmostEqual(dv, steps[0][1], delta=1e-9)
                t_of = lambda x: across[0][1] + (x - across[0][0]) * (across[-1][1] - across[0][1]) / (across[-1][0] - across[0][0])
                h_of = lambda y: upward[0][1] + (y + 4.0 - upward[0][0]) * (upward[-1][1] - upward[0][1]) / (upward[-1][0] - upward[0][0])  # numbers stand 4 pixels lower
                values = eval(formula, {"t": 0.0}), eval(formula, {"t": 2.0})
                for (x, y), t, h in ((points[0], 0.0, values[0]), (points[-1], 2.0, values[1])):
                    self.assertAlmostEqual(t_of(x), t, delta=0.01)
                    self.assertAlmostEqual(h_of(y), h, delta=0.01 * (high - low))
                self.assertLessEqual(min(value for _, value in upward), low + 1e-9)
                self.assertGreaterEqual(max(value for _, value in upward), high - 1e-9)

    def test_a_curve_that_stays_where_it_is_has_an_axis_around_it(self):
        for formula, value in (("7", 7.0), ("0*t", 0.0)):
            [points] = self.curve(formula)
            self.assertEqual(len({y for _, y in points}), 1)
            self.assertLess(points[0][0], points[-1][0])
        self.assertEqual(len(self.curve("sqrt(-1 - t)")), 0)


if __name__ == "__main__":
    unittest.main()
