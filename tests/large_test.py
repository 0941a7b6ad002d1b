"""Mechanisms of a hundred to thousands of bodies."""

import unittest

import many_bodies
from program import ProgramTest, raak


class ManyBodies(ProgramTest):
    def model(self, kind, count):
        path = self.scratch / f"{kind}{count}.toml"
        path.write_text(many_bodies.KINDS[kind](count))
        return str(path)

    def test_a_chain_of_a_thousand_rods_keeps_its_energy(self):
        document = self.json("run", self.model("chain", 1000))
        self.assertEqual(document["status"], "ok")
        self.assertEqual(document["method_used"], "gauss")
        self.assertLess(document["quality"]["energy_drift"], 1e-4)
        self.assertLess(document["quality"]["position_residual"], 1e-9)

    def test_a_ladder_of_four_bars_moves_as_one(self):
        document = self.json("run", self.model("ladder", 200))
        self.assertEqual(document["status"], "ok")
        angles = [q for name, q in zip(document["names"], document["final"]["q"]) if name.startswith("crank") and name.endswith("angle")]
        self.assertEqual(len(angles), 201)
        self.assertLess(max(angles) - min(angles), 1e-7)
        self.assertGreater(abs(angles[0] - 1.2), 0.01)
        self.assertLess(document["quality"]["energy_drift"], 1e-4)

    def test_a_chain_in_space_keeps_its_energy(self):
        document = self.json("run", self.model("spatial-chain", 100))
        self.assertEqual(document["status"], "ok")
        self.assertLess(document["quality"]["energy_drift"], 1e-3)

    def test_rows_too_many_are_found_and_named_among_thousands(self):
        model = self.model("doors", 100)
        told = self.json("assemble", model)["mechanism"]
        self.assertEqual((told["mobility"], told["redundant"]), (100, 500))
        self.assertEqual(sorted(told["sharing"]), sorted([f"{end}{i}" for i in range(100) for end in ("low", "high")]))
        document = self.json("run", model)
        self.assertEqual(document["status"], "ok")
        self.assertLess(document["quality"]["energy_drift"], 1e-6)

    def test_steps_end_at_the_jumps_of_a_force_among_many_bodies(self):
        path = self.scratch / "shaken.toml"
        push = '[forces]\npush = { type = "torque", on = "rod0", value = "200*sign(sin(40*t))" }\n[outputs]\ntip = "rod119.B.x"\n'
        path.write_text(many_bodies.chain(120).replace("[runs", push + "[runs"))
        tip = {}
        for method, rtol in (("dop853", "1e-11"), ("gauss", "1e-8"), ("dop853", "1e-8")):
            document = self.json("run", str(path), "--until", "0.2", "--method", method, "--rtol", rtol)
            tip[method, rtol] = document["outputs"]["tip"]
        for method in ("gauss", "dop853"):
            self.assertLess(abs(tip[method, "1e-8"] - tip["dop853", "1e-11"]), 3e-11)
        self.assertLess(document["statistics"]["rejected"], 30)

    def test_assembling_two_thousand_bodies_prints_a_summary(self):
        done = raak("assemble", self.model("chain", 2000))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("mobility     2000", done.stdout)
        self.assertIn("more", done.stdout)
        self.assertLess(len(done.stdout.splitlines()), 60)

    def test_methods_that_choose_among_all_coordinates_give_way_and_say_so(self):
        done = raak("run", self.model("chain", 1000), "--method", "radau", "--rtol", "1e-3", "--until", "0.02")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("3000 are too many to choose from: \"radau9\" was used in its place", done.stderr)

    def test_a_contradiction_among_many_names_the_joint(self):
        path = self.scratch / "torn.toml"
        text = many_bodies.chain(100).replace("[runs", 'far = { type = "revolute", pins = ["ground.P", "rod99.B"] }\n[runs')
        path.write_text(text.replace("O = [0.0, 0.0]\n", "O = [0.0, 0.0]\nP = [200.0, 0.0]\n"))
        self.refused("run", str(path), code=3, says=["cannot be assembled", "stays open"])

    def test_a_singular_pose_of_many_bodies_ends_the_run_at_once_and_is_named(self):
        path = self.scratch / "bars.toml"
        self.assertEqual(raak("new", "n-four-bar", "--count", "260", "--out", str(path)).returncode, 0)
        document = self.json("run", str(path), "--until", "10", code=3)
        for words in ("singular pose", "fewer bodies"):
            self.assertIn(words, document["message"])
        self.assertEqual(document["diagnosis"]["cause"], "singular pose")

    def test_singular_poses_of_many_bodies_with_few_freedoms_are_passed(self):
        path = self.scratch / "bars.toml"
        self.assertEqual(raak("new", "n-four-bar", "--count", "101", "--out", str(path)).returncode, 0)
        document = self.json("run", str(path), "--until", "1.3", "--rtol", "1e-6")
        self.assertEqual(document["status"], "ok", document["message"])

    def test_the_report_of_many_bodies_shows_fewer_moments_and_says_so(self):
        folder = str(self.scratch / "out")
        done = raak("run", self.model("chain", 1000), "--until", "0.1", "--every", "0.05", "--out", folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("moments instead of 500", done.stderr)


if __name__ == "__main__":
    unittest.main()
