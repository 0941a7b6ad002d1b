"""Starts model files from templates and converts them, as a user would."""

import json
import os
import re
import pathlib
import subprocess
import unittest

from program import PATIENCE, RAAK, ROOT, ProgramTest, raak
from models_by_other_means import arm, stewart

TEMPLATES = ["pendulum", "four-bar", "slider-crank", "robot-arm", "stewart", "n-four-bar", "chain", "arm"]


class New(ProgramTest):
    def here(self, *arguments):
        return subprocess.run([RAAK, *arguments], capture_output=True, text=True, timeout=PATIENCE, cwd=self.scratch)

    def test_every_template_runs_and_passes_its_check(self):
        self.assertEqual([t["name"] for t in self.json("list", "templates")], TEMPLATES)
        for name in TEMPLATES:
            done = self.here("new", name)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertEqual(done.stdout.splitlines()[0], name + ".toml")
            done = self.here("run", name + ".toml")
            self.assertEqual((done.returncode, done.stderr), (0, ""), name)
            self.assertIn("outputs", done.stdout)
        done = self.here("check", *[name + ".toml" for name in TEMPLATES])
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_a_chain_of_a_kilometre_passes_its_check(self):
        self.assertEqual(self.here("new", "chain", "--count", "1000", "--out", "long.toml").returncode, 0)
        self.assertIn("1 of 1 checks pass", self.here("check", "long.toml").stdout)

    def test_an_arm_moves_as_independent_equations_say(self):
        for rods in (1, 2, 5):
            self.here("new", "arm", "--count", str(rods), "--out", f"{rods}.toml")
            run = self.json("run", str(self.scratch / f"{rods}.toml"), "--rtol", "1e-10")
            tip, _ = arm.tip_after(rods, 1.0, 20)
            for axis, value in zip("xyz", tip):
                self.assertAlmostEqual(run["outputs"]["tip." + axis], value, delta=1e-8)

    def test_the_motors_of_a_platform_push_as_independent_equations_say(self):
        self.here("new", "stewart")
        run = self.json("run", str(self.scratch / "stewart.toml"), "--until", "1.3")
        for side, value in zip("ab", stewart.motor_forces(stewart.NUMBER(1.3))):
            for leg in "13":
                if f"motor_{side}{leg}" in run["outputs"]:
                    self.assertAlmostEqual(run["outputs"][f"motor_{side}{leg}"], float(value), delta=1e-3)

    def test_nothing_is_overwritten(self):
        self.here("new", "pendulum")
        before = (self.scratch / "pendulum.toml").read_text()
        done = self.here("new", "pendulum")
        self.assertEqual(done.returncode, 2)
        self.assertIn("never overwrites", done.stderr)
        os.symlink("nowhere", self.scratch / "link.toml")
        self.assertEqual(self.here("new", "pendulum", "--out", "link.toml").returncode, 2)
        self.assertEqual((self.scratch / "pendulum.toml").read_text(), before)
        self.assertFalse((self.scratch / "nowhere").exists())

    def test_the_next_command_can_be_pasted(self):
        done = self.here("new", "my pendulum", "--template", "pendulum")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout.splitlines()[0], "my pendulum.toml")
        command = re.search(r"next: raak (run .*?),", done.stdout).group(1)
        done = subprocess.run(f"{RAAK} {command}", shell=True, capture_output=True, text=True, cwd=self.scratch)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_the_command_for_a_name_that_is_no_template_can_be_pasted(self):
        done = self.here("new", "robot arm")
        self.assertEqual(done.returncode, 2)
        command = re.search(r"A file of that name: raak (.*)", done.stderr).group(1)
        done = subprocess.run(f"{RAAK} {command}", shell=True, capture_output=True, text=True, cwd=self.scratch)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertTrue((self.scratch / "robot arm.toml").exists())

    def test_the_file_may_have_a_name_of_its_own(self):
        document = json.loads(self.here("new", "press", "--template", "slider-crank", "--json").stdout)
        self.assertEqual((document["file"], document["template"]), ("press.toml", "slider-crank"))
        self.assertTrue((self.scratch / "press.toml").exists())
        self.assertEqual(self.here("new", "chain", "--count", "3", "--out", "short.toml").returncode, 0)
        self.assertIn("rod3", (self.scratch / "short.toml").read_text())
        self.assertNotIn("rod4", (self.scratch / "short.toml").read_text())

    def test_what_there_is_not_is_refused(self):
        self.refused("new", says=["pendulum", "robot-arm"])
        self.refused("new", "pendulom", says=['"pendulum"', "--template"])
        self.refused("new", "x", "--template", "chian", says=['"chain"'])
        self.refused("new", "pendulum", "--count", "3", says=["--count"])
        self.refused("new", "chain", "--count", "2000000000", says=["1 to 100000"])
        for count in ("0", "-1", "1.5", "x", "1e12", "nan"):
            self.refused("new", "chain", "--count", count, "--out", str(self.scratch / "c.toml"), says=["--count"])
        self.refused("new", "pendulum", "--out", str(self.scratch / "none/p.toml"), says=["No such file"])
        self.refused("run", "four-bar", says=["raak new four-bar"])


class Convert(ProgramTest):
    def test_a_mechanism_is_the_same_to_the_bit_after_a_round_trip(self):
        for name in ("four-bar", "double-pendulum", "bricard", "rolling-disc", "flyball-governor"):
            original = ROOT / "examples" / (name + ".toml")
            there, back = self.scratch / (name + ".json"), self.scratch / (name + ".toml")
            self.assertEqual(raak("convert", str(original), "--out", str(there)).stdout.strip(), str(there))
            json.loads(there.read_text())
            self.assertEqual(raak("convert", str(there)).stdout.strip(), str(back))
            results = [self.json("run", str(file), "--until", "0.2") for file in (original, back)]
            for key in ("names", "names_v", "final", "outputs", "quality"):
                first, second = ({**r[key], "scd": 0, "mescd": 0} if key == "quality" else r[key] for r in results)
                self.assertEqual(first, second, name)

    def test_a_file_that_exists_is_replaced_only_if_it_is_named(self):
        model = self.scratch / "m.toml"
        model.write_text((ROOT / "examples/pendulum.toml").read_text())
        self.refused("convert", str(model), "--out", str(model), says=["ends in .json"])
        raak("convert", str(model))
        self.refused("convert", str(self.scratch / "m.json"), says=["m.toml", "exists", "--out"])
        self.assertIn("#", model.read_text(), "the comments are still there")
        self.assertEqual(self.json("convert", str(self.scratch / "m.json"), "--out", str(model))["file"], str(model))
        self.assertNotIn("#", model.read_text())
        self.assertEqual(raak("convert", str(model), "--out", "-").stdout, (self.scratch / "m.json").read_text())

    def test_json_in_place_of_a_model_is_shown_how_to_become_one(self):
        (self.scratch / "m.json").write_text("{}")
        self.refused("run", str(self.scratch / "m.json"), says=["raak convert"])

    def test_mistakes_have_a_place(self):
        path = self.scratch / "m.json"
        path.write_text('{\n  "title": null\n}\n')
        self.refused("convert", str(path), code=1, says=["m.json:2:", "null"])
        path = self.scratch / "m.toml"
        path.write_text("title = \n")
        self.refused("convert", str(path), code=1, says=["m.toml:1:"])
        self.refused("convert", says=["name a file"])
        self.refused("convert", str(self.scratch / "none.toml"), code=1, says=["no such file"])
        self.refused("convert", str(ROOT / "README.md"), says=["*.toml"])

    def test_results_become_csv_again(self):
        out = self.scratch / "r"
        raak("run", "pendulum", "--quiet", "--out", str(out))
        again = self.scratch / "again.csv"
        self.assertEqual(raak("convert", str(out), "--out", str(again)).returncode, 0)
        self.assertEqual(again.read_bytes(), (out / "result.csv").read_bytes())
        self.refused("convert", str(out), says=["--out"])
        self.refused("convert", str(out), "--out", str(self.scratch / "x.xls"), says=["*.csv, *.npz, *.h5, *.json"])
        self.refused("convert", str(self.scratch), "--out", str(again), says=["run.json", "missing"])


class Hdf5(ProgramTest):
    def test_a_machine_without_the_library_is_shown_how_to_get_it(self):
        environment = {**os.environ, "RAAK_HDF5": "libnothing.so"}
        done = subprocess.run([RAAK, "run", "pendulum", "--hdf5", "--out", str(self.scratch / "a")], capture_output=True, text=True,
                              env=environment)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("apt-get install libhdf5", done.stderr)
        self.assertFalse((self.scratch / "a").exists())
        self.refused("run", "pendulum", "--hdf5", says=["--out"])

    def test_other_tools_read_it(self):
        out = self.scratch / "a"
        done = raak("run", "andrews-iftomm", "--hdf5", "--every", "0.01", "--quiet", "--out", str(out))
        if done.returncode == 2 and "libhdf5" in done.stderr:
            self.skipTest("no HDF5 library here")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        script = ("import h5py, json, sys; f = h5py.File(sys.argv[1]); "
                  "print(json.dumps([sorted(f), f['q.beta'].attrs['units'].decode(), list(f['q.beta']), "
                  "json.loads(f['run.json'][()])['model']]))")
        python = next((p for p in ("/usr/bin/python3", "python3")
                       if subprocess.run([p, "-c", "import h5py"], capture_output=True).returncode == 0), None)
        if python is None:
            self.skipTest("no h5py here (apt-get install python3-h5py)")
        done = subprocess.run([python, "-c", script, str(out / "result.h5")], capture_output=True, text=True)
        names, unit, beta, model = json.loads(done.stdout)
        rows = [line.split(",") for line in (out / "result.csv").read_text().splitlines() if not line.startswith("#")]
        self.assertEqual(sorted(rows[0] + ["run.json"]), names)
        self.assertEqual((unit, model), ("rad", "andrews-iftomm"))
        self.assertEqual(beta, [float(row[rows[0].index("q.beta")]) for row in rows[1:]])
        raak("run", "andrews-iftomm", "--quiet", "--out", str(out))
        self.assertFalse((out / "result.h5").exists(), "what an earlier run left does not stay")


if __name__ == "__main__":
    unittest.main()
