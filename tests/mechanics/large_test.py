"""Mechanisms of a hundred to thousands of bodies."""

import csv
import json
import math
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

    def test_a_chain_of_rods_is_not_taken_for_a_stiff_one(self):
        # A linearisation with its factors takes the time of some 30 evaluations here.
        for count, until in ((30, 3), (31, 3), (100, 3), (300, 1)):
            path = self.scratch / f"rods{count}.toml"
            self.assertEqual(raak("new", "chain", "--count", str(count), "--out", str(path)).returncode, 0)
            work = {}
            for method in ("auto", "gauss"):
                statistics = self.json("run", str(path), "--until", str(until), "--method", method)["statistics"]
                work[method] = statistics["evaluations"] + 30 * statistics["jacobians"]
            self.assertLess(work["auto"], 2 * work["gauss"], (count, until))

    def test_lists_of_hundreds_of_names_are_cut(self):
        path = self.scratch / "rods.toml"
        self.assertEqual(raak("new", "chain", "--count", "310", "--out", str(path)).returncode, 0)
        said = raak("assemble", str(path)).stdout
        self.assertRegex(said, r"trusted +positions rod1\.angle, rod2\.angle, .*, rod12\.angle and 298 more; velocities none\n")
        self.assertNotIn("rod13.", said)

    def test_who_is_to_blame_where_hundreds_of_rods_do_not_reach(self):
        chain = many_bodies.chain(400)
        too_far = chain.replace("[0.0, 0.0]\n", "[0.0, 0.0]\nE = [500.0, 0.0]\n", 1).replace(
            "[runs", 'last = { type = "revolute", pins = ["ground.E", "rod399.B"] }\n[runs')
        path = self.scratch / "rods.toml"
        for trust in ("", '[start.trust]\n"rod3.angle" = 0.0\n'):  # which is not to blame
            path.write_text(too_far + trust)
            self.refused("assemble", str(path), code=3, says=["cannot be assembled", '"last"'])
        path.write_text(chain + '[start.trust]\n"rod0.x" = 0.5\n')
        self.refused("assemble", str(path), code=3, says=["the trusted coordinates (rod0.x) contradict", "0.25"])

    def test_the_ledger_of_many_bodies_is_printed_and_adds_up(self):
        # A wheel that is driven at 2 rad/s against a brake of 0.25 N m s for 0.5 s takes 0.5 J, and gives them.
        path, out = self.scratch / "ledger.toml", self.scratch / "ledger"
        wheel = '[bodies.wheel]\nmass = 1.0\ninertia = 0.1\npoints = { W = [0.0, 0.0] }\n[joints]\nhub = { type = "revolute", pins = ["ground.O", "wheel.W"] }'
        forces = ('[forces]\nbrake = { type = "torsion-spring", bodies = ["ground", "wheel"], stiffness = 0.0, damping = 0.25 }\n'
                  '[drivers]\nturn = { coordinate = "wheel.angle", motion = "2*t" }\n')
        path.write_text(many_bodies.chain(40).replace("[joints]", wheel).replace("[runs", forces + "[runs"))
        done = raak("run", str(path), "--until", "0.5", "--rtol", "1e-9", "--out", str(out))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"work input 0\.5 J, dissipated 0\.5 J")
        self.assertRegex(done.stdout, r"stored +gravity -[0-9.]+ J \(-[0-9.]+\)")
        self.assertRegex(done.stdout, r"work input +turn 0\.5 J")
        self.assertRegex(done.stdout, r"dissipated +brake 0\.5 J")
        ledger = json.loads((out / "run.json").read_text())["ledger"]
        accounts = {(a["kind"], a["name"]): a["change"] for a in ledger["accounts"]}
        self.assertEqual(set(accounts), {("potential", "gravity"), ("driver", "turn"), ("dissipation", "brake")})
        gained = ledger["kinetic"]["end"] - ledger["kinetic"]["start"]
        self.assertGreater(gained, 1.0)
        # What was lifted less is what moves: the driver gives what the brake takes.
        self.assertAlmostEqual(gained, -accounts["potential", "gravity"], delta=1e-6)
        self.assertAlmostEqual(accounts["driver", "turn"], 0.5, delta=1e-9)
        self.assertAlmostEqual(accounts["dissipation", "brake"], 0.5, delta=1e-9)
        with open(out / "result.csv", newline="") as file:
            rows = list(csv.DictReader(file))[1:]  # the first has the units
        energy = [{key: float(row["energy." + key]) for key in ("kinetic", "potential", "input", "dissipation")} for row in rows]
        for row, e in zip(rows, energy):
            height = sum(9.81 * (float(row[f"q.rod{i}.y"]) + 0.5 * math.sin(float(row[f"q.rod{i}.angle"]))) for i in range(40))
            self.assertAlmostEqual(e["potential"], height, delta=1e-6)
            self.assertAlmostEqual(e["input"], float(row["t"]), delta=1e-8)
            self.assertAlmostEqual(e["dissipation"], float(row["t"]), delta=1e-8)
            self.assertAlmostEqual(e["kinetic"] + e["potential"] - e["input"] + e["dissipation"],
                                   energy[0]["kinetic"] + energy[0]["potential"], delta=1e-6)

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
        said = self.json("assemble", model)["mechanism"]
        self.assertEqual((said["mobility"], said["redundant"]), (100, 500))
        self.assertEqual(sorted(said["sharing"]), sorted([f"{end}{i}" for i in range(100) for end in ("low", "high")]))
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

    def test_a_singularity_of_many_bodies_ends_the_run_at_once_and_is_named(self):
        path = self.scratch / "bars.toml"
        self.assertEqual(raak("new", "n-four-bar", "--count", "260", "--out", str(path)).returncode, 0)
        document = self.json("run", str(path), "--until", "10", code=3)
        for words in ("singular configuration", "fewer bodies"):
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
