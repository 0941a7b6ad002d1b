"""Runs `raak check` and `raak bench` as a user would."""

import csv
import json
import math
import os
import pathlib
import shutil
import subprocess
import unittest
import xml.etree.ElementTree

from program import RAAK, ROOT, ProgramTest, raak


class Check(ProgramTest):
    FIELDS = ("model run method formulation rtol scd mescd scd_published mescd_published position_residual "
              "velocity_residual energy_drift required pass").split()

    def test_a_model_that_delivers_passes(self):
        rows = self.json("check", "andrews", "pendulum")
        self.assertEqual({row["model"] for row in rows}, {"andrews", "pendulum"})
        for row in rows:
            self.assertLessEqual(set(self.FIELDS), set(row))
            self.assertIs(row["pass"], True)
            self.assertGreaterEqual(row["scd"], row["required"])
        self.assertIn("pass", raak("check", "andrews").stdout)

    def test_digits_that_are_missing_are_exit_code_4(self):
        rows = self.json("check", "andrews", "--atol", "1e-2", code=4)
        self.assertIs(rows[0]["pass"], False)
        done = raak("check", "andrews", "--atol", "1e-2")
        self.assertEqual(done.returncode, 4)
        self.assertIn("FAIL", done.stdout)

    def test_a_setting_that_a_model_lacks_is_refused(self):
        self.refused("check", "--set", "beam=linear", says=["beam"])


class Bench(ProgramTest):
    def test_radau_falls_little_short_on_a_chain_of_many_freedoms(self):
        rows = self.json("bench", str(ROOT / "examples/pendulum-chain.toml"), "--methods", "radau", "--rtol", "1e-9:1e-12:2")
        self.assertEqual(len(rows), 7)
        for row in rows:
            self.assertLess(row["shortfall"], 2.0, row["rtol"])  # 1.5 is promised; 1.51 at 10^-10.5, 1.75 at 1e-12

    def test_a_reference_of_outputs_alone_has_a_shortfall_too(self):
        rows = self.json("bench", str(ROOT / "examples/door.toml"), "--methods", "auto", "--rtol", "1e-4:1e-6:1")
        for row in rows:
            self.assertAlmostEqual(row["shortfall"], -math.log10(row["rtol"]) - row["digits"], places=9)

    FIELDS = ("model method formulation rtol atol status message scd mescd energy_drift steps accepted rejected evaluations "
              "jacobians factorizations cpu_us cpu_us_min").split()

    def test_every_row_has_the_fields_of_the_contract(self):
        rows = self.json("bench", "pendulum", "--methods", "dop853,svd", "--rtol", "1e-5:1e-7:1")
        self.assertEqual([row["rtol"] for row in rows if row["method"] == "svd"], [1e-5, 1e-6, 1e-7])
        self.assertEqual(len(rows), 6)
        for row in rows:
            self.assertLessEqual(set(self.FIELDS), set(row))
            self.assertEqual((row["model"], row["status"], row["message"]), ("pendulum", "ok", ""))
            self.assertEqual(row["steps"], row["accepted"] + row["rejected"])
            self.assertGreater(row["scd"], 4)
            self.assertGreater(row["cpu_us_min"], 0)
            self.assertLessEqual(row["cpu_us_min"], row["cpu_us"])
            self.assertAlmostEqual(row["shortfall"], -math.log10(row["rtol"]) - row["digits"], places=9)

    def test_the_table_tells_the_cost_of_an_accuracy_and_the_shortfall(self):
        done = raak("bench", "pendulum", "--methods", "dop853", "--rtol", "1e-6:1e-7:1")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        for words in ("cost at scd >=", "shortfall", "dop853", "CPU/us"):
            self.assertIn(words, done.stdout)

    def test_a_model_without_a_reference_is_measured_against_itself_and_labelled(self):
        model = self.scratch / "m.toml"
        model.write_text((ROOT / "examples/pendulum.toml").read_text().split("[references")[0])
        rows = self.json("bench", str(model), "--methods", "dop853", "--rtol", "1e-5:1e-6:1")
        self.assertEqual([row["reference"] for row in rows], ["its own run with auto at rtol 1e-08"] * 2)
        self.assertGreater(rows[0]["scd"], 3)
        self.assertIn("no reference", raak("bench", str(model), "--methods", "dop853", "--rtol", "1e-6").stdout)
        self.assertEqual(self.json("bench", "pendulum", "--methods", "dop853", "--rtol", "1e-6")[0]["reference"], "")

    def test_every_method_of_the_catalogue_is_measured(self):
        methods = [method["name"] for method in self.json("list", "methods")]
        rows = self.json("bench", "pendulum", "--rtol", "1e-6")
        self.assertEqual([row["method"] for row in rows], methods)

    def test_what_cannot_run_is_a_row_with_its_reason(self):
        rows = self.json("bench", "pendulum", "--methods", "svd", "--forms", "index1,index2", "--rtol", "1e-6")
        self.assertEqual([row["status"] for row in rows], ["ok", "refused"])
        self.assertIn("index2", rows[1]["message"])
        self.assertIsNone(rows[1]["cpu_us"])
        rows = self.json("bench", "pendulum", "--methods", "svd,gauss,radau5", "--forms", "all", "--rtol", "1e-6")
        self.assertEqual([(row["method"], row["formulation"]) for row in rows],  # each once, whatever its names are
                         [("svd", "index1"), ("gauss", "index1"), ("gauss", "index2"),
                          *(("radau5", form) for form in ("index1", "index2", "index3", "ggl"))])
        rows = self.json("bench", "car-axis", "--set", "h=1.2", "--methods", "dop853", "--rtol", "1e-6")
        self.assertEqual(rows[0]["status"], "failed")
        self.assertIn("t = 0.098", rows[0]["message"])

    def test_the_folder_holds_tables_diagrams_and_one_page(self):
        out = self.scratch / "b"
        for _ in range(2):
            done = raak("bench", "andrews", "--methods", "dop853", "--rtol", "1e-4:1e-7:1", "--out", str(out))
            self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout.splitlines()[-1], str(out / "bench.html"))
        self.assertEqual(sorted(os.listdir(out)), ["andrews-characteristics.csv", "andrews-mescd.svg", "andrews-scd.svg",
                                                   "bench.csv", "bench.html", "bench.json", "failures.csv"])
        with open(out / "andrews-characteristics.csv") as file:
            rows = list(csv.DictReader(file))
        printed = [row for row in rows if row["source"] == "printed"]
        self.assertEqual(len(printed), 10)
        self.assertEqual((printed[0]["solver"], printed[0]["scd"], printed[0]["#f"]), ("BIMD", "3.05", "1034"))
        self.assertEqual(len([row for row in rows if row["source"] == "measured"]), 4)
        page = (out / "bench.html").read_text()
        for words in ("Table II.13.3", "BIMD", "dop853", "<svg", "Map of failures", "2008", "prefers-color-scheme:dark"):
            self.assertIn(words, page)
        for link in ("http://", "https://", "<script", "<link"):
            self.assertNotIn(link, page)
        for name in ("andrews-scd.svg", "andrews-mescd.svg"):
            self.assertTrue(xml.etree.ElementTree.parse(out / name).getroot().tag.endswith("svg"))
            diagram = (out / name).read_text()
            self.assertEqual((diagram.count("on the machine of 2008"), diagram.count("dop853 at rtol")), (10, 4))
        self.refused("run", "pendulum", "--out", str(out), says=["not empty"])

    def test_no_column_of_the_page_is_hidden_on_a_screen_of_1400_pixels(self):
        browser = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
        if browser is None:
            self.skipTest("no browser")
        out = self.scratch / "bench"
        raak("bench", "andrews", "--methods", "auto,svd-dop853,generalized-alpha", "--forms", "index3,index1", "--rtol", "1e-3:1e-4:1",
             "--out", str(out))
        page = out / "measured.html"
        page.write_text((out / "bench.html").read_text() + """<pre id="found"></pre><script>
            for (const closed of document.querySelectorAll("details")) closed.open = true;
            const widths = [...document.querySelectorAll(".scroll")].map((s) => `${s.scrollWidth}>${s.clientWidth}`);
            document.getElementById("found").textContent = `widths ${widths.join(" ")} end`;</script>""")
        done = subprocess.run([browser, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={self.scratch}/profile",
                               "--window-size=1400,3000", "--dump-dom", page.as_uri()], capture_output=True, text=True)
        widths = done.stdout.split(">widths ")[1].split(" end<")[0].split()
        self.assertGreaterEqual(len(widths), 4)
        for pair in widths:
            needed, there = map(int, pair.split("&gt;"))
            self.assertLessEqual(needed, there, widths)

    def test_a_grid_that_means_nothing_is_refused(self):
        for grid, says in (("1e-10:1e-4", "1e-4:1e-10"), ("1e-4:1e-10:0", "from 1"), ("1e-4:1e-10:1.5", "whole"),
                           ("1e-4:1e-10:-2", "from 1"), ("1e-4:1e-10:1e9", "from 1"), ("1e-4:1e-10:2:3", "A:B:N"),
                           ("1e-4:", "--rtol"), (":", "--rtol"), ("1e-4:1e-20", "1e-15"), ("0:1e-4", "above 0"), ("x", "--rtol"),
                           ("1e-4:1e-10:x", "whole")):
            self.refused("bench", "pendulum", "--rtol", grid, says=[says])

    def test_unknown_names_are_refused_with_the_nearest(self):
        self.refused("bench", "pendulm", says=['"pendulum"'])
        self.refused("bench", "pendulum", "--methods", "dop853,dop835", says=['"dop835"', '"dop853"'])
        self.refused("bench", "pendulum", "--methods", "svd,,adams", says=["--methods", "commas"])
        self.refused("bench", "pendulum", "--methods", "svd,svd", says=["twice"])
        self.refused("bench", "pendulum", "--forms", "index4", says=['"index4"', "ggl"])
        self.refused("bench", "pendulum", "--h0", "0", says=["--h0"])
        self.refused("bench", "pendulum", "--set", "beam=linear", says=["pendulum", "beam"])
        self.refused("bench", "pendulum", "--out", "", says=["empty"])

    def test_the_peers_are_run_or_it_is_shown_how_to_get_them(self):
        alone = self.scratch / "raak"
        shutil.copy(RAAK, alone)
        if not os.access(alone, os.X_OK):
            self.skipTest("programs in the folder for temporary files may not be run here")
        done = subprocess.run([alone, "bench", "pendulum", "--peers"], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("./dev bench --peers", done.stderr)
        if (pathlib.Path(RAAK).parent / "raak_peers").exists():
            rows = self.json("bench", "pendulum", "--methods", "dop853", "--rtol", "1e-5:1e-6:1", "--peers")
            self.assertEqual({row["method"] for row in rows}, {"dop853", "ida", "arkode-5", "arkode-8"})
            self.assertEqual({row["status"] for row in rows}, {"ok"})

    def test_what_the_peers_print_is_listed_beside_our_methods(self):
        own = self.json("bench", "pendulum", "--methods", "dop853", "--rtol", "1e-5")
        beside = self.scratch / "raak"
        shutil.copy(RAAK, beside)
        if not os.access(beside, os.X_OK):
            self.skipTest("programs in the folder for temporary files may not be run here")
        peers = self.scratch / "raak_peers"
        row = json.dumps([{**own[0], "method": "ida", "steps": 4711}])
        peers.write_text(f"#!/bin/sh\nprintf '%s\\n' \"$@\" >'{self.scratch}/words'\ncat <<'END'\n{row}\nEND\n")
        peers.chmod(0o755)
        arguments = ["pendulum", "--methods", "dop853,ida", "--rtol", "1e-5", "--h0", "1e-7", "--set", "g=9.8", "--peers"]
        done = subprocess.run([beside, "bench", *arguments, "--json"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([(row["method"], row["steps"] == 4711) for row in json.loads(done.stdout)], [("dop853", False), ("ida", True)])
        words = (self.scratch / "words").read_text().split()
        self.assertEqual(words, ["pendulum", "--peer=ida", "--h0=1e-07", "--rtol=1e-05", "--set=g=9.8"])
        table = subprocess.run([beside, "bench", *arguments], capture_output=True, text=True).stdout
        self.assertRegex(table, r"(?m)^ *ida .*4711")
        peers.write_text("#!/bin/sh\nexit 3\n")
        done = subprocess.run([beside, "bench", *arguments, "--json"], capture_output=True, text=True)
        failed = [row for row in json.loads(done.stdout) if row["method"] == "peers"]
        self.assertEqual([row["status"] for row in failed], ["failed"])
        self.assertIn("ended before it was done", failed[0]["message"])

    def test_the_peers_keep_to_methods_forms_and_first_step(self):
        self.refused("bench", "pendulum", "--methods", "ida", says=["ida", "--peers"])
        if not (pathlib.Path(RAAK).parent / "raak_peers").exists():
            return
        rows = self.json("bench", "pendulum", "--methods", "ida", "--rtol", "1e-5", "--h0", "1e-7", "--peers")
        self.assertEqual([row["method"] for row in rows], ["ida"])
        usual = self.json("bench", "pendulum", "--methods", "ida", "--rtol", "1e-5", "--peers")
        self.assertNotEqual(rows[0]["steps"], usual[0]["steps"])
        rows = self.json("bench", "pendulum", "--methods", "arkode-5", "--forms", "index1,ggl", "--rtol", "1e-5", "--peers")
        self.assertEqual({row["formulation"]: row["status"] for row in rows}, {"index1": "ok", "ggl": "refused"})
        self.assertIn("index1", [row["message"] for row in rows if row["status"] == "refused"][0])


if __name__ == "__main__":
    unittest.main()
