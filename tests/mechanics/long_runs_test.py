"""Runs of many turns: what each step leaves open must not grow from one to the next."""

import math
import unittest

from program import ROOT, ProgramTest

EXAMPLES = ROOT / "examples"


class LongRuns(ProgramTest):
    def test_a_crank_that_turns_hundreds_of_times_stays_closed(self):
        for method in ("auto", "gauss", "radau"):
            with self.subTest(method):
                done = self.json("run", str(EXAMPLES / "slider-crank.toml"), "--until", "10", "--rtol", "1e-6", "--method", method)
                state = dict(zip(done["names"], done["final"]["q"]))
                self.assertAlmostEqual(state["rod.angle"], -math.asin(0.5 * math.sin(1500.0)), delta=1e-9)
                self.assertLess(done["quality"]["position_residual"], 1e-10)
                self.assertLess(done["quality"]["energy_drift"], 1e-4)

    def test_linkages_that_turn_on_keep_their_energy(self):
        for model, until in (("andrews", 0.5), (str(EXAMPLES / "andrews-iftomm.toml"), 0.5), (str(EXAMPLES / "four-bar.toml"), 50)):
            with self.subTest(model):
                done = self.json("run", model, "--until", str(until), "--rtol", "1e-6")
                self.assertLess(done["quality"]["position_residual"], 1e-10)
                self.assertLess(done["quality"]["energy_drift"], 1e-2)

    def test_radau_goes_on_where_every_choice_of_coordinates_is_weak(self):
        for rtol, until in ((1e-3, 10), (1e-4, 300)):
            with self.subTest(rtol=rtol):
                done = self.json("run", str(EXAMPLES / "bricard.toml"), "--until", str(until), "--rtol", str(rtol), "--method", "radau")
                self.assertEqual(done["t_end"], until)
                self.assertLess(done["quality"]["energy_drift"], 1e-3)


if __name__ == "__main__":
    unittest.main()
