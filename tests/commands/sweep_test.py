"""raak sweep: the same rows for any threads, shards, kills and restarts; failed runs as rows; what is refused; single cases again."""

import ast
import json
import pathlib
import random
import resource
import shutil
import signal
import struct
import subprocess
import time
import unittest
import zipfile

from program import PATIENCE, RAAK, ProgramTest, raak, rows_of


def arrays_of(path):
    """Shape and numbers of each array of an .npz file (NumPy's format 1.0, doubles row by row), without NumPy."""
    arrays = {}
    with zipfile.ZipFile(path) as archive:
        for member in (name for name in archive.namelist() if name.endswith(".npy")):
            data = archive.read(member)
            assert data[:8] == b"\x93NUMPY\x01\x00", data[:8]
            start = 10 + struct.unpack("<H", data[8:10])[0]
            header = ast.literal_eval(data[10:start].decode())
            assert header["descr"] == "<f8" and not header["fortran_order"], header
            count = (len(data) - start) // 8
            arrays[member.removesuffix(".npy")] = (header["shape"], list(struct.unpack(f"<{count}d", data[start:])))
    return arrays


PENDULUM = """format = "raak/1"
space = "planar"
gravity = [0.0, -9.81]
[parameters]
m = 1.0
l = 0.5
c = 0.1
[ground.points]
O = [0.0, 0.0]
[bodies.rod]
mass = "m"
inertia = 0.01
com = [0.25, 0.0]
points = { O = [0.0, 0.0], P = ["l", 0.0] }
[joints]
O = { type = "revolute", pins = ["ground.O", "rod.O"] }
[forces]
drag = { type = "torque", on = "rod", value = "-c*rod.omega" }
[start]
trust = { "rod.angle" = -0.5, "rod.omega" = 0.0 }
[outputs]
x = "rod.P.x"
[events]
bottom = { when = "rod.angle + pi/2" }
[runs.default]
until = 1.0
"""
PLAN = """format = "raak-sweep/1"
model = "pendulum.toml"
design = "latin-hypercube"
samples = 300
block = 16
[vary]
m = { normal = [1.0, 0.1] }
l = { from = 0.4, to = 0.6 }
"rod.angle" = { uniform = [-0.6, -0.4] }
rtol = [1e-6, 1e-7]
[keep]
x = ["end", "min", "max", "mean", "rms", "at:0.3"]
"rod.omega" = "max"
t = ["event:bottom", "count:bottom"]
"""


class Sweeps(ProgramTest):
    def setUp(self):
        super().setUp()
        (self.scratch / "pendulum.toml").write_text(PENDULUM)

    def plan(self, text=PLAN, name="plan.toml"):
        path = self.scratch / name
        path.write_text(text)
        return str(path)

    def folder(self, name):
        return str(self.scratch / name)

    def done(self, *arguments, code=0):
        done = raak("sweep", *arguments)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def results(self, folder):
        """The merged table and the summary, byte for byte."""
        table = self.scratch / "merged.csv"
        self.done("--merge", folder, "--out", str(table))
        return table.read_bytes(), pathlib.Path(folder, "summary.json").read_bytes()

    def test_any_threads_shards_and_restarts_give_the_same_bytes(self):
        plan, one, two, parts = self.plan(), *map(self.folder, ("one", "two", "parts"))
        self.done(plan, "--out", one, "--threads", "1")
        self.done(plan, "--out", two, "--threads", "2")
        for i in (3, 1, 2):
            self.done(plan, "--out", parts, "--shard", f"{i}/3", "--threads", "1")
        expected = self.results(one)
        self.assertEqual(expected, self.results(two))
        self.assertEqual(expected, self.results(parts))
        rows = rows_of(self.scratch / "merged.csv")
        self.assertEqual([int(float(row["case"])) for row in rows], list(range(300)))
        self.assertEqual({row["status"] for row in rows}, {"ok"})
        for row in rows:
            self.assertLessEqual(float(row["x.min"]), float(row["x.mean"]))
            self.assertLessEqual(float(row["x.mean"]) ** 2, float(row["x.rms"]) ** 2)
            self.assertLessEqual(float(row["x.rms"]), max(abs(float(row["x.min"])), abs(float(row["x.max"]))) + 1e-12)

    @unittest.skipUnless(pathlib.Path(RAAK + "-mpi").exists() and shutil.which("mpirun"), "needs Open MPI where Raak was built")
    def test_ranks_give_the_same_bytes(self):
        plan, whole, ranks = self.plan(), self.folder("whole"), self.folder("ranks")
        self.done(plan, "--out", whole)
        mpirun = ["mpirun", "--allow-run-as-root", "--oversubscribe", "-n", "3", RAAK + "-mpi"]
        done = subprocess.run([*mpirun, "sweep", plan, "--out", ranks, "--json"], capture_output=True, text=True, timeout=PATIENCE)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(json.loads(done.stdout)["run"], 300)
        self.assertEqual(self.results(whole), self.results(ranks))

    def test_a_row_is_what_a_run_gives(self):
        plan, folder = self.plan(), self.folder("exact")
        self.done(plan, "--out", folder, "--exact")
        rows = rows_of(pathlib.Path(folder, "cases.csv"))
        for i in (0, 17, 299):
            row = rows[i]
            found = self.json("run", str(self.scratch / "pendulum.toml"), "--set", f"m={row['m']}", "--set", f"l={row['l']}",
                              "--trust", f"rod.angle={row['rod.angle']}", "--trust", "rod.omega=0", "--rtol", row["rtol"])
            self.assertEqual(found["outputs"]["x"], float(row["x.end"]))
            again = raak("run", "--case", f"{folder}:{i}", "--out", self.folder(f"case-{i}"))
            self.assertEqual(again.returncode, 0, again.stderr)
            self.assertIn("repeated to the bit", again.stderr)
            steps = [float(each["x"]) for each in rows_of(self.scratch / f"case-{i}" / "result.csv")]
            self.assertEqual((steps[-1], min(steps), max(steps)), tuple(float(row[f"x.{k}"]) for k in ("end", "min", "max")))

    def test_in_place_and_anew_agree_to_rounding(self):
        plan, folder, exact = self.plan(), self.folder("fast"), self.folder("exact")
        self.done(plan, "--out", folder)
        self.done(plan, "--out", exact, "--exact")
        for a, b in zip(rows_of(pathlib.Path(folder, "cases.csv")), rows_of(pathlib.Path(exact, "cases.csv"))):
            self.assertAlmostEqual(float(a["x.end"]), float(b["x.end"]), delta=1e-12)
            self.assertAlmostEqual(float(a["t.event:bottom"]), float(b["t.event:bottom"]), delta=1e-12)
        case = raak("run", "--case", f"{folder}:5", "--quiet")
        self.assertEqual(case.returncode, 0, case.stderr)

    def test_means_are_those_of_the_motion(self):
        """Against the mean of many samples of the run itself."""
        plan, folder = self.plan(), self.folder("means")
        self.done(plan, "--out", folder)
        row = rows_of(pathlib.Path(folder, "cases.csv"))[3]
        self.assertEqual(raak("run", "--case", f"{folder}:3", "--every", "1e-4", "--out", self.folder("run")).returncode, 0)
        x = [float(each["x"]) for each in rows_of(self.scratch / "run" / "result.csv")]
        trapezium = (sum(x) - 0.5 * (x[0] + x[-1])) / (len(x) - 1)
        squares = (sum(a * a for a in x) - 0.5 * (x[0] ** 2 + x[-1] ** 2)) / (len(x) - 1)
        self.assertAlmostEqual(float(row["x.mean"]), trapezium, delta=1e-7)
        self.assertAlmostEqual(float(row["x.rms"]), squares ** 0.5, delta=1e-7)
        self.assertAlmostEqual(float(row["x.at:0.3"]), x[3000], delta=1e-12)

    def kill(self, sent, plan, folder, *more):
        process = subprocess.Popen([RAAK, "sweep", plan, "--out", folder, "--resume", "--threads", "2", *more],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(random.uniform(0.0, 0.25))
        process.send_signal(sent)
        return process.wait(timeout=PATIENCE)

    def test_kills_at_random_moments_lose_and_change_nothing(self):
        random.seed(19)
        plan, whole, killed = self.plan(PLAN.replace("300", "6000")), self.folder("whole"), self.folder("killed")
        self.done(plan, "--out", whole)
        for kills in range(400):
            if self.kill(signal.SIGKILL if kills % 2 else signal.SIGINT, plan, killed) == 0:
                break
        self.done(plan, "--out", killed, "--resume")
        self.assertEqual(self.results(whole), self.results(killed))
        self.assertGreater(kills, 1)

    def test_ctrl_c_keeps_what_is_done(self):
        plan, folder = self.plan(PLAN.replace("300", "200000").replace("block = 16", "block = 200000")), self.folder("stopped")
        process, out, err = self.signalled(signal.SIGINT, lambda _: time.sleep(0.7) is None, "sweep", plan, "--out", folder, "--threads", "1")
        self.assertEqual(process.returncode, 130, err)
        self.assertIn("--resume", err)
        self.assertTrue(list(pathlib.Path(folder, "blocks").glob("*.begun")))
        self.assertEqual(self.kill(signal.SIGINT, plan, folder), 130)

    def test_damaged_blocks_are_named_and_computed_again(self):
        plan, folder = self.plan(), self.folder("damaged")
        self.done(plan, "--out", folder)
        before = self.results(folder)
        blocks = sorted(pathlib.Path(folder, "blocks").glob("*.block"))
        data = bytearray(blocks[4].read_bytes())
        data[100] ^= 1
        blocks[4].write_bytes(data)
        blocks[7].write_bytes(blocks[7].read_bytes()[:50])
        self.refused("sweep", "--merge", folder, says=("lacks 2 of 19 blocks", blocks[4].name, "--resume"))
        done = self.done(plan, "--out", folder, "--resume")
        self.assertIn(blocks[4].name, done.stderr)
        self.assertIn(blocks[7].name, done.stderr)
        self.assertEqual(before, self.results(folder))

    def test_a_changed_plan_or_model_is_refused_with_the_change(self):
        plan, folder = self.plan(), self.folder("begun")
        self.done(plan, "--out", folder)
        self.refused("sweep", plan, "--out", folder, says=("--resume",))
        self.plan(PLAN.replace("0.6 }", "0.7 }"))
        self.refused("sweep", plan, "--out", folder, "--resume", says=("vary.l was", "0.6", "0.7"))
        self.plan("# a remark changes nothing\n" + PLAN)
        self.done(plan, "--out", folder, "--resume")
        (self.scratch / "pendulum.toml").write_text(PENDULUM.replace("c = 0.1", "c = 0.2"))
        self.refused("sweep", plan, "--out", folder, "--resume", says=("pendulum.toml", "c = 0.1", "c = 0.2"))
        self.done("--merge", folder)  # the folder keeps what it was begun with

    def test_failed_runs_are_rows_with_their_cause(self):
        plan = self.plan(PLAN.replace('{ normal = [1.0, 0.1] }', "{ from = -0.5, to = 1.5 }"))
        found = self.json("sweep", plan, "--out", self.folder("failures"))
        rows = rows_of(self.scratch / "failures" / "cases.csv")
        failed = [row for row in rows if row["status"] == "failed"]
        self.assertEqual(found["failed"], len(failed))
        self.assertTrue(60 < len(failed) < 90, len(failed))
        for row in failed:
            self.assertLess(float(row["m"]), 0.0)
            self.assertEqual(row["x.end"], "nan")
            self.assertNotEqual(row["cause"], "")
        summary = found["summary"]
        self.assertEqual(summary["columns"]["x.end"]["count"], 300 - len(failed))
        self.assertEqual(sum(summary["failures"]["map"]["m"]["failed"]), len(failed))
        self.assertEqual(sum(summary["failures"]["map"]["m"]["failed"][10:]), 0)

    def test_a_table_gives_the_cases(self):
        (self.scratch / "cases.csv").write_text("m,l\n1,0.5\n1.1,0.5\n1.2,0.45\n")
        text = 'format = "raak-sweep/1"\nmodel = "pendulum.toml"\ndesign = "table"\ntable = "cases.csv"\n[keep]\nx = "end"\n'
        self.done(self.plan(text), "--out", self.folder("table"))
        rows = rows_of(self.scratch / "table" / "cases.csv")
        self.assertEqual([(float(row["m"]), float(row["l"])) for row in rows], [(1.0, 0.5), (1.1, 0.5), (1.2, 0.45)])
        self.refused("sweep", self.plan(text + '[vary]\nm = "mass"\n'), code=1, says=("plan.toml:8:1", 'no column', '"mass"'))
        (self.scratch / "cases.csv").write_text("m,l\n1,0.5\n1.1,half\n")
        self.refused("sweep", self.plan(text), code=1, says=("cases.csv:3:5", '"half"'))

    def test_formats_hold_the_same_numbers(self):
        folder = self.folder("trajectories")
        self.done(self.plan(PLAN.replace('x = [', 'x = ["trajectory", ').replace("block", "every = 0.25\nblock")), "--out", folder)
        self.done("--merge", folder, "--out", self.folder("all.npz"))
        rows = rows_of(pathlib.Path(folder, "cases.csv"))
        arrays = arrays_of(self.folder("all.npz"))
        for name in ("case", "m", "l", "x.end", "t.count:bottom"):
            self.assertEqual(arrays[name], ((len(rows),), [float(row[name]) for row in rows]), name)
        paths = arrays_of(self.folder("all.trajectories.npz"))
        self.assertEqual(paths["t"], ((5,), [0, 0.25, 0.5, 0.75, 1.0]))
        shape, values = paths["x"]
        self.assertEqual(shape, (300, 5))
        self.assertEqual(values[4::5], arrays["x.end"][1])

    def test_sobol_indices_come_with_their_groups(self):
        text = PLAN.replace("latin-hypercube", "sobol").replace("300", "256").replace("rtol = [1e-6, 1e-7]\n", "") + "[summary]\nsobol-indices = true\n"
        found = self.json("sweep", self.plan(text), "--out", self.folder("indices"))
        self.assertEqual(found["cases"], 256 * 5)
        indices = found["summary"]["columns"]["x.end"]["sobol"]
        self.assertEqual(indices["groups"], 256)
        self.assertAlmostEqual(sum(indices["first"].values()), 1.0, delta=0.1)

    def test_a_full_disk_ends_it_and_keeps_what_is_done(self):
        plan, folder = self.plan(PLAN.replace("block = 16", "block = 64")), self.folder("full")
        limited = subprocess.run([RAAK, "sweep", plan, "--out", folder], capture_output=True, text=True,
                                 preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (2500, 2500)))
        self.assertEqual(limited.returncode, 3, limited.stderr)
        self.assertRegex(limited.stderr, r"\Araak: cannot write \"[^\n]+block")
        self.done(plan, "--out", folder, "--resume")
        self.done(plan, "--out", self.folder("whole"))
        self.assertEqual(self.results(folder), self.results(self.folder("whole")))

    def test_refusals(self):
        for change, says in (
            (('m = {', 'mm = {'), ('plan.toml:7:1', '"mm"', '"m"')),
            (('[1.0, 0.1]', '[1.0, -0.1]'), ('plan.toml:7:5', "not negative", "-0.1")),
            (('from = 0.4', 'from = 0.9'), ('plan.toml:8', "0.9 to 0.6")),
            (('"end", ', '"ends", '), ('plan.toml:12', '"ends"', '"end"')),
            (('at:0.3', 'at:3'), ("plan.toml:12", "outside the run")),
            (('event:bottom', 'event:top'), ('"top"', "bottom")),
            (('x = ["end"', 'y = ["end"'), ("plan.toml:12", '"y"')),
            (('samples = 300\n', ''), ("samples",)),
            (('design = "latin-hypercube"', 'design = "latin"'), ('"latin"', '"latin-hypercube"')),
            (('design = "latin-hypercube"', 'design = "grid"'), ("plan.toml:7:5", "{ from, to, count }", "on a grid")),

            (('model = "pendulum.toml"', 'model = "pendulums.toml"'), ("pendulums.toml",)),
            (('samples = 300', 'samples = 2.5'), ("whole number", "2.5")),
            (('raak-sweep/1', 'raak-sweep/2'), ("raak-sweep/1",)),
            (('[keep]', '[kept]'), ("kept", "keep")),
        ):
            with self.subTest(change=change):
                self.refused("sweep", self.plan(PLAN.replace(*change)), "--out", self.folder("none"), code=1, says=says)
                self.assertFalse((self.scratch / "none").exists())
        plan = self.plan()
        self.refused("sweep", "nothing.toml", says=('"nothing.toml"',))
        self.refused("sweep", plan, "--shard", "3/2", says=("--shard 3/2", "I/N"))
        self.refused("sweep", plan, "--threads", "0", says=("--threads 0",))
        self.refused("sweep", "--merge", self.folder("nowhere"), says=("holds no sweep",))
        (self.scratch / "other").mkdir()
        (self.scratch / "other" / "mine.txt").write_text("x")
        self.refused("sweep", plan, "--out", self.folder("other"), says=("not empty",))
        self.refused("run", "--case", self.folder("nowhere") + ":1", says=("holds no sweep",))
        self.refused("run", "--case", "nothing", says=("DIR:I",))


if __name__ == "__main__":
    unittest.main()
