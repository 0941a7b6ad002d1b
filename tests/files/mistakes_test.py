"""Mistakes that people make in model files, and the messages they get."""

import json
import shutil
import unittest
from pathlib import Path

from models import HINGE, LOOSE_ARM, TWO_RODS
from program import ROOT, ProgramTest, raak


class Mistakes(ProgramTest):
    def write(self, text, name="m.toml"):
        path = self.scratch / name
        path.write_text(text)
        return str(path)

    def test_a_misspelt_joint_or_body_in_an_output_has_a_nearest_name(self):
        for wrong, near in (("hnge.force.x", "hinge.force.x"), ("amr.angle", "arm.angle"), ("arm.p.x", "arm.P.x"), ("hinge.arn.force.x", "hinge.arm.force.x")):
            with self.subTest(wrong):
                path = self.write(LOOSE_ARM + HINGE + f'[outputs]\no = "{wrong}"\n')
                self.refused("assemble", path, code=1, says=[f'did you mean "{near}"?', "m.toml:13:"])

    def test_a_message_goes_on_behind_a_nul(self):
        for text in ('[joints]\n"h\\u0000x" = { type = "revolute", pins = ["ground.O", "arm.O"] }\n', HINGE.replace("revolute", "h\\u0000x")):
            done = raak("assemble", self.write(LOOSE_ARM + text))
            self.assertEqual(done.returncode, 1)
            self.assertIn("h\\x00x\"", done.stderr)

    def test_names_of_events_and_outputs_are_refused_in_good_grammar(self):
        event = '[events]\n"1" = { when = "arm.angle" }\n'
        self.refused("assemble", self.write(LOOSE_ARM + HINGE + event), code=1, says=["the name of an event consists"])
        output = f'[outputs]\n"{"é" * 128}" = "arm.x"\n'
        self.refused("assemble", self.write(LOOSE_ARM + HINGE + output), code=1, says=["at most 255 bytes for an output", "(256 bytes)"])
        point = "x" * 256
        self.refused("assemble", self.write(LOOSE_ARM + HINGE + f"[parameters]\n{point} = 1\n"), code=1, says=["at most 255 bytes for a parameter"])

    def test_a_reference_to_what_no_run_has_is_refused_with_its_place(self):
        for name in ("lambda.1.5", "lambda.01", "lambda.3", "energy.foo"):
            with self.subTest(name):
                path = self.write(LOOSE_ARM + HINGE + f'[runs.default]\nuntil = 0.1\n[references.r]\nvalues = {{ "{name}" = 1.0 }}\n')
                self.refused("check", path, code=1, says=["m.toml:15:", f'"{name}"'])

    def test_a_reference_may_know_other_quantities_at_other_times(self):
        (self.scratch / "r.csv").write_text("t,name,value\n0.1,arm.angle,0.0\n0.2,arm.omega,0.0\n")
        text = LOOSE_ARM.replace("gravity", "# gravity") + HINGE
        text += '[outputs]\ntwice = "2*arm.angle"\n[runs.default]\nuntil = 0.2\n[references.r]\nfile = "r.csv"\n'
        path = self.write(text)
        for until in ("0.1", "0.2"):
            self.assertEqual(self.json("run", path, "--until", until)["quality"]["scd"], 16.0)
        self.assertTrue(self.json("check", path)[0]["pass"])

    def test_an_output_with_the_name_of_another_column_is_refused(self):
        for name in ("q.arm.x", "v.arm.angle", "a.arm.y", "lambda.2"):
            with self.subTest(name):
                path = self.write(LOOSE_ARM + HINGE + f'[outputs]\n"{name}" = "arm.x"\n')
                self.refused("run", path, "--until", "0.1", code=1, says=["m.toml:13:", f'"{name}" is a result of every run'])
        path = self.write(LOOSE_ARM + HINGE + '[outputs]\n"a.height" = "arm.y"\n"lambda.9" = "arm.x"\n')
        self.assertEqual(raak("run", path, "--until", "0.1").returncode, 0)

    def test_a_rotation_without_digits_is_refused_with_its_place(self):
        text = 'format = "raak/1"\nspace = "spatial"\n[bodies.top]\nmass = 1.0\ninertia = [1.0, 1.0, 1.0]\n[start.guess]\n'
        self.refused("assemble", self.write(text + '"top.rotation" = [0.0, 1.0, 1e308]\n'), code=1,
                     says=["m.toml:7:", "a rotation by at most 1e+06 rad"])

    def test_what_the_parser_finds_is_reported_in_plain_words(self):
        for text, says in (("k = 1.0\nk = 2.0\n", 'm.toml:2:5: the key "k" is given twice'),
                           ("k = " + "[" * 300 + "]" * 300, "expected at most 256 arrays and tables inside each other"),
                           ("title = 'x'\n", 'm.toml:1:1: expected format = "raak/1"')):
            self.refused("assemble", self.write(text), code=1, says=[says])

    def test_a_mass_beyond_all_squares_is_not_an_impossible_assembly(self):
        path = self.write((LOOSE_ARM + HINGE).replace("mass = 2.0", "mass = 1e308"))
        self.refused("run", path, "--until", "1", code=3, says=["not finite", "check the sizes of masses"])

    def test_a_key_of_very_many_parts_is_refused(self):
        for text in (".".join("a" * 60000) + " = 1\n", "[" + ".".join("a" * 60000) + "]\n"):
            self.refused("assemble", self.write(text), code=1, says=["m.toml:1:", "a key of at most 100 parts"])

    def test_a_force_with_the_name_of_a_joint_is_refused(self):
        path = self.write(LOOSE_ARM + HINGE + '[forces]\nhinge = { type = "torque", on = "arm", value = 1.0 }\n')
        self.refused("assemble", path, code=1, says=['the name "hinge" is taken by a joint'])

    def test_a_body_without_any_joint_is_said_to_fly(self):
        done = raak("run", self.write(LOOSE_ARM), "--until", "0.1")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr.count('"arm" has no joints: it is a free body'), 1)

    def test_a_force_without_a_value_at_the_start_is_named(self):
        path = self.write(LOOSE_ARM + HINGE + '[forces]\nwind = { type = "force", at = "arm.P", value = ["log(-1+t)", 0.0] }\n')
        self.refused("assemble", path, code=3, says=['"wind" has no value at the start'])

    def test_a_rate_that_contradicts_a_driver_is_named_with_it(self):
        path = self.write(LOOSE_ARM + HINGE + '[start]\ntrust = { "arm.omega" = 3.0 }\n[drivers]\nmotor = { coordinate = "arm.angle", motion = "t" }\n')
        self.refused("assemble", path, code=3, says=['"motor" held', '"arm.omega" is missed by 2 rad/s'])

    def test_a_comparison_is_said_to_be_a_difference(self):
        path = self.write(LOOSE_ARM + HINGE + '[constraints]\nc = { equation = "arm.P.x = 0.5" }\n')
        self.refused("assemble", path, code=1, says=["the difference of its sides"])

    def test_rates_and_motion_where_they_are_not_known(self):
        for text, says in (('[constraints]\nc = { equation = "arm.vx" }\n', '"arm.vx" is a rate'), ('[drivers]\nd = { coordinate = "arm.angle", motion = "arm.x" }\n', '"arm.x" changes with the motion')):
            self.refused("assemble", self.write(LOOSE_ARM + HINGE + text), code=1, says=[says])

    def test_a_singular_start_that_moves_is_not_called_at_rest(self):
        path = str(self.scratch / "row.toml")
        self.assertEqual(raak("new", "n-four-bar", "--count", "22", "--out", path).returncode, 0)
        text = Path(path).read_text().replace('"pi/2"', "0.0").replace('"crank0.omega" = -1.0', '"crank0.omega" = -1.0, "crank1.omega" = -2.0')
        self.refused("assemble", self.write(text), code=3, says=["several motions cross", "Give the rates of all bodies"])

    def test_each_pin_of_a_joint_has_its_reaction(self):
        # Two rods hang from one pin of the ground: the pin of the ground carries both.
        text = LOOSE_ARM + LOOSE_ARM[LOOSE_ARM.index("[bodies.arm]"):].replace("bodies.arm", "bodies.other").replace("mass = 2.0", "mass = 3.0")
        text += '[joints]\npin = { type = "revolute", pins = ["ground.O", "arm.O", "other.O"] }\n[start]\n'
        text += 'trust = { "arm.angle" = "-pi/2", "other.angle" = "-pi/2" }\n[outputs]\n'
        for body in ("ground", "arm", "other"):
            text += f'{body} = "pin.{body}.force.y"\n'
        text += 'second = "pin.force.y"\n'
        document = json.loads(raak("assemble", self.write(text), "--json").stdout)
        outputs = document["outputs"]
        for body, force in (("ground", -5.0 * 9.81), ("arm", 2.0 * 9.81), ("other", 3.0 * 9.81), ("second", 2.0 * 9.81)):
            self.assertAlmostEqual(outputs[body], force, delta=1e-9)

    def test_a_rod_between_points_that_are_pinned_together_is_refused(self):
        text = LOOSE_ARM + LOOSE_ARM[LOOSE_ARM.index("[bodies.arm]"):].replace("bodies.arm", "bodies.other")
        text += '[joints]\npin = { type = "revolute", pins = ["ground.O", "arm.O"] }\n'
        text += 'end = { type = "revolute", pins = ["arm.P", "other.O"] }\n'
        text += 'rod = { type = "distance", between = ["arm.P", "other.O"], length = 1.5 }\n'
        self.refused("assemble", self.write(text), code=3, says=['"rod" stays open by 1.5 m'])

    def test_checks_tell_of_a_mechanism_without_reference_that_cannot_be_assembled(self):
        folder = self.scratch / "without references"
        folder.mkdir()
        (folder / "apart.toml").write_text(TWO_RODS.replace("LENGTH", "2.0"))
        (folder / "together.toml").write_text(TWO_RODS.replace("LENGTH", "1.0"))
        done = raak("check", str(folder))
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertRegex(done.stderr, r"apart\.toml: the mechanism cannot be assembled")
        self.assertRegex(done.stderr, r"no reference solution.*together\.toml")

    def test_a_folder_is_checked_to_its_end(self):
        shutil.copy(ROOT / "examples/pendulum.toml", self.scratch / "a.toml")
        self.write("format = 3\n", "b.toml")
        self.write(LOOSE_ARM + "[joints]\nh = 1\n", "c.toml")
        done = raak("check", str(self.scratch))
        self.assertEqual(done.returncode, 1)
        self.assertIn("b.toml:1:", done.stderr)
        self.assertIn("c.toml:", done.stderr)
        self.assertIn("pass", done.stdout)
        rows = json.loads(raak("check", str(self.scratch), "--json").stdout)
        self.assertEqual({row["model"].rsplit("/", 1)[1]: row["pass"] for row in rows}, {"a.toml": True, "b.toml": False, "c.toml": False})


if __name__ == "__main__":
    unittest.main()
