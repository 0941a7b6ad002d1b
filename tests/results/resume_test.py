"""Runs with --checkpoint that are killed or stopped, and go on with --resume: the files are those of a run that was not."""

import json
import os
import random
import resource
import shutil
import signal
import subprocess
import time
import unittest
import zipfile

from program import PATIENCE, RAAK, ROOT, ProgramTest, raak

TIMES = {"cpu_seconds", "recording_seconds", "preparation_seconds"}


class Resume(ProgramTest):
    def whole(self, *arguments):
        """The files of the run that nobody interrupts."""
        out = self.scratch / "whole"
        shutil.rmtree(out, ignore_errors=True)
        done = raak("run", *arguments, "--out", str(out), "--quiet")
        self.assertEqual(done.returncode, 0, done.stderr)
        return out

    def killed(self, *arguments, moments=3, out="killed", sent=signal.SIGKILL):
        """The same run, killed so many times at random moments, and resumed each time."""
        folder = self.scratch / out
        command = ["run", *arguments, "--out", str(folder), "--checkpoint", "1e-6", "--quiet"]
        for _ in range(moments):
            # In a session of its own: nothing else is signalled.
            with subprocess.Popen([RAAK, *command], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
                deadline = time.monotonic() + PATIENCE
                while not (folder / "run.checkpoint").exists() and process.poll() is None and time.monotonic() < deadline:
                    time.sleep(0.001)
                time.sleep(random.uniform(0.0, 0.15))
                if process.poll() is None:
                    process.send_signal(sent)
                code, errors = process.wait(timeout=PATIENCE), process.stderr.read()
            self.assertIn(code, (0, -signal.SIGKILL, 130), errors)
            if not (folder / "run.checkpoint").exists():  # it goes last: the files are complete, killed or not
                return folder
            command = ["run", "--resume", str(folder), "--quiet"]
        done = raak("run", "--resume", str(folder), "--quiet")
        self.assertEqual(done.returncode, 0, done.stderr)
        return folder

    def assert_same_files(self, whole, other, different_command=True):
        self.assertEqual(sorted(os.listdir(whole)), sorted(os.listdir(other)))
        self.assertEqual((whole / "result.csv").read_bytes(), (other / "result.csv").read_bytes())
        with zipfile.ZipFile(whole / "result.npz") as a, zipfile.ZipFile(other / "result.npz") as b:
            self.assertEqual(a.namelist(), b.namelist())
            for name in a.namelist():
                if name != "report.json":
                    self.assertEqual(a.read(name), b.read(name), name)
        documents = [json.loads((folder / "run.json").read_text()) for folder in (whole, other)]
        for document in documents:
            for key in TIMES:
                document["statistics"].pop(key, None)
            for key in ("files", "command"):
                document.pop(key, None)
        self.assertEqual(*documents)

    def test_killed_at_random_moments_the_files_are_the_same_by_every_method(self):
        methods = [entry["name"] for entry in self.json("list", "methods")]
        self.assertGreater(len(methods), 12)
        for method in methods:
            arguments = ("pendulum", "--until", "2", "--rtol", "1e-5", "--method", method)
            with self.subTest(method=method):
                self.assert_same_files(self.whole(*arguments), self.killed(*arguments, out=method))

    def test_events_jumps_drivers_samples_and_traces_go_on_too(self):
        model = str(ROOT / "src/study/resumed.toml")
        for more in ((), ("--every", "0.003"), ("--method", "svd", "--trace", "--at", "0.1,0.5,0.9")):
            with self.subTest(more=more):
                arguments = (model, "--rtol", "1e-7", *more)
                self.assert_same_files(self.whole(*arguments), self.killed(*arguments, out=f"killed{len(more)}"))

    def test_a_resumed_run_without_room_for_its_arrays_leaves_the_earlier_ones(self):
        out = self.scratch / "out"
        # Moments of the report fill the arrays; the table has few rows.
        arguments = ("andrews", "--until", "4", "--rtol", "1e-9", "--every", "0.02", "--frames", "20000", "--out", str(out), "--checkpoint", "1e-3", "--quiet")
        process, _, stderr = self.signalled(signal.SIGINT, lambda _: (out / "run.checkpoint").exists(), "run", *arguments)
        self.assertEqual(process.returncode, 130, stderr)
        before = (out / "result.npz").read_bytes()
        # Too little for the arrays of as many moments, whenever the signal came; a checkpoint, which holds them too, may be larger or smaller.
        limit = len(before) - 1
        done = subprocess.run([RAAK, "run", "--resume", str(out), "--quiet"], capture_output=True, text=True, timeout=PATIENCE,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
        self.assertEqual(done.returncode, 3, done.stderr)
        document = json.loads((out / "run.json").read_text())
        self.assertIn("result.npz", document["missing"])
        self.assertEqual((out / "result.npz").read_bytes(), before)
        self.assertIn("result.npz", document["files"])
        for said in (raak("report", str(out)), raak("convert", str(out), "--out", str(self.scratch / "a.csv"))):
            self.assertEqual(said.returncode, 0, said.stderr)
            self.assertIn("lacks all after the rows that it had before this run was resumed", said.stderr)
        # Of another run they go.
        again = raak("run", "pendulum", "--out", str(out), "--quiet")
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertNotEqual((out / "result.npz").read_bytes(), before)

    def test_ctrl_c_leaves_a_checkpoint_beside_results_that_are_marked_partial(self):
        out = self.scratch / "out"
        arguments = ("andrews", "--until", "0.4", "--rtol", "1e-9")
        process, _, stderr = self.signalled(signal.SIGINT, lambda _: (out / "run.checkpoint").exists(), "run", *arguments,
                                            "--out", str(out), "--checkpoint", "0.01", "--quiet")
        self.assertEqual(process.returncode, 130, stderr)
        self.assertEqual(json.loads((out / "run.json").read_text())["status"], "interrupted")
        self.assertIn("# partial", (out / "result.csv").read_text().splitlines()[-1])
        done = raak("run", "--resume", str(out), "--quiet")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertFalse((out / "run.checkpoint").exists())
        self.assert_same_files(self.whole(*arguments), out)

    def stopped(self, *arguments, out="out"):
        """The folder of a run that was killed behind its first checkpoint."""
        folder = self.scratch / out
        self.signalled(signal.SIGKILL, lambda _: (folder / "run.checkpoint").exists(), "run", *arguments, "--until", "1e6",
                       "--out", str(folder), "--checkpoint", "0.02", "--quiet")
        return folder

    def test_what_cannot_be_resumed_is_refused_with_the_reason(self):
        self.refused("run", "--resume", str(self.scratch / "none"), says=["is no folder"])
        (self.scratch / "empty").mkdir()
        self.refused("run", "--resume", str(self.scratch / "empty"), says=["has no checkpoint", "--checkpoint SECONDS"])
        finished = self.whole("pendulum")
        self.refused("run", "--resume", str(finished), says=["has come to its end", "nothing to resume"])
        out = self.stopped("pendulum")
        self.refused("run", "pendulum", "--resume", str(out), says=["only --checkpoint, --quiet and --json"])
        self.refused("run", "--resume", str(out), "--until", "3", says=["only --checkpoint, --quiet and --json"])
        whole = (out / "run.checkpoint").read_bytes()
        for damaged in (whole[:-1], whole[:40], b"", whole[:200] + b"x" + whole[201:]):
            (out / "run.checkpoint").write_bytes(damaged)
            self.refused("run", "--resume", str(out), says=["run.checkpoint", "damaged"])
        (out / "run.checkpoint").write_bytes(whole)
        (out / "result.csv.partial").write_text("t\n")
        self.refused("run", "--resume", str(out), says=["result.csv.partial", "cannot be resumed"])
        self.refused("run", "pendulum", "--checkpoint", "5", says=["--checkpoint", "--out"])
        self.refused("run", "pendulum", "--checkpoint", "0", "--out", str(self.scratch / "x"), says=["--checkpoint"])

    def test_a_model_that_has_changed_or_its_include_is_refused(self):
        part, model = self.scratch / "part.toml", self.scratch / "model.toml"
        text = (ROOT / "src/study/resumed.toml").read_text()
        part.write_text("[parameters]\nk = 1.0\n")
        model.write_text('include = "part.toml"\n' + text)
        out = self.stopped(str(model))
        part.write_text("[parameters]\nk = 2.0\n")
        self.refused("run", "--resume", str(out), says=["model.toml", "changed"])
        part.write_text("[parameters]\nk = 1.0\n")
        model.write_text('include = "part.toml"\n' + text.replace("stiffness = 60.0", "stiffness = 61.0"))
        self.refused("run", "--resume", str(out), says=["model.toml", "changed"])

    def test_another_program_is_refused(self):
        other = self.scratch / "raak-other"
        shutil.copy(RAAK, other)
        with open(other, "ab") as file:
            file.write(b"\0")
        out = self.stopped("pendulum")
        done = subprocess.run([other, "run", "--resume", str(out)], capture_output=True, text=True)
        self.assertEqual(done.returncode, 2)
        self.assertIn("another program", done.stderr)
        plain = subprocess.run([RAAK, "run", "--resume", str(out)], capture_output=True, text=True, env={**os.environ, "RAAK_PLAIN": "1"})
        self.assertEqual(plain.returncode, 2)

    def test_a_new_run_into_the_folder_takes_the_checkpoint_away(self):
        out = self.stopped("pendulum")
        self.assertEqual(raak("run", "pendulum", "--quiet", "--out", str(out)).returncode, 0)
        self.assertFalse((out / "run.checkpoint").exists())
        self.assertEqual(sorted(os.listdir(out)), sorted(os.listdir(self.whole("pendulum"))))

    def test_the_run_may_be_resumed_from_any_folder(self):
        (self.scratch / "here").mkdir()
        shutil.copy(ROOT / "src/study/resumed.toml", self.scratch / "here/model.toml")
        arguments = ["run", "model.toml", "--until", "4", "--out", "results", "--quiet"]
        here = self.scratch / "here"
        done = subprocess.run([RAAK, *arguments], cwd=here, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        shutil.move(here / "results", self.scratch / "whole")
        with subprocess.Popen([RAAK, *arguments, "--checkpoint", "1e-6"], cwd=here, stderr=subprocess.DEVNULL) as process:
            while not (here / "results/run.checkpoint").exists():
                time.sleep(0.001)
            process.kill()
        done = subprocess.run([RAAK, "run", "--resume", "results", "--quiet"], cwd=here, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assert_same_files(self.scratch / "whole", here / "results")


if __name__ == "__main__":
    unittest.main()
