"""The program under test, and what its tests share."""

import csv
import json
import os
import pathlib
import signal
import subprocess
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[1]
RAAK = os.environ.get("RAAK", str(ROOT / "build/release/raak"))

# A shell that starts the tests in the background has them ignore Ctrl-C, and the program would inherit it.
signal.signal(signal.SIGINT, signal.default_int_handler)

# s, which only a program that hangs takes: machines may be slow, and busy with other tests.
PATIENCE = 1200

FILES = ["report.html", "result.csv", "result.npz", "run.json"]


def rows_of(path):
    """The rows of a table of results by column, comments left out."""
    with open(path) as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def raak(*arguments):
    return subprocess.run([RAAK, *arguments], capture_output=True, text=True, timeout=PATIENCE)


def cpu_seconds(process):
    """What a running process has worked so far: unlike time on the clock, no other process changes it."""
    fields = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")  # utime and stime of proc(5)


class ProgramTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="raak-cli-")
        self.addCleanup(scratch.cleanup)
        self.scratch = pathlib.Path(scratch.name)

    def refused(self, *arguments, code=2, says=()):
        """The command fails with this code, says these words on one line of standard error, and nothing else."""
        done = raak(*arguments)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        self.assertEqual(done.stdout, "")
        self.assertRegex(done.stderr, r"\Araak: [^\n]+\n\Z")
        for words in says:
            self.assertIn(words, done.stderr)
        for jargon in ("std::", "terminate", "Eigen", "[with"):
            self.assertNotIn(jargon, done.stderr)
        without_folder = done.stderr.replace(str(self.scratch), "")  # whose name may look like one
        self.assertNotRegex(without_folder, r"\b0x[0-9a-f]{4}", "an address")
        return done.stderr

    def signalled(self, sent, is_time, *arguments):
        """Sends the signal to the command once it is time for it, and waits for the end: the process, and both outputs."""
        with subprocess.Popen([RAAK, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            try:
                deadline = time.monotonic() + PATIENCE
                while not is_time(process):
                    self.assertIsNone(process.poll(), "it ended before the signal")
                    self.assertLess(time.monotonic(), deadline)
                    time.sleep(0.02)
                process.send_signal(sent)
                return process, *process.communicate(timeout=PATIENCE)
            finally:
                process.kill()  # if it has not ended by itself

    def json(self, *arguments, code=0):
        """The command prints one JSON document and nothing else."""
        done = raak(*arguments, "--json")
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        self.assertEqual(done.stderr, "")
        return json.loads(done.stdout, parse_constant=self.fail)
