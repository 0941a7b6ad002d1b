"""raak modes: the frequencies of the documents, of files and of large mechanisms, what is refused, and the files it writes."""

import json
import math
import resource
import unittest

from program import ROOT, ProgramTest, raak

# A body that falls, one that nothing moves, and a parallelogram that is driven through one line.
FALLING = """format = "raak/1"
gravity = [0.0, -9.81]
[bodies.stone]
mass = 1.0
inertia = 0.1
"""
FREE = FALLING.replace("-9.81", "0.0")
SOFT = """format = "raak/1"
[bodies.p]
type = "point"
mass = 2.0
[forces]
hold = { type = "force", at = "p", value = ["-50*p.x", "-50*p.y"] }
[start]
guess = { "p.x" = 0.1 }
smooth = true
"""
LINE = """format = "raak/1"
[ground.points]
A = [0.0, 0.0]
D = [2.0, 0.0]
[bodies.a]
mass = 1.0
inertia = 0.1
points = { A = [0.0, 0.0], B = [1.0, 0.0] }
[bodies.b]
mass = 1.0
inertia = 0.1
points = { B = [0.0, 0.0], C = [2.0, 0.0] }
[bodies.c]
mass = 1.0
inertia = 0.1
points = { D = [0.0, 0.0], C = [1.0, 0.0] }
[joints]
pa = { type = "revolute", pins = ["ground.A", "a.A"] }
pb = { type = "revolute", pins = ["a.B", "b.B"] }
pc = { type = "revolute", pins = ["b.C", "c.C"] }
pd = { type = "revolute", pins = ["ground.D", "c.D"] }
[drivers]
crank = { coordinate = "a.angle", motion = "1 - t" }
[start]
guess = { "b.angle" = 0.0, "c.angle" = 1.0 }
[runs.default]
until = 3.0
"""


class Modes(ProgramTest):
    def written(self, text, name="model.toml"):
        path = self.scratch / name
        path.write_text(text)
        return str(path)

    def frequencies(self, *arguments):
        return [mode["omega"] for mode in self.json("modes", *arguments)["modes"]]

    def test_the_document_has_what_was_promised(self):
        found = self.json("modes", "pendulum")
        self.assertEqual((found["model"], found["t"], found["equilibrium"]), ("pendulum", 0.0, True))
        mode, = found["modes"]
        self.assertAlmostEqual(2 * math.pi / mode["omega"], 2.569458, 6)
        self.assertAlmostEqual(mode["frequency_hz"], mode["omega"] / (2 * math.pi), 14)
        self.assertEqual(mode["damping"], 0.0)
        self.assertEqual(set(mode["shape"]), {"x", "y", "phi"})
        self.assertAlmostEqual(mode["shape"]["x"], 0.75, 12)
        self.assertAlmostEqual(mode["shape"]["phi"], 1.0, 12)

    def test_the_slider_crank_says_where_the_frequencies_of_the_document_are(self):
        for wanted, options in (((1276.6864, 5106.7456, 6840.8169, 24612.6584), ("--set", "m3=0")), ((1276.6864, 5106.7456, 6617.78, 22605.97), ())):
            found = self.json("modes", "slider-crank", *options)
            for mode, omega in zip(found["modes"], wanted, strict=True):
                self.assertLess(abs(mode["omega"] - omega), 6e-3 if omega in (6617.78, 22605.97) else 6e-5)
            self.assertEqual("m3=0" in found["note"], not options)
        self.assertIn("--set m3=0", raak("modes", "slider-crank").stdout)
        for command in ("run", "assemble", "explain", "check"):
            self.refused(command, "slider-crank", "--set", "m3=0", says=['parameter "m3"', "expects", "raak modes"])
        self.refused("modes", "slider-crank", "--set", "m3=-1", says=["m3"])

    def test_a_motion_without_a_smooth_start_has_modes(self):
        self.refused("run", "slider-crank", "--set", "Omega=1276", code=3, says=["no smooth start"])
        for omega, expected in zip(self.frequencies("slider-crank", "--set", "Omega=1276"), self.frequencies("slider-crank"), strict=True):
            self.assertLess(abs(omega / expected - 1), 1e-9)
        path = self.written(SOFT)
        self.refused("run", path, "--until", "1", code=3, says=["no smooth start"])
        self.assertEqual([round(omega, 9) for omega in self.frequencies(path)], [5.0, 5.0])

    def test_a_driver_is_held_where_it_is_at_that_time(self):
        # With the crank at another angle the block moves another way as the rod stretches.
        self.assertNotEqual(self.frequencies("slider-crank")[3], self.frequencies("slider-crank", "--at", "0.01")[3])
        self.assertEqual(self.json("modes", "slider-crank", "--at", "0.01")["t"], 0.01)
        self.assertFalse(self.json("modes", "andrews", "--at", "0.01")["equilibrium"])

    def test_files_have_the_modes_of_the_built_in_models(self):
        for name, column in (("pendulum", 0), ("andrews", 0)):
            for options in ((), ("--at", "0.02")):
                built_in, file = self.frequencies(name, *options), self.frequencies(str(ROOT / f"examples/{name}.toml"), *options)
                self.assertLess(abs(built_in[column] / file[column] - 1), 1e-5 if name == "andrews" else 1e-7, (name, options))

    def test_a_chain_of_1000_rods_takes_less_than_2_seconds(self):
        path = self.scratch / "chain.toml"
        self.assertEqual(raak("new", "chain", "--count", "1000", "--out", str(path)).returncode, 0)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        found = self.json("modes", str(path))
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        # Bernoulli 1733: zeros of J0.
        for mode, zero in zip(found["modes"], (2.404826, 5.520078, 8.653728)):
            self.assertLess(abs(mode["omega"] / (0.5 * zero * math.sqrt(9.81 / 1000)) - 1), 1e-3)
        self.assertEqual(len(found["modes"]), 20)
        # Work, not time on the clock: other tests run at the same time.
        self.assertLess(after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime, 2.0)

    def test_free_motion_is_reported_as_such(self):
        found = self.json("modes", self.written(FREE))
        self.assertEqual([(mode["omega"], mode["kind"]) for mode in found["modes"]], [(0.0, "rigid")] * 3)
        self.assertEqual(raak("modes", self.written(FREE)).stdout.count("rigid: nothing holds it"), 3)

    def test_what_falls_has_no_equilibrium(self):
        path = self.written(FALLING)
        self.refused("modes", path, code=3, says=["no static equilibrium", '"stone.y"', "--at 0"])
        self.assertEqual(len(self.frequencies(path, "--at", "0")), 3)

    def test_a_singular_configuration_is_named(self):
        path = self.written(LINE)
        self.refused("modes", path, "--at", "1", code=3, says=["singular configuration", "t = 1 s", "pc", "Try: --at T"])
        self.assertEqual(self.json("modes", path, "--at", "0.5")["freedoms"], 0)

    def test_options_are_checked(self):
        for count in ("0", "-1", "1.5", "many", "1e9"):
            self.refused("modes", "pendulum", "--count", count, says=["--count"])
        self.refused("modes", "pendulum", "--at", "soon", says=["--at"])
        self.refused("modes", "pendulm", says=['"pendulum"'])
        self.assertEqual(len(self.frequencies("slider-crank", "--count", "2")), 2)

    def test_the_page_needs_nothing_else_and_titles_are_text(self):
        out = self.scratch / "out"
        text = FREE.replace('"raak/1"', '"raak/1"\ntitle = "</script><script>alert(1)</script>"')
        done = raak("modes", self.written(text), "--out", str(out))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("modes.html", done.stdout)
        page = (out / "modes.html").read_text()
        self.assertNotIn("<script>alert", page)
        self.assertNotRegex(page, r'(?:src|href)="https?:')
        self.assertEqual(json.loads((out / "modes.json").read_text())["freedoms"], 3)
        # Again into the same folder, but not into any other.
        self.assertEqual(raak("modes", "pendulum", "--out", str(out)).returncode, 0)
        (self.scratch / "other").mkdir()
        (self.scratch / "other/mine.txt").write_text("mine")
        self.refused("modes", "pendulum", "--out", str(self.scratch / "other"), says=["not empty"])

    def test_completion_and_manual_know_it(self):
        self.assertIn("modes", raak("completion", "bash").stdout)
        self.assertIn("raak modes", raak("man").stdout.replace("\\-", "-"))


if __name__ == "__main__":
    unittest.main()
