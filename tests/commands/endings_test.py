"""How runs end and what is reported of them: motions that run away, events, budgets, times."""

import unittest

from models import arm
from program import ProgramTest, raak, rows_of

SLOT = """
format = "raak/1"
space = "planar"
[ground.points]
O = [0.0, 0.0]
[bodies.p]
type = "point"
mass = 1.0
[joints]
rail = { type = "slot", pins = ["ground.O", "p"], axes = ["ground.x"] }
[forces]
f = { type = "force", at = "p", value = ["FORCE", 0.0] }
[start]
trust = { "p.x" = 0.1, "p.vx" = 0.0 }
[outputs]
"twice" = "2*p.x"
EVENTS
[runs.default]
until = 30.0
"""


class Endings(ProgramTest):
    def model(self, text, **words):
        for word, value in words.items():
            text = text.replace(word, value)
        path = self.scratch / "model.toml"
        path.write_text(text)
        return str(path)

    def driven(self, motion):
        return self.model(arm(f'[drivers]\nmotor = {{ coordinate = "arm.angle", motion = "{motion}" }}', start=""))

    def slot(self, force="-100*p.x", events=""):
        return self.model(SLOT, FORCE=force, EVENTS=events and "[events]\n" + events)

    def test_a_motion_that_runs_away_ends_with_its_name_and_the_last_good_state(self):
        path = self.slot(force="1e4*p.x")
        for method in ("auto", "gauss", "adams", "radau", "tangent", "bdf", "dop853"):
            document = self.json("run", path, "--method", method, code=3)
            self.assertRegex(document["message"], r'\Astopped at t = [0-9.]+ s of 30 s\. Cause: the force "f" grows in proportion to the position')
            self.assertIn('the velocity of "p.x" has grown', document["message"], method)
            self.assertEqual(document["diagnosis"]["cause"], "blow-up", method)
            self.assertLess(document["t_end"], 1.0)
            self.assertNotIn(None, document["final"]["q"])

    def test_a_torque_that_feeds_itself_does_not_fill_the_disk(self):
        out = self.scratch / "out"
        path = self.model(arm('[forces]\nf = { type = "torque", on = "arm", value = "50*arm.omega" }'))
        self.assertEqual(raak("run", path, "--trust", "arm.omega=1", "--until", "30", "--out", str(out), "--quiet").returncode, 3)
        self.assertLess((out / "result.csv").stat().st_size, 4e7)

    def test_events_tell_the_motion_and_the_outputs_where_they_happened(self):
        document = self.json("run", self.slot(events='centre = { when = "p.x", direction = "down" }'), "--until", "0.5")
        [event] = document["events"]
        self.assertAlmostEqual(event["t"], 0.15707963, places=5)
        self.assertAlmostEqual(event["q"][document["names"].index("p.x")], 0.0, places=9)
        self.assertAlmostEqual(event["v"][0], -1.0, places=4)
        self.assertAlmostEqual(event["outputs"]["twice"], 0.0, places=9)

    def test_a_fast_event_is_found_at_every_zero(self):
        document = self.json("run", self.slot(events='fast = { when = "sin(1000*t + 0.1)" }'), "--until", "0.4")
        self.assertEqual((len(document["events"]), document["warnings"]), (127, []))

    def test_an_event_that_ends_the_run_has_a_row_beside_the_times_asked_for(self):
        out = self.scratch / "out"
        path = self.slot(events='centre = { when = "p.x", action = "stop" }')
        self.assertEqual(raak("run", path, "--at", "0,0.1,0.4", "--out", str(out), "--quiet").returncode, 0)
        times = [float(row["t"]) for row in rows_of(out / "result.csv")]
        self.assertEqual(times[:2], [0.0, 0.1])
        self.assertAlmostEqual(times[2], 0.15707963, places=5)
        self.assertEqual(len(times), 3)

    def test_an_unknown_word_in_an_event_brings_the_reactions_too(self):
        self.refused("run", self.slot(events='push = { when = "rial.force.y" }'), code=1,
                     says=["rial.force.y", "rail.force.y", "rail.moment"])

    def test_a_first_step_that_is_lost_in_the_time_is_refused(self):
        self.refused("run", "pendulum", "--h0", "1e-30", says=["a first step of 1e-30 s is lost", "must be longer than"])

    def test_frames_are_read_with_or_without_a_folder(self):
        self.refused("run", "pendulum", "--frames", "-1", says=["--frames", "-1"])
        self.refused("run", "pendulum", "--frames", "1e9", says=["--frames expects a whole number from 1 to 20000"])

    def test_a_name_in_capitals_is_recognised(self):
        self.refused("run", "pendulum", "--method", "GAUSS", says=['did you mean "gauss"?'])

    def test_recording_is_timed_apart(self):
        statistics = self.json("run", "andrews")["statistics"]
        self.assertGreater(statistics["recording_seconds"], 0.0)
        self.assertRegex(raak("run", "andrews").stdout,
                         r"  CPU time     [0-9.]+ \w+ integrating, [0-9.]+ \w+ recording, ")

    def test_a_prescribed_motion_with_a_corner_or_a_jump_ends_the_run_where_it_is(self):
        for motion, t, what in (("abs(t-0.5)", "0.5", "the rate"), ("min(2*t,0.31)", "0.155", "the rate"),
                                ("max(0,t-0.5)", "0.5", "the rate"), ("0.1*sign(t-0.5)", "0.5", "the position")):
            for method in ("auto", "radau5") if "sign" in motion else ("auto", "gauss", "radau5"):
                with self.subTest(motion=motion, method=method):
                    self.refused("run", self.driven(motion), "--method", method, "--quiet", code=3,
                                 says=[f'at t = {t} s {what} that "motor" prescribes jumps', "Try: a motion with a rate"])
        self.assertAlmostEqual(self.json("run", self.driven("max(0,t-0.5)^3"))["final"]["q"][2], 0.125, places=6)

    def test_a_prescribed_motion_without_a_rate_at_the_start_is_named(self):
        self.refused("run", self.driven("sqrt(t)"), "--quiet", code=3, says=['"motor" has no value at the start', "Cause: undefined"])


if __name__ == "__main__":
    unittest.main()
