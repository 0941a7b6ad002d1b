"""Runs that are cut short from outside: killed, interrupted, out of room. Old results or marked ones stay."""

import json
import os
import resource
import shutil
import signal
import struct
import subprocess
import unittest
import zipfile

from program import FILES, PATIENCE, RAAK, ROOT, ProgramTest, cpu_seconds, raak, rows_of

LONG = ("run", "andrews", "--until", "1000", "--rtol", "1e-10", "--quiet")
ENDLESS = ("run", "pendulum", "--until", "1e7", "--rtol", "1e-10", "--quiet")  # hours


MANY_EVENTS = """
format = "raak/1"
space = "planar"
[bodies.p]
type = "point"
mass = 1.0
[forces]
f = { type = "force", at = "p", value = ["-p.x", 0.0] }
[start]
trust = { "p.x" = 0.1, "p.vx" = 0.0 }
[events]
fast = { when = "sin(30*t + 0.1)" }
[runs.default]
until = 1e6
"""


class Killed(ProgramTest):
    def kill_a_run(self, out, written=0):
        """Kills a run into the folder as soon as it has written more bytes than that; the file that it leaves."""
        partial = out / "result.csv.partial"
        self.signalled(signal.SIGKILL, lambda _: partial.exists() and partial.stat().st_size > written, *LONG, "--out", str(out))
        return partial

    def test_the_results_of_the_run_before_stay_as_they_were(self):
        out = self.scratch / "out"
        self.assertEqual(raak("run", "andrews", "--quiet", "--out", str(out)).returncode, 0)
        before = {name: (out / name).read_bytes() for name in FILES}
        self.kill_a_run(out)
        self.assertEqual({name: (out / name).read_bytes() for name in FILES}, before)
        self.assertEqual(raak("report", str(out)).returncode, 0, "the old results are whole")

    def test_what_it_leaves_is_called_partial_and_can_be_read(self):
        out = self.scratch / "out"
        partial = self.kill_a_run(out, written=20000)
        self.assertFalse((out / "result.csv").exists())
        text = partial.read_text()
        partial.write_text(text[: text.rindex("\n") + 1])  # a kill during a write leaves a last line without its end
        rows = rows_of(partial)
        self.assertGreater(len(rows), 10)
        self.assertTrue(all(None not in row.values() and None not in row for row in rows), "whole rows only")
        times = [float(row["t"]) for row in rows]
        self.assertEqual(times, sorted(times))
        self.refused("report", str(out), says=["run.json", "result.csv.partial", "killed"])

    def test_the_next_run_clears_what_a_killed_one_left(self):
        out = self.scratch / "out"
        self.kill_a_run(out)
        self.assertEqual(raak("run", "pendulum", "--quiet", "--out", str(out)).returncode, 0)
        self.assertEqual(sorted(path.name for path in out.iterdir()), sorted(FILES))


class Interrupt(ProgramTest):
    def test_ctrl_c_keeps_and_marks_what_there_is(self):
        for sent in (signal.SIGINT, signal.SIGTERM):
            out = self.scratch / sent.name
            partial = out / "result.csv.partial"
            process, stdout, stderr = self.signalled(sent, lambda _: partial.exists() and partial.stat().st_size > 0,
                                                     "run", "pendulum", "--until", "1e7", "--out", str(out), "--json")
            self.assertEqual(process.returncode, 130, stderr)
            document = json.loads((out / "run.json").read_text())
            self.assertEqual(json.loads(stdout), document)
            self.assertEqual(document["status"], "interrupted")
            self.assertTrue(document["message"])
            self.assertEqual(sorted(os.listdir(out)), FILES)
            lines = (out / "result.csv").read_text().splitlines()
            self.assertTrue(lines[-1].startswith("# partial: "))
            last = dict(zip(lines[0].split(","), lines[-2].split(",")))
            self.assertEqual(float(last["t"]), document["t_end"])
            self.assertGreater(document["t_end"], 0.0)

    def test_ctrl_c_keeps_and_marks_the_rows_of_a_bench(self):
        out = self.scratch / "b"
        # A row of auto takes a fifth of a second, whatever the machine: runs are repeated that long.
        process, stdout, stderr = self.signalled(signal.SIGINT, lambda started: cpu_seconds(started) > 2.0, "bench",
                                                 "slider-crank", "--rtol", "1e-4:1e-12:8", "--out", str(out), "--json")
        self.assertEqual(process.returncode, 130, stderr)
        document = json.loads((out / "bench.json").read_text())
        self.assertEqual(document["status"], "interrupted")
        self.assertEqual(json.loads(stdout), document["rows"])
        self.assertTrue(document["rows"])
        self.assertIn("Stopped by the user", (out / "bench.html").read_text())


    def test_a_hang_up_that_is_ignored_stays_ignored(self):
        ignored = ["bash", "-c", 'trap "" HUP; exec "$@"', "-", RAAK, "run", "pendulum", "--until", "1e7", "--quiet"]
        with subprocess.Popen(ignored, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
            try:
                while cpu_seconds(process) < 0.2:
                    self.assertIsNone(process.poll())
                process.send_signal(signal.SIGHUP)
                before = cpu_seconds(process)
                while cpu_seconds(process) < before + 0.2:
                    self.assertIsNone(process.poll(), "it was stopped")
                process.send_signal(signal.SIGINT)
                process.communicate(timeout=PATIENCE)
                self.assertEqual(process.returncode, 130)
            finally:
                process.kill()


class OutOfReach(ProgramTest):
    def test_a_tolerance_that_the_method_cannot_hold_is_reported_before_the_run(self):
        arguments = ("run", "slider-crank", "--method", "generalized-alpha", "--rtol", "1e-9", "--quiet")
        process = subprocess.Popen([RAAK, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        first = process.stderr.readline()
        process.send_signal(signal.SIGINT)
        rest = process.communicate()[1]
        self.assertIn('rounding errors keep "generalized-alpha" from holding', first)
        self.assertIn("stopped at t = ", rest, "it was reported only at the end")
        self.assertNotIn("rounding errors keep", rest, "it is reported once")


class NoRoom(ProgramTest):
    def limited(self, *arguments, bytes_of_a_file=None, bytes_of_memory=None, ignore=True):
        """The command with a limit on the size of files, which is met as a full disk is, or on memory."""

        def limit():
            if bytes_of_a_file is not None:
                resource.setrlimit(resource.RLIMIT_FSIZE, (bytes_of_a_file, bytes_of_a_file))
            if bytes_of_memory:
                resource.setrlimit(resource.RLIMIT_AS, (bytes_of_memory, bytes_of_memory))
            signal.signal(signal.SIGXFSZ, signal.SIG_DFL)  # Python ignores it, and a child would inherit that

        return subprocess.run([RAAK, *arguments], capture_output=True, text=True, timeout=PATIENCE, preexec_fn=limit)

    def test_a_disk_too_full_for_the_document_is_reported_and_old_results_and_new_rows_stay(self):
        out = self.scratch / "out"
        self.assertEqual(raak("run", "pendulum", "--quiet", "--out", str(out)).returncode, 0)
        before = {name: (out / name).read_bytes() for name in FILES}
        done = self.limited("run", "andrews", "--quiet", "--out", str(out), bytes_of_a_file=2048)
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertRegex(done.stderr, r"\Araak: cannot write \"[^\n]+ulimit -f[^\n]+result.csv.partial[^\n]+\n\Z")
        self.assertEqual({name: (out / name).read_bytes() for name in FILES}, before)
        self.assertEqual(sorted(path.name for path in out.iterdir()), sorted([*FILES, "result.csv.partial"]))
        lines = (out / "result.csv.partial").read_text().splitlines()
        self.assertGreater(len(lines), 2)
        self.assertTrue(lines[-1].startswith("# partial: cannot write"), lines[-1])

    def test_a_disk_that_fills_in_the_middle_keeps_the_rows_and_says_until_when(self):
        out = self.scratch / "out"
        done = self.limited(*LONG, "--out", str(out), "--json", bytes_of_a_file=600_000)
        self.assertEqual(done.returncode, 3, done.stderr)
        document = json.loads(done.stdout)
        self.assertEqual(document, json.loads((out / "run.json").read_text()))
        self.assertEqual((document["status"], document["diagnosis"]["cause"]), ("failed", "no room"))
        for words in ("stopped at t = ", "result.csv", "ulimit -f", "Try: a higher limit (ulimit -f unlimited)"):
            self.assertIn(words, document["message"])
        text = (out / "result.csv").read_text()
        self.assertLessEqual(len(text), 600_000)
        self.assertGreater(len(text), 599_000, "rows that would have fitted are lost")
        self.assertTrue(text.splitlines()[-1].startswith("# partial: failed at t = "))
        rows = rows_of(out / "result.csv")
        self.assertTrue(all(None not in row.values() and None not in row for row in rows), "whole rows only")
        with zipfile.ZipFile(out / "result.npz") as archive:
            self.assertIsNone(archive.testzip())
            for name in ("t", "energy.balance"):
                data = archive.read(name + ".npy")[-8 * len(rows):]
                self.assertEqual([float(row[name]) for row in rows], list(struct.unpack(f"<{len(rows)}d", data)))
        self.assertLessEqual(float(rows[-1]["t"]), document["t_end"])
        self.assertEqual(raak("convert", str(out), "--out", str(self.scratch / "a.csv")).returncode, 0)

    def test_what_can_be_made_again_makes_room_for_the_document(self):
        disk, kept, whole = self.scratch / "disk", self.scratch / "kept", self.scratch / "whole"
        disk.mkdir()
        model, page = str(ROOT / "examples/double-pendulum.toml"), 4096
        ended = set()
        # In the middle of the rows, and at the end, where all files but the document fit. A disk above 1 MB holds room back for it.
        arguments = {"5": range(600_000, 1_000_000, 100_000)}
        self.assertEqual(raak("run", model, "--until", "0.3", "--step", "0.0005", "--method", "dopri5", "--quiet", "--out", str(whole)).returncode, 0)
        pages = sum(-(-(whole / name).stat().st_size // page) for name in ("result.csv", "result.npz", "report.html"))
        self.assertLess(pages * page, 950_000)
        arguments["0.3"] = range((pages - 2) * page, (pages + 8) * page, page)
        script = 'mount -t tmpfs -o size=$1 none "$2" || exit 99; shift; cd "$1"; "$2" run "$4" --until "$5" --step 0.0005 --method dopri5 --quiet --out out; code=$?; cp -r out "$3"; exit $code'
        for until, size in ((until, size) for until, sizes in arguments.items() for size in sizes):
            done = subprocess.run(["unshare", "-rm", "sh", "-c", script, "sh", str(size), str(disk), os.path.abspath(RAAK), str(kept), model, until],
                                  capture_output=True, text=True, timeout=PATIENCE)
            if done.returncode in (1, 99):
                self.skipTest(f"no file system of its own here: {done.stderr}")
            document = json.loads((kept / "run.json").read_text())
            self.assertEqual(sorted(path.name for path in kept.iterdir()), sorted([*document["files"], "run.json"]))
            self.assertEqual((done.returncode, document["status"]), (3, "failed") if "missing" in document else (0, "ok"), done.stderr)
            if until == "5":
                self.assertTrue((kept / "result.csv").read_text().splitlines()[-1].startswith("# partial"))
            self.assertGreater(len(rows_of(kept / "result.csv")), 100)
            ended.add("made room" if "made room" in str(document.get("missing")) else "other")
            shutil.rmtree(kept)
        self.assertIn("made room", ended, "the sizes tried do not show it")

    def test_a_file_that_does_not_fit_is_missing_and_the_others_are_there(self):
        out = self.scratch / "out"
        done = self.limited("run", "pendulum", "--every", "1e-2", "--out", str(out), "--quiet", bytes_of_a_file=100_000)
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn("the run came to its end, but its files are not complete", done.stderr)
        document = json.loads((out / "run.json").read_text())
        self.assertEqual(document["status"], "failed")
        self.assertIn("report.html", document["missing"])
        self.assertNotIn("report.html", document["files"])
        self.assertEqual(sorted(path.name for path in out.iterdir()), sorted([*document["files"], "run.json"]))
        self.assertNotIn("# partial", (out / "result.csv").read_text(), "the rows are all there")

    def test_without_the_arrays_it_is_reported_where_the_rows_are(self):
        out = self.scratch / "out"
        done = self.limited("run", "pendulum", "--at", "1", "--out", str(out), "--quiet", bytes_of_a_file=20_000)
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn("result.npz", json.loads((out / "run.json").read_text())["missing"])
        said = raak("report", str(out))
        self.assertEqual(said.returncode, 2)
        for words in ("result.npz", "could not be written (", "ulimit -f", f'the rows are in "{out / "result.csv"}"', "where there is more room"):
            self.assertIn(words, said.stderr)
        self.assertEqual(raak("convert", str(out), "--out", str(self.scratch / "a.csv")).returncode, 0)
        self.assertEqual((self.scratch / "a.csv").read_text(), (out / "result.csv").read_text())
        (out / "result.csv").write_text("of another run\n")
        self.assertNotIn("the rows are in", raak("report", str(out)).stderr)

    def test_where_nothing_can_be_kept_it_is_reported(self):
        out = self.scratch / "out"
        done = self.limited("run", "pendulum", "--out", str(out), "--quiet", bytes_of_a_file=0)
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn("Nothing that was computed could be kept", done.stderr)
        self.assertNotIn("kept in", done.stderr)
        self.assertFalse(out.exists(), "an empty folder stays")

    def test_results_that_cannot_fit_are_refused_before_the_run_with_figures(self):
        out = self.scratch / "out"
        done = self.limited("run", "pendulum", "--every", "1e-6", "--out", str(out), bytes_of_a_file=1_000_000)
        self.assertEqual(done.returncode, 2, done.stderr)
        for words in ("rows of ", "ulimit -f", "--every"):
            self.assertIn(words, done.stderr)
        self.assertFalse(out.exists())

    def test_a_limit_on_memory_keeps_the_rows(self):
        out, path = self.scratch / "out", self.scratch / "model.toml"
        path.write_text(MANY_EVENTS)  # each is kept in memory until the end
        done = self.limited("run", str(path), "--out", str(out), "--json", bytes_of_memory=400_000_000)
        self.assertEqual(done.returncode, 3, done.stderr + done.stdout[:200])
        document = json.loads((out / "run.json").read_text())
        self.assertEqual((document["status"], document["diagnosis"]["cause"]), ("failed", "no room"))
        self.assertIn("not enough memory", document["message"])
        self.assertTrue((out / "result.csv").read_text().splitlines()[-1].startswith("# partial: failed at t = "))
        self.assertGreater(len(rows_of(out / "result.csv")), 100)

    def test_a_full_standard_output_is_reported(self):
        for arguments in (("run", "pendulum"), ("run", "pendulum", "--json"), ("list", "methods"), ("explain", "pendulum")):
            with open("/dev/full", "w") as full:
                done = subprocess.run([RAAK, *arguments], stdout=full, stderr=subprocess.PIPE, text=True)
            self.assertEqual(done.returncode, 2)
            self.assertIn("cannot write to standard output", done.stderr)

    def test_a_folder_without_the_right_to_write_is_refused_before_the_run(self):
        if os.geteuid() == 0:
            folder = "/proc/raak-results"  # whoever may do anything may not do this
        else:
            locked = self.scratch / "locked"
            locked.mkdir(mode=0o555)
            folder = str(locked / "out")
        self.refused(*ENDLESS, "--out", folder, says=[folder])


if __name__ == "__main__":
    unittest.main()
