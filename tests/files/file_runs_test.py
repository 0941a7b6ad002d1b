"""What [runs.NAME] of a file says of a run, and short forms on the command line: -o, -V, --open, names after --set."""

import os
import shutil
import subprocess
import unittest

from program import RAAK, ProgramTest, raak, rows_of

ARM = """format = "raak/1"
space = "planar"
gravity = [0.0, -9.81]
[parameters]
m = 1.0
k_2 = "2*m"
[ground.points]
O = [0.0, 0.0]
[bodies.arm]
mass = "m"
inertia = 0.4
com = [0.5, 0.0]
points = { O = [0.0, 0.0] }
[joints]
hinge = { type = "revolute", pins = ["ground.O", "arm.O"] }
[start]
trust = { "arm.angle" = 0.5, "arm.omega" = 0.0 }
[runs.default]
until = 0.3
"""


class Runs(ProgramTest):
    def model(self, keys=""):
        path = self.scratch / "arm.toml"
        path.write_text(ARM + keys)
        return str(path)

    def test_a_run_has_the_options_of_the_command(self):
        said = self.json("run", self.model('rtol = 1e-7\natol = 1e-9\nmethod = "dop853"\n'))
        self.assertEqual((said["method"], said["rtol"], said["atol"]), ("dop853", 1e-7, 1e-9))
        typed = self.json("run", self.model(), "--rtol", "1e-7", "--atol", "1e-9", "--method", "dop853")
        self.assertEqual(said["final"], typed["final"])

    def test_steps_of_a_run(self):
        fixed = self.json("run", self.model('step = 0.01\nmethod = "gauss"\n'))
        self.assertEqual(fixed["statistics"]["accepted"], 30)
        for keys, option in (("h0 = 1e-6", "1e-6"), ('h0 = "0.01*rtol"', "0.01*rtol")):
            self.assertEqual(self.json("run", self.model(keys + "\n"))["statistics"]["steps"],
                             self.json("run", self.model(), "--h0", option)["statistics"]["steps"])
        self.assertEqual(self.json("run", self.model("step = 0.01\n"), "--h0", "1e-3")["statistics"]["steps"],
                         self.json("run", self.model(), "--h0", "1e-3")["statistics"]["steps"])

    def times(self, model, *options):
        out = str(self.scratch / "out")
        done = raak("run", model, "--quiet", "-o", out, *options)
        self.assertEqual(done.returncode, 0, done.stderr)
        return [float(row["t"]) for row in rows_of(self.scratch / "out/result.csv")]

    def test_rows_of_a_run_are_decimal(self):
        self.assertEqual(self.times(self.model("every = 1e-4\n"))[3], 0.0003)
        written = [line.split(",")[0] for line in (self.scratch / "out/result.csv").read_text().splitlines()]
        self.assertEqual([text for text in written if text.endswith("3")][:2], ["0.0003", "0.0013"])
        self.assertEqual(self.times(self.model("at = [0.3, 0.1]\n")), [0.1, 0.3])
        self.assertEqual(self.times(self.model("at = [0.3, 0.1]\n"), "--every", "0.1"), [0.0, 0.1, 0.2, 0.3])
        self.assertEqual(self.times(self.model("every = 0.1\n"), "--at", "0.2"), [0.2])

    def test_wrong_options_of_a_run_are_refused_at_their_place(self):
        for keys, says in (("atol = 0.0", "above 0"), ('method = "guass"', "gauss"), ("every = -1.0", "above 0"),
                           ("at = 0.1", "array"), ("at = []", "at least one"), ("step = 0", "above 0"),
                           ('h0 = "fast"', "0.01*rtol"), ("every = 0.1\nat = [0.1]", "every and at"),
                           ("step = 0.1\nh0 = 0.1", "step and h0"), ("everi = 1.0", "every")):
            self.refused("run", self.model(keys + "\n"), code=1, says=["arm.toml:", says])
        self.refused("run", self.model("at = [0.1, 0.5]\n"), code=1, says=["arm.toml:20:", "at has t = 0.5 s, which is outside the run, from 0 to 0.3 s"])
        self.refused("run", self.model("at = [0.1, 0.3]\n"), "--until", "0.2", says=["at = 0.3: the time is outside the run"])
        self.refused("run", self.model("every = 1e-12\n"), says=["samples"])

    def test_short_options(self):
        self.assertEqual(raak("-V").stdout, raak("--version").stdout)

    def test_the_report_is_opened(self):
        opener = self.scratch / "xdg-open"
        opener.write_text(f'#!/bin/sh\necho "$1" > {self.scratch}/opened\n')
        opener.chmod(0o755)
        out = self.scratch / "out"
        environment = {**os.environ, "PATH": f"{self.scratch}:{os.environ['PATH']}"}
        done = subprocess.run([RAAK, "run", self.model(), "--quiet", "-o", str(out), "--open"], env=environment, capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual((self.scratch / "opened").read_text().strip(), str(out / "report.html"))
        done = subprocess.run([RAAK, "run", self.model(), "--quiet", "-o", str(out), "--open"], env={"PATH": "/nowhere"}, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0)
        self.assertIn("xdg-open", done.stderr)
        self.refused("run", self.model(), "--open", says=["--out"])
        (self.scratch / "opened").unlink()
        page = self.scratch / "again.html"
        done = subprocess.run([RAAK, "report", str(out), "--out", str(page), "--open"], env=environment, capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual((self.scratch / "opened").read_text().strip(), str(page))

    def test_a_check_takes_the_method_of_the_run(self):
        reference = '\n[references.x]\nrun = "default"\nat = 0.3\ntolerance = 1e-6\nkind = "trusted"\nvalues = { "arm.angle" = %s }\n'
        end = self.json("run", self.model(), "--rtol", "1e-10")
        model = self.model('method = "radau5"\n' + reference % end["final"]["q"][end["names"].index("arm.angle")])
        for options, method in ((), "radau5"), (("--method", "dop853"), "dop853"):
            row, = self.json("check", model, *options)
            self.assertEqual((row["method"], row["pass"]), (method, True), row["message"])
        self.assertIn("[the run's, or auto]", raak("check", "--help").stdout)

    def completed(self, *words):
        script = 'source <("$RAAK" completion bash); compopt() { :; }; COMP_WORDS=("$@"); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _raak; printf "%s\\n" "${COMPREPLY[@]}"'
        done = subprocess.run(["bash", "-c", script, "bash", *words], env={**os.environ, "RAAK": RAAK}, capture_output=True, text=True, check=True)
        return done.stdout.split()

    @unittest.skipUnless(shutil.which("bash"), "needs bash")
    def test_parameters_are_completed_after_set(self):
        self.assertEqual(self.completed("raak", "run", self.model(), "--set", ""), ["m=", "k_2="])
        self.assertIn("beam=", self.completed("raak", "run", "slider-crank", "--set", ""))
        self.assertEqual(self.completed("raak", "run", "slider-crank", "--set", "be"), ["beam="])
        pipe = self.scratch / "pipe.toml"
        os.mkfifo(pipe)
        self.assertEqual(self.completed("raak", "run", str(pipe), "--set", ""), [])

    @unittest.skipUnless(shutil.which("bash"), "needs bash")
    def test_choices_are_completed_after_the_sign_of_equality(self):
        """Bash splits `beam=n` at the sign; where COMP_WORDBREAKS has none, it is one word."""
        here = ["raak", "run", "slider-crank", "--set"]
        self.assertEqual(self.completed(*here, "beam", "="), ["linear", "nonlinear"])
        self.assertEqual(self.completed(*here, "beam", "=", "n"), ["nonlinear"])
        self.assertEqual(self.completed(*here, "beam=n"), ["beam=nonlinear"])
        self.assertEqual(self.completed(*here, "Omega", "="), [])
        self.assertEqual(self.completed("raak", "run", "slider-crank", "--form", "=", "index3"), ["index3"])


if __name__ == "__main__":
    unittest.main()
