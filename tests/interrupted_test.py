"""Runs that are cut short from outside: killed, out of room, without a right to write. Old results or marked ones stay."""

import os
import resource
import signal
import subprocess
import time
import unittest

from program import FILES, RAAK, ProgramTest, raak, rows_of

LONG = ("run", "andrews", "--until", "1000", "--rtol", "1e-10", "--quiet")


class Killed(ProgramTest):
    def kill_when(self, is_time, *arguments):
        process = subprocess.Popen([RAAK, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + 60
        while not is_time():
            self.assertIsNone(process.poll(), "it ended before it was killed")
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.02)
        process.send_signal(signal.SIGKILL)
        process.wait()

    def test_the_results_of_the_run_before_stay_as_they_were(self):
        out = self.scratch / "out"
        self.assertEqual(raak("run", "andrews", "--quiet", "--out", str(out)).returncode, 0)
        before = {name: (out / name).read_bytes() for name in FILES}
        partial = out / "result.csv.partial"
        self.kill_when(lambda: partial.exists() and partial.stat().st_size > 0, *LONG, "--out", str(out))
        self.assertEqual({name: (out / name).read_bytes() for name in FILES}, before)
        self.assertEqual(raak("report", str(out)).returncode, 0, "the old results are whole")

    def test_what_it_leaves_is_called_partial_and_can_be_read(self):
        out = self.scratch / "out"
        partial = out / "result.csv.partial"
        self.kill_when(lambda: partial.exists() and partial.stat().st_size > 1000, *LONG, "--out", str(out))
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
        partial = out / "result.csv.partial"
        self.kill_when(lambda: partial.exists() and partial.stat().st_size > 0, *LONG, "--out", str(out))
        self.assertEqual(raak("run", "pendulum", "--quiet", "--out", str(out)).returncode, 0)
        self.assertEqual(sorted(path.name for path in out.iterdir()), sorted(FILES))


class OutOfReach(ProgramTest):
    def test_a_tolerance_that_the_method_cannot_hold_is_told_before_the_run(self):
        arguments = ("run", "slider-crank", "--method", "generalized-alpha", "--rtol", "1e-9", "--quiet")
        process = subprocess.Popen([RAAK, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        first = process.stderr.readline()
        process.send_signal(signal.SIGINT)
        rest = process.communicate()[1]
        self.assertIn('rounding errors keep "generalized-alpha" from holding', first)
        self.assertIn("stopped at t = ", rest, "it was told only at the end")
        self.assertNotIn("rounding errors keep", rest, "it is told once")


class NoRoom(ProgramTest):
    def test_a_full_disk_is_told_and_the_old_results_stay(self):
        out = self.scratch / "out"
        self.assertEqual(raak("run", "pendulum", "--quiet", "--out", str(out)).returncode, 0)
        before = {name: (out / name).read_bytes() for name in FILES}

        def little_room():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))

        done = subprocess.run([RAAK, "run", "andrews", "--quiet", "--out", str(out)], capture_output=True, text=True, preexec_fn=little_room)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertRegex(done.stderr, r"\Araak: cannot write \"[^\n]+\n\Z")
        self.assertEqual({name: (out / name).read_bytes() for name in FILES}, before)
        self.assertEqual(sorted(path.name for path in out.iterdir()), sorted(FILES))

    def test_a_full_standard_output_is_told(self):
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
        began = time.monotonic()
        self.refused(*LONG, "--out", folder, says=[folder])
        self.assertLess(time.monotonic() - began, 10.0)


if __name__ == "__main__":
    unittest.main()
