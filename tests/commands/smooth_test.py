"""Smooth starts, buckling and the motion of the crank: what a user with the document of the slider crank can do."""

import re
import shlex
import subprocess
import unittest

from program import PATIENCE, RAAK, ROOT, ProgramTest, raak, rows_of

PAGE = (ROOT / "docs/problems.md").read_text().split("## The slider crank beyond its tables")[1]

# A crank whose rod is a stiff spring: 1414 rad/s beside a crank of 50 rad/s.
STIFF_CRANK = """format = "raak/1"
[parameters]
Omega = 50.0
k = 1e6
[ground.points]
O = [0.0, 0.0]
[bodies.crank]
mass = 0.36
inertia = 0.0027
com = [0.075, 0.0]
points = { O = [0.0, 0.0], A = [0.15, 0.0] }
[bodies.block]
type = "point"
mass = 0.5
[joints]
O = { type = "revolute", pins = ["ground.O", "crank.O"] }
[constraints]
rail = { equation = "block.y" }
[forces]
rod = { type = "spring", between = ["crank.A", "block"], stiffness = "k", length = 0.3 }
[drivers]
drive = { coordinate = "crank.angle", motion = "Omega*t + 0.3" }
[start]
guess = { "block.x" = 0.44 }
SMOOTH
[runs.default]
until = 0.05
rtol = 1e-10
"""

# A stiff spring that swings, and falls on its way: what is slow moves freely.
SPRING_PENDULUM = """format = "raak/1"
gravity = [0.0, -9.81]
[ground.points]
O = [0.0, 0.0]
[bodies.bob]
type = "point"
mass = 2.0
[forces]
spring = { type = "spring", between = ["ground.O", "bob"], stiffness = 2e6, length = 1.0 }
[start]
trust = { "bob.x" = 0.6, "bob.vx" = 1.2 }
guess = { "bob.y" = -0.8, "bob.vy" = 0.9 }
SMOOTH
[outputs]
radial = "(bob.x*bob.vx + bob.y*bob.vy)/sqrt(bob.x^2 + bob.y^2)"
[runs.default]
until = 0.2
rtol = 1e-10
"""


def swing(rows, column):
    values = [float(row[column]) for row in rows]
    return max(values) - min(values)


class SmoothStart(ProgramTest):
    def sampled(self, model, *options, every="2e-5"):
        out = self.scratch / "out"
        done = raak("run", model, *options, "--every", every, "--out", str(out), "--quiet")
        self.assertEqual(done.returncode, 0, done.stderr)
        return rows_of(out / "result.csv")

    def model(self, text, smooth):
        path = self.scratch / "model.toml"
        path.write_text(text.replace("SMOOTH", smooth))
        return str(path)

    def test_the_rod_vibrates_by_less_than_a_hundredth_as_the_page_tells(self):
        published = re.findall(r"^\| (\d+) \| ([\d.]+), ([\d.]+) \| ([\d.]+), ([\d.]+) \| \d+, \d+ \| ([\d.]+), ([\d.]+) \|", PAGE, re.M)
        self.assertEqual([row[0] for row in published], ["50", "75", "100", "125", "150"])
        for speed, *swings in published:
            options = ("--set", f"Omega={speed}", "--rtol", "1e-9", "--set")
            found = []
            for start in ("start=oscillatory", "start=smooth", "order=2"):
                rows = self.sampled("slider-crank", *options, start)
                found += [swing(rows, "a.q3"), swing(rows, "a.q4")]
            with self.subTest(speed=speed):
                for value, printed in zip(found, swings):
                    self.assertAlmostEqual(value, float(printed), delta=0.02 * value)
                for k in (0, 1):
                    self.assertGreater(found[k], 100 * found[2 + k])
                    self.assertGreater(found[k], 1000 * found[4 + k])

    def test_the_commands_of_the_page_run(self):
        lines = [line.strip() for line in PAGE.splitlines() if line.startswith("    raak ")]
        self.assertGreater(len(lines), 6)
        for line in lines:
            with self.subTest(line):
                done = subprocess.run([RAAK, *shlex.split(line)[1:]], cwd=self.scratch, capture_output=True, text=True, timeout=PATIENCE)
                buckles = "--run buckling" in line and "--set" not in line
                self.assertEqual(done.returncode, 3 if buckles else 0, done.stderr)

    def test_the_numbers_printed_for_another_speed_vibrate(self):
        printed, smooth = (self.sampled("slider-crank", "--set", "Omega=100", "--rtol", "1e-9", "--set", f"start={start}")
                           for start in ("printed", "smooth"))
        self.assertGreater(swing(printed, "a.q4"), 50 * swing(smooth, "a.q4"))

    def test_a_stiff_model_file_starts_smooth(self):
        rigid = self.sampled(self.model(STIFF_CRANK, ""))
        smooth = self.sampled(self.model(STIFF_CRANK, "smooth = true"))
        # The block swings with the crank anyway: what the rod adds is seen beside a rod a thousand times as stiff.
        stiff = self.sampled(self.model(STIFF_CRANK, "smooth = true"), "--set", "k=1e9")

        def off(rows):
            return max(abs(float(a["a.block.x"]) - float(b["a.block.x"])) for a, b in zip(rows, stiff))

        self.assertGreater(off(rigid), 100 * off(smooth))

    def test_a_slow_motion_of_its_own_goes_on(self):
        rows = {}
        for smooth in ("", "smooth = true", "smooth = { order = 0 }", "smooth = { above = 100.0 }", "smooth = { order = 3, above = 10 }"):
            rows[smooth] = self.sampled(self.model(SPRING_PENDULUM, smooth), every="1e-4")
            start = rows[smooth][0]
            self.assertEqual(float(start["q.bob.x"]), 0.6)
            self.assertAlmostEqual(float(start["v.bob.x"]), 1.2, delta=1e-12)
        vibrates = swing(rows[""], "radial")
        for smooth in list(rows)[1:]:
            with self.subTest(smooth):
                self.assertGreater(vibrates, 100 * swing(rows[smooth], "radial"))

    def test_trust_from_the_command_line_holds(self):
        path = self.model(SPRING_PENDULUM, "smooth = true")
        found = self.json("assemble", path, "--trust", "bob.x=0.3")
        self.assertIn(0.3, found["start"]["q"])

    def test_assemble_tells_what_follows(self):
        done = raak("assemble", self.model(STIFF_CRANK, "smooth = true"))
        self.assertRegex(done.stdout, r"starts smooth, order 2: the vibration of 1\d\d\d rad/s follows the motion")

    def test_without_a_stiff_part(self):
        soft = self.model(STIFF_CRANK, "smooth = true")
        self.refused("run", soft, "--set", "k=5e3", code=3, says=["no stiff part", "98.9 rad/s", "factor of 5", "Cause: no smooth start. Try: stiffen"])

    def test_in_resonance(self):
        path = self.model(STIFF_CRANK, "smooth = { above = 100.0 }")
        self.refused("run", path, "--set", "Omega=900", code=3, says=["resonance", 'carried by "block.x"', "rad/s", "Cause: no smooth start. Try: drive it slower"])
        self.refused("run", "slider-crank", "--set", "Omega=400", code=3, says=["resonance", "1276.69 rad/s", '"q1"', "start=oscillatory"])

    def test_a_trusted_value_of_the_vibration(self):
        path = self.model(SPRING_PENDULUM.replace('"bob.vx" = 1.2', '"bob.vx" = 1.2, "bob.y" = -0.8').replace('"bob.y" = -0.8, "bob.vy"', '"bob.vy"'), "smooth = true")
        self.refused("run", path, code=3, says=["trusted", '"bob.', "guess"])

    def test_wrong_keys(self):
        for smooth, says in (("smooth = 1", ["expected smooth to be true, false", "the number 1"]),
                             ("smooth = { order = 4 }", ["order", "0 to 3", "the number 4"]),
                             ("smooth = { order = 1.5 }", ["order", "whole number"]),
                             ("smooth = { ordr = 1 }", ["ordr", "order"]),
                             ("smooth = { above = -1.0 }", ["0 rad/s or more", "-1"]),
                             ("smooth = { above = \"bob.x\" }", ["constant"])):
            with self.subTest(smooth):
                self.refused("run", self.model(SPRING_PENDULUM, smooth), code=1, says=["model.toml:", *says])


class CrankMotion(ProgramTest):
    def test_the_crank_follows_any_formula_of_time(self):
        found = self.json("run", "slider-crank", "--set", "motion=Omega*t + 0.2*sin(40*t)^2", "--set", "Omega=60", "--until", "0.05")
        angle = dict(zip(found["names"], found["final"]["q"]))["phi1"]
        self.assertAlmostEqual(angle, 3.0 + 0.2 * 0.9092974268256817 ** 2, delta=1e-12)

    def test_written_out_the_motion_of_the_document_gives_the_same(self):
        one, other = (self.json("run", "slider-crank", "--rtol", "1e-10", "--set", "start=printed", "--set", f"motion={motion}")
                      for motion in ("Omega*t", "150*t"))
        for a, b in zip(one["final"]["q"], other["final"]["q"]):
            self.assertAlmostEqual(a, b, delta=1e-11)

    def test_a_formula_that_is_none(self):
        for motion, says in (("Omga*t", ["Omga", "Omega"]), ("Omega*", ["at character"]), ("q1", ["q1", "formula of t, pi"]), ("", ["motion"])):
            with self.subTest(motion):
                self.refused("run", "slider-crank", "--set", f"motion={motion}", says=says)

    def test_gravity_of_the_car_axis(self):
        one, other = (self.json("run", "car-axis", "--set", f"g={g}", "--until", "0.5")["final"]["q"] for g in ("1", "9.81"))
        self.assertLess(other[1], one[1])


class Buckling(ProgramTest):
    def stopped(self, *options):
        found = self.json("run", "slider-crank", "--run", "buckling", *options, code=3)
        self.assertEqual(found["diagnosis"]["cause"], "buckling")
        return found

    def test_the_rod_buckles_at_160_rad_per_second(self):
        for method in ("auto", "gauss", "radau", "radau5"):
            with self.subTest(method):
                found = self.stopped("--method", method, "--rtol", "1e-10")
                self.assertAlmostEqual(found["t_end"], 0.086703429, delta=3e-9)
        for words in ("buckling", "bending of the rod", '"q1"', "no lower bound", "0.0867034"):
            self.assertIn(words, found["message"])

    def test_the_sweep_over_the_speed(self):
        speeds, times = (re.search(rf"^\| {name} \| (.*) \|$", PAGE, re.M)[1].split(" | ") for name in ("Omega", "buckles at"))
        self.assertEqual(len(speeds), len(times))
        self.assertIn("165", speeds)
        for speed, time in zip(speeds, times):
            with self.subTest(speed=speed):
                options = ("--set", f"Omega={speed}", "--rtol", "1e-10")
                if time == "no":
                    self.assertEqual(self.json("run", "slider-crank", "--run", "buckling", *options)["status"], "ok")
                else:
                    digits = len(time.split(" ")[0].split(".")[1])
                    self.assertAlmostEqual(self.stopped(*options)["t_end"], float(time.split(" ")[0]), delta=0.51 * 10.0**-digits)

    def test_a_smooth_start_survives_160_rad_per_second(self):
        self.assertEqual(self.json("run", "slider-crank", "--run", "buckling", "--set", "start=smooth")["status"], "ok")

    def test_needles_grow_before_it(self):
        out = self.scratch / "out"
        raak("run", "slider-crank", "--run", "buckling", "--every", "1e-4", "--out", str(out), "--quiet")
        q4 = [(float(row["t"]), float(row["q.q4"])) for row in rows_of(out / "result.csv")]
        first = min(q for t, q in q4 if t < 0.04)
        last = min(q for t, q in q4 if 0.07 < t < 0.0866)
        self.assertLess(last, 1.5 * first)
        self.assertLess(first, -1e-5)

    def test_a_spring_of_the_wrong_sign_does_not_buckle(self):
        path = self.scratch / "wrong.toml"
        path.write_text(STIFF_CRANK.replace("SMOOTH", "").replace("until = 0.05", "until = 5.0"))
        found = self.json("run", str(path), "--set", "k=-1e6", code=3)
        self.assertEqual(found["diagnosis"]["cause"], "blow-up")


if __name__ == "__main__":
    unittest.main()
