"""Runs the tests of one build against each planted fault, and says which faults no test notices.

A unit is one case of GoogleTest or of Python's unittest, or another test of ctest as a whole. A first round without a fault finds
which units pass and which places each of them reaches (RAAK_FAULTS_REACHED); then each fault is judged by the units that reach it, the
nearest and quickest first, until one fails. A unit that fails must pass without the fault right afterwards, and a unit without an end
fails. Tests that ctest repeats in plain or interpreted form judge what no other unit reaches.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

MEMORY = 12 << 30  # a fault may ask for memory without end
MARKS = 4096  # bytes, as many as plant.py allows for
REPEATED = ("_plain", "_interpreted")
LISTING = """import importlib.util, pathlib, sys, unittest
sys.path.insert(0, str(pathlib.Path(sys.argv[1]).parent))
spec = importlib.util.spec_from_file_location("listed", sys.argv[1])
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
def cases(suite):
    return [case for part in suite for case in cases(part)] if isinstance(suite, unittest.TestSuite) else [suite.id().split(".", 1)[1]]
print(*cases(unittest.defaultTestLoader.loadTestsFromModule(module)), sep="\\n")
"""


class Unit:
    def __init__(self, name, words, environment, folder):
        self.name, self.words, self.environment, self.folder = name, words, environment, folder
        self.seconds, self.reaches, self.passes = 0.0, frozenset(), False

    def run(self, extra, timeout):
        """Whether the unit passes; None if it takes longer than `timeout` seconds."""
        def limit():
            os.setsid()
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))

        with tempfile.TemporaryDirectory() as scratch:
            environment = {**os.environ, **self.environment, **extra, "TMPDIR": scratch}
            process = subprocess.Popen(self.words, cwd=self.folder, env=environment, preexec_fn=limit, stdin=subprocess.DEVNULL,
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            try:
                return process.wait(timeout) == 0
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, 9)
                process.wait()
                return None


def cases_of(program, environment):
    listing = subprocess.run([program, "--gtest_list_tests"], capture_output=True, text=True, env={**os.environ, **environment}).stdout
    suite, cases = "", []
    for line in listing.splitlines():
        if line.startswith("  "):
            cases.append(suite + line.split("#")[0].strip())
        elif line.endswith(".") or ".  #" in line:
            suite = line.split("#")[0].strip()
    return cases


def cases_of_script(script, environment):
    done = subprocess.run([sys.executable, "-c", LISTING, script], capture_output=True, text=True, env={**os.environ, **environment}, check=True)
    return done.stdout.split()


def units_of(build):
    """Every case that ctest knows."""
    tests = json.loads(subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1"], capture_output=True, text=True, check=True).stdout)
    units = []
    for test in tests["tests"]:
        properties = {entry["name"]: entry["value"] for entry in test.get("properties", [])}
        environment = dict(pair.split("=", 1) for pair in properties.get("ENVIRONMENT", []))
        words, folder, name = test.get("command", []), properties.get("WORKING_DIRECTORY", str(build)), test["name"]
        if not words or name in ("includes", "state", "report_types"):  # which read the sources
            continue
        if name.endswith(REPEATED):
            units.append(Unit(name, words, environment, folder))
        elif len(words) == 1 and words[0].endswith("_test"):
            units += [Unit(f"{name}: {case}", [*words, f"--gtest_filter={case}"], environment, folder) for case in cases_of(words[0], environment)]
        elif words[-1].endswith("_test.py"):
            units += [Unit(f"{name}: {case}", [sys.executable, words[-1], case], environment, folder) for case in cases_of_script(words[-1], environment)]
        else:
            units.append(Unit(name, words, environment, folder))
    return units


def explore(units, jobs):
    """Runs every unit once without a fault."""
    def one(unit):
        with tempfile.NamedTemporaryFile() as marks:
            marks.write(bytes(MARKS))  # here, because a test may limit the size of files
            marks.flush()
            begin = time.monotonic()
            unit.passes = unit.run({"RAAK_FAULTS_REACHED": marks.name}, 1800) is True
            unit.seconds = time.monotonic() - begin
            unit.reaches = frozenset(place for place, mark in enumerate(Path(marks.name).read_bytes()) if mark)

    with ThreadPoolExecutor(jobs) as pool:
        for done, _ in enumerate(pool.map(one, units), 1):
            if done % 100 == 0:
                print(f"{done} of {len(units)} tests explored", flush=True)
    print(f"{len(units)} tests explored in {sum(unit.seconds for unit in units):.0f} s", flush=True)


def reaching(fault, units, near, notices):
    """The units that reach the fault: those of its folder, the quick and those that noticed others first; repeated ones only if there are no others."""
    found = [unit for unit in units if fault.number in unit.reaches]
    found = [unit for unit in found if not unit.name.endswith(REPEATED)] or found
    return sorted(found, key=lambda unit: unit.seconds / (1 + notices[unit.name]) / (4 if unit.name.startswith(near) else 1))


def noticed_by(fault, units, patience):
    """The name of the first unit that fails because of the fault, or None; and how many were asked, for `patience` seconds at most."""
    spent = 0.0
    for asked, unit in enumerate(units):
        spent += unit.seconds
        if spent > patience:
            return None, asked
        passed = unit.run({"RAAK_FAULT": str(fault.number)}, 60 + 8 * unit.seconds)
        if passed is None:
            return unit.name + " (no end)", asked + 1
        if not passed and unit.run({}, 600 + 8 * unit.seconds):
            return unit.name, asked + 1
    return None, len(units)


def judge(root, faults, units, jobs, patience):
    """For each fault as it is judged: its number, by which unit it is noticed, and how many units reached it and were asked."""
    good, notices = [unit for unit in units if unit.passes], Counter()

    def one(fault):
        chosen = reaching(fault, good, fault.path.relative_to(root).parts[1], notices)  # the folder, whose tests bear its name
        noticed, asked = noticed_by(fault, chosen, patience)
        notices[noticed] += 1
        return fault.number, {"noticed": noticed, "reached_by": len(chosen), "asked": asked}

    done = seen = 0
    with ThreadPoolExecutor(jobs) as pool:
        for result in as_completed([pool.submit(one, fault) for fault in faults]):
            number, verdict = result.result()
            done, seen = done + 1, seen + (verdict["noticed"] is not None)
            verdict_text = verdict["noticed"] or f"NOT NOTICED by {verdict['asked']} of {verdict['reached_by']} tests"
            print(f"{seen} of {done} noticed; fault {number}: {verdict_text}", flush=True)
            yield number, verdict
