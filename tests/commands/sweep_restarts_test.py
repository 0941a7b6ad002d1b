"""raak sweep: the same rows for any threads, shards, ranks, kills and restarts."""

import json
import os
import pathlib
import random
import resource
import shutil
import signal
import subprocess
import time
import unittest

from program import PATIENCE, RAAK, rows_of
from sweeps import PENDULUM, PLAN, SweepTest


class Restarts(SweepTest):
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
        self.assertIn("cases are done in all", err)
        self.assertTrue(list(pathlib.Path(folder, "blocks").glob("*.begun")))
        self.assertEqual(self.kill(signal.SIGINT, plan, folder), 130)

    def test_what_is_done_is_counted(self):
        plan, folder = self.plan(), self.folder("counted")
        for shard, done in (("1/3", 6 * 16 + 12), ("2/3", 13 * 16 - 4), ("3/3", 300)):
            found = self.json("sweep", plan, "--out", folder, "--shard", shard)
            self.assertEqual((found["cases"], found["done"]), (300, done))
        plan, folder = self.plan(PLAN.replace("300", "200000").replace("block = 16", "block = 1000")), self.folder("stopped")
        run = []
        for _ in range(2):
            before = len(list(pathlib.Path(folder, "blocks").glob("*.block"))) if run else 0
            process, out, err = self.signalled(signal.SIGINT, lambda _: len(list(pathlib.Path(folder, "blocks").glob("*.block"))) > before + 1,
                                               "sweep", plan, "--out", folder, "--json", "--resume")
            self.assertEqual(process.returncode, 130, err)
            run.append(json.loads(out)["run"])
            self.assertEqual(json.loads(out)["done"], sum(run))

    def test_no_case_depends_on_those_before_it(self):
        """What decides on a formula, a torque that is zero in some cases, and lengths, whose starts are found on the way, in other orders."""
        model = pathlib.Path(__file__).resolve().parents[2] / "examples" / "andrews.toml"
        for method in ("auto", "radau"):
            text = f'''format = "raak-sweep/1"
model = "{model}"
design = "random"
samples = 30
block = 1
rtol = 1e-6
method = "{method}"
[vary]
tau = [0.0, 0.033]
d = {{ uniform = [0.02795, 0.02805] }}
rr = [0.007, 0.007001]
[keep]
"OF.angle" = ["end", "max"]
'''
            plan, folders = self.plan(text), [self.folder(f"{method}-{name}") for name in ("whole", "threads", "shards")]
            self.done(plan, "--out", folders[0], "--threads", "1")
            self.done(plan, "--out", folders[1], "--threads", "2")
            for i in (3, 1, 2):
                self.done(plan, "--out", folders[2], "--shard", f"{i}/3", "--threads", "1")
            self.assertEqual(self.results(folders[0]), self.results(folders[1]))
            self.assertEqual(self.results(folders[0]), self.results(folders[2]))

    def test_ctrl_c_ends_the_motions_of_the_page(self):
        plan = self.plan(PLAN.replace("samples = 300", "samples = 1").replace("rtol = [1e-6, 1e-7]", "step = [1e-5, 1e-5]"))
        folder = pathlib.Path(self.folder("page"))
        process, _, err = self.signalled(signal.SIGINT, lambda _: any(folder.glob("blocks/*.block")), "sweep", plan, "--out", str(folder))
        self.assertEqual(process.returncode, 130, err)
        self.assertIn("all cases are done", err)
        self.assertTrue((folder / "sweep.html").exists())
        self.assertEqual(len(rows_of(folder / "cases.csv")), 1)

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

        text = PLAN.replace("latin-hypercube", "sobol").replace("300", "32").replace("rtol = [1e-6, 1e-7]\n", "").replace("block = 16\n", "")
        plan, folder = self.plan(text + "[summary]\nsobol-indices = true\nbins = 5\n"), self.folder("indices")
        self.done(plan, "--out", folder)
        self.plan(text + "[summary]\nsobol-indices = true\nquantiles = [0.5]\n")
        self.done(plan, "--out", folder, "--resume")
        self.plan(text)
        self.refused("sweep", plan, "--out", folder, "--resume",
                     says=("sobol-indices was true and is false", "the plan makes 32 cases and the folder has 160"))
        self.plan()
        self.refused("sweep", plan, "--out", folder, "--resume", says=('design was "sobol" and is "latin-hypercube"', "samples was 32 and is 300"))
        self.plan(text + "[summary]\nsobol-indices = true\n")
        self.refused("sweep", plan, "--out", folder, "--resume", "--exact", says=("begun without --exact",))

    def test_many_sum_up_one_folder_at_once(self):
        plan, folder = self.plan(), pathlib.Path(self.folder("shared"))
        self.done(plan, "--out", str(folder))
        before, names = self.results(folder), sorted(each.name for each in folder.iterdir())
        merge = [RAAK, "sweep", "--merge", str(folder), "--out", str(self.scratch / "all.npz")]
        for command in (merge, [RAAK, "sweep", plan, "--out", str(folder), "--resume"]):
            for _ in range(5):
                all_of_them = [subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) for _ in range(4)]
                for process in all_of_them:
                    _, err = process.communicate(timeout=PATIENCE)
                    self.assertEqual((process.returncode, err), (0, ""))
        self.assertEqual(before, self.results(folder))
        self.assertEqual(names, sorted(each.name for each in folder.iterdir()))

    def test_what_killed_processes_left_goes_when_all_is_done(self):
        plan, folder = self.plan(), pathlib.Path(self.folder("left"))
        self.done(plan, "--out", str(folder), "--shard", "1/2")
        dead = subprocess.Popen(["true"])
        dead.wait()
        space = "".join(c for c in os.readlink("/proc/self/ns/pid") if c.isdigit())
        host = os.uname().nodename.replace(".", "-")[:32] + ("" if space == "4026531836" else "-" + space)
        left = [f"blocks/0000001.block.{host}-{dead.pid}-1.partial", "blocks/0000002.block.another-host-12-3.partial", "blocks/0000003.begun",
                f"summary.json.{host}-{dead.pid}-7.partial"]
        stays = f"summary.json.{host}-{os.getpid()}-1.partial"
        for name in [*left, stays]:
            (folder / name).write_bytes(b"half")
        self.done(plan, "--out", str(folder), "--resume")
        for name in left:
            self.assertFalse((folder / name).exists(), name)
        self.assertTrue((folder / stays).exists())
        self.assertEqual(len(list((folder / "blocks").iterdir())), 19)

    def test_a_folder_in_place_of_a_block_is_named(self):
        plan, folder = self.plan(), self.folder("odd")
        self.done(plan, "--out", folder)
        block = pathlib.Path(folder, "blocks", "0000004.block")
        block.unlink()
        block.mkdir()
        for command in ((plan, "--out", folder, "--resume"), ("--merge", folder)):
            self.refused("sweep", *command, says=(block.name, "is damaged", "a folder and no file", "move it away"))
        block.rmdir()
        self.done(plan, "--out", folder, "--resume")

    def test_a_full_disk_ends_it_and_keeps_what_is_done(self):
        plan, folder = self.plan(PLAN.replace("block = 16", "block = 64")), self.folder("full")
        limited = subprocess.run([RAAK, "sweep", plan, "--out", folder], capture_output=True, text=True,
                                 preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (2500, 2500)))
        self.assertEqual(limited.returncode, 3, limited.stderr)
        self.assertRegex(limited.stderr, r"\Araak: cannot write \"[^\n]+block")
        self.done(plan, "--out", folder, "--resume")
        self.done(plan, "--out", self.folder("whole"))
        self.assertEqual(self.results(folder), self.results(self.folder("whole")))


if __name__ == "__main__":
    unittest.main()
