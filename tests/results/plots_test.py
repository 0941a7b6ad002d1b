"""`raak run --plot`: which pictures are drawn, their axes, and what is said where there is nothing to draw."""

import json
import unittest
import xml.etree.ElementTree

from program import ROOT, ProgramTest, raak


class Plots(ProgramTest):
    def test_each_quantity_is_an_svg_and_a_png(self):
        out = self.scratch / "a"
        done = raak("run", "andrews-iftomm", "--plot", "F.x,energy.balance,q,beta", "--quiet", "--out", str(out))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        for name in ("F.x", "energy.balance", "q", "beta"):
            xml.etree.ElementTree.parse(out / (name + ".svg"))
            self.assertTrue((out / (name + ".png")).read_bytes().startswith(b"\x89PNG"))

    def labels(self, file):
        """Of the axes of a picture, from top to bottom."""
        words = xml.etree.ElementTree.parse(file).getroot().iter("{http://www.w3.org/2000/svg}text")
        return [word.text for word in words if "rotate" in word.get("transform", "")]

    def test_a_kind_has_an_axis_for_each_unit_and_size(self):
        out = self.scratch / "a"
        done = raak("run", "slider-crank", "--plot", "q,each(lambda),q3+q4", "--quiet", "--out", str(out))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        labels = self.labels(out / "q.svg")
        self.assertEqual(labels[:4], ["q.phi1 / rad", "q.phi2 / rad", "q.x3 / m", "q.q1 / m"], "large ones hide no small ones")
        self.assertEqual(self.labels(out / "each-lambda.svg"), ["lambda.1 / N", "lambda.2 / N", "lambda.3 / N m"])
        self.assertTrue((out / "q3-q4.png").exists())

    def test_angles_modulo_two_pi(self):
        out = self.scratch / "a"
        done = raak("run", "andrews", "--plot", "beta,mod(beta)", "--quiet", "--out", str(out))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn(">15<", (out / "beta.svg").read_text())
        folded = (out / "mod-beta.svg").read_text()
        self.assertIn(">-π<", folded)
        self.assertEqual(folded.count('stroke="#0072b2"'), 4, "a piece for each turn")
        self.refused("run", "car-axis", "--plot", "mod(xl)", "--out", str(self.scratch / "b"), says=["modulo 2 pi", '"xl" is in m'])
        self.refused("run", "car-axis", "--plot", "fold(q)", "--out", str(self.scratch / "b"), says=['"fold"', "mod, each, full"])

    def test_axes_ignore_a_blow_up_unless_asked(self):
        out = self.scratch / "a"
        done = raak("run", "slider-crank", "--run", "buckling", "--plot", "q1,full(q1)", "--quiet", "--out", str(out))
        self.assertEqual(done.returncode, 3)
        cut, full = ((out / name).read_text() for name in ("q1.svg", "full-q1.svg"))
        self.assertIn("diverges: beyond the axis from t = 0.08", cut)
        self.assertIn(">0.004<", cut)
        self.assertNotIn("diverges", full)
        self.assertIn(">6e+08<", full)

    def test_a_plot_without_any_value_says_why(self):
        out = self.scratch / "a"
        done = raak("run", str(ROOT / "examples/bricard.toml"), "--plot", "lambda,lambda.2,q", "--quiet", "--out", str(out))
        self.assertEqual(done.returncode, 0, done.stderr)
        said = "nothing to plot of lambda, lambda.2 in J1, J2, J3, J4, J5, J6: these joints constrain the same motion"
        self.assertEqual(done.stderr.count("warning: "), 1)
        self.assertIn("warning: " + said, done.stderr)
        (warning,) = json.loads((out / "run.json").read_text())["warnings"]
        self.assertTrue(warning.startswith(said), warning)
        done = raak("run", str(ROOT / "examples/door.toml"), "--plot", "pull", "--quiet", "--out", str(out))
        self.assertEqual(done.stderr.count("warning: "), 1)
        self.assertIn('output "pull" has no value', done.stderr)

    def test_a_wrong_name_brings_the_nearest_before_anything_runs(self):
        out = self.scratch / "a"
        self.refused("run", "andrews-iftomm", "--plot", "F.z", "--out", str(out), says=['"F.z"', '"F.x"'])
        self.refused("run", "andrews-iftomm", "--plot", "energy.balence", "--out", str(out), says=['"energy.balance"'])
        self.refused("run", "andrews-iftomm", "--plot", "bta", "--out", str(out), says=['did you mean "beta"?'])
        self.refused("run", "andrews-iftomm", "--plot", "beta", says=["--out"])
        self.assertFalse(out.exists())


if __name__ == "__main__":
    unittest.main()
