"""`raak run --format`: which files hold the rows, that they agree, and that no row gets lost whatever was chosen."""

import json
import resource
import signal
import subprocess
import unittest
import zipfile
from array import array

from program import FILES, PATIENCE, RAAK, ProgramTest, raak, rows_of

ALWAYS = ["report.html", "run.json"]
ANDREWS = ("andrews", "--every", "1e-4")


def files_in(folder):
    return sorted(path.name for path in folder.iterdir())


class FormatTest(ProgramTest):
    def run_into(self, name, *arguments, code=0):
        out = self.scratch / name
        done = raak("run", *arguments, "--quiet", "--out", str(out))
        self.assertEqual(done.returncode, code, done.stderr)
        return out


class Formats(FormatTest):
    def test_the_chosen_files_are_written_and_no_others(self):
        for chosen in ("csv", "npz", "json", "json,npz", "csv,npz"):
            out = self.run_into("out", *ANDREWS, "--format", chosen)
            wanted = sorted([f"result.{name}" for name in chosen.split(",")] + ALWAYS)
            self.assertEqual(files_in(out), wanted, "a folder that is used again has the files of the last run only")
            self.assertEqual(sorted(json.loads((out / "run.json").read_text())["files"]), [name for name in wanted if name != "run.json"])
        self.assertEqual(files_in(self.run_into("usual", *ANDREWS)), sorted(FILES))

    def test_a_table_that_does_not_fit_is_refused_in_every_format(self):
        out, limit = self.run_into("out", *ANDREWS, "--until", "0.1"), 100_000
        for ending in ("csv", "npz", "h5", "json"):
            target = self.scratch / f"copy.{ending}"
            done = subprocess.run([RAAK, "convert", str(out), "--out", str(target)], capture_output=True, text=True, timeout=PATIENCE,
                                  preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
            self.assertEqual(done.returncode, 2, f"{ending}: {done.stderr}")
            if "libhdf5" not in done.stderr:
                self.assertIn(f'raak: cannot write "{target}": File too large', done.stderr)
            self.assertEqual([path.name for path in self.scratch.iterdir()], ["out"], "nothing of it is left")

    def test_a_table_is_made_without_a_word_of_arrays_that_had_no_room(self):
        out, limit = self.scratch / "out", 300_000
        done = subprocess.run([RAAK, "run", *ANDREWS, "--frames", "20000", "--quiet", "--out", str(out)], capture_output=True, text=True, timeout=PATIENCE,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn("result.npz", json.loads((out / "run.json").read_text())["missing"])
        copied = raak("convert", str(out), "--out", str(self.scratch / "copy.npz"))
        self.assertEqual((copied.returncode, copied.stderr), (0, ""), "every row is in the table")

    def test_a_report_without_arrays_says_which_format_to_add(self):
        out = self.run_into("out", *ANDREWS, "--format", "csv,json")
        done = raak("report", str(out))
        self.assertNotEqual(done.returncode, 0)
        for words in ("--format did not choose it", "result.csv", "with npz among the names of --format", "raak run andrews"):
            self.assertIn(words, done.stderr)

    def test_all_of_them_have_the_same_numbers(self):
        out = self.run_into("out", *ANDREWS, "--format", "csv,npz,json", "--columns", "beta,F.x,violation.position")
        rows = rows_of(out / "result.csv")
        table = json.loads((out / "result.json").read_text())
        self.assertEqual(table["columns"], list(rows[0]))
        self.assertEqual(table["units"], ["s", "rad", "m", "m"])
        self.assertEqual(table["rows"], [[float(cell) for cell in row.values()] for row in rows])
        with zipfile.ZipFile(out / "result.npz") as archive:
            for place, name in enumerate(table["columns"]):
                numbers = array("d", archive.read(name + ".npy")[128:])
                self.assertEqual(list(numbers), [row[place] for row in table["rows"]], name)

    def test_hdf5_is_one_of_them(self):
        done = raak("run", *ANDREWS, "--format", "h5", "--quiet", "--out", str(self.scratch / "out"))
        if done.returncode == 2 and "libhdf5" in done.stderr:
            self.assertFalse((self.scratch / "out").exists(), "refused before anything is written")
            self.skipTest("no HDF5 library here")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(files_in(self.scratch / "out"), sorted(["result.h5", *ALWAYS]))

    def test_what_is_wrong_is_said_before_the_run(self):
        out = str(self.scratch / "out")
        self.refused("run", "andrews", "--format", "csv", says=["--format", "--out"])
        self.refused("run", "andrews", "--format", "npy", "--out", out, says=['"npy"', '"npz"', "csv, npz, h5, json"])
        self.refused("run", "andrews", "--format", "csv,,npz", "--out", out, says=["--format"])
        self.refused("run", "andrews", "--format", "csv,csv", "--out", out, says=["--format", "csv", "twice"])
        self.assertFalse((self.scratch / "out").exists())

    def test_other_commands_say_what_they_lack(self):
        out = self.run_into("out", *ANDREWS, "--format", "csv")
        self.refused("report", str(out), says=["result.npz", "--format", "raak run andrews"])
        again = self.scratch / "again.json"
        self.assertEqual(raak("convert", str(out), "--out", str(again)).returncode, 0)
        self.assertEqual(again.read_bytes(), (self.run_into("json", *ANDREWS, "--format", "json") / "result.json").read_bytes())
        only_json = self.run_into("out", *ANDREWS, "--format", "json")
        self.refused("convert", str(only_json), "--out", str(self.scratch / "a.csv"), says=["result.npz", "--format"])
        self.assertEqual(raak("report", str(self.run_into("npz", *ANDREWS, "--format", "npz"))).returncode, 0)


class NoRowIsLost(FormatTest):
    def test_of_a_run_that_ends_early(self):
        out = self.run_into("out", "slider-crank", "--run", "buckling", "--format", "json", code=3)
        self.assertEqual(files_in(out), sorted(["result.csv", "result.json", *ALWAYS]))
        self.assertEqual(len(json.loads((out / "result.json").read_text())["rows"]), len(rows_of(out / "result.csv")))
        self.assertIn("# partial", (out / "result.csv").read_text().splitlines()[-1])

    def test_of_a_run_that_is_killed_and_resumed(self):
        arguments = ("andrews", "--until", "0.06", "--every", "1e-5", "--format", "json")
        whole = self.run_into("whole", *arguments)
        out = self.scratch / "stopped"
        self.signalled(signal.SIGKILL, lambda _: (out / "run.checkpoint").exists(), "run", *arguments, "--out", str(out), "--checkpoint", "1e-6", "--quiet")
        done = raak("run", "--resume", str(out), "--quiet")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual((out / "result.json").read_bytes(), (whole / "result.json").read_bytes())
        self.assertEqual(files_in(out), sorted(["result.json", *ALWAYS]))

    def test_where_a_chosen_file_does_not_fit(self):
        """Rows take more room in JSON than in the table to which they go at once."""
        size = (self.run_into("whole", "andrews", "--every", "1e-5") / "result.csv").stat().st_size
        out = self.scratch / "out"
        done = subprocess.run([RAAK, "run", "andrews", "--every", "1e-5", "--format", "json", "--quiet", "--out", str(out)], capture_output=True,
                              text=True, timeout=PATIENCE, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size + 1000, size + 1000)))
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn("result.json", json.loads((out / "run.json").read_text())["missing"])
        self.assertEqual(files_in(out), sorted(["result.csv", *ALWAYS]))
        self.assertEqual((out / "result.csv").read_bytes(), (self.scratch / "whole/result.csv").read_bytes())


if __name__ == "__main__":
    unittest.main()
