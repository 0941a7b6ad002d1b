"""Runs the tests of one build against each planted fault, and says which faults no test notices.

A unit is one GoogleTest case, or one script. A first round without a fault finds which units pass and which places each of them
reaches (RAAK_FAULTS_REACHED); then each fault is judged by the units that reach it, the nearest and quickest first, until one fails.
"""

import json
import os
import resource
import subprocess
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

MEMORY = 12 << 30  # a fault may ask for memory without end


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


def units_of(build):
    """Every GoogleTest case and script that ctest knows, but for those repeated in plain or interpreted form."""
    tests = json.loads(subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1"], capture_output=True, text=True, check=True).stdout)
    units = []
    for test in tests["tests"]:
        properties = {entry["name"]: entry["value"] for entry in test.get("properties", [])}
        environment = dict(pair.split("=", 1) for pair in properties.get("ENVIRONMENT", []))
        words, folder = test.get("command", []), properties.get("WORKING_DIRECTORY", str(build))
        if not words or test["name"] in ("includes", "report_types") or test["name"].endswith(("_plain", "_interpreted")):
            continue
        if len(words) == 1 and words[0].endswith("_test"):
            units += [Unit(f"{test['name']}: {case}", [*words, f"--gtest_filter={case}"], environment, folder)
                      for case in cases_of(words[0], environment)]
        else:
            units.append(Unit(test["name"], words, environment, folder))
    return units


def explore(units, jobs):
    """Runs every unit once without a fault."""
    def one(unit):
        with tempfile.NamedTemporaryFile() as marks:
            begin = time.monotonic()
            unit.passes = unit.run({"RAAK_FAULTS_REACHED": marks.name}, 1800) is True
            unit.seconds = time.monotonic() - begin
            unit.reaches = frozenset(place for place, mark in enumerate(Path(marks.name).read_bytes()) if mark)

    with ThreadPoolExecutor(jobs) as pool:
        list(pool.map(one, units))
    print(f"{len(units)} tests explored in {sum(unit.seconds for unit in units):.0f} s", flush=True)


def judge(root, faults, units, jobs):
    """For each fault: noticed by which unit, or how many units reached it without a word."""
    good = [unit for unit in units if unit.passes]
    lock, verdicts = threading.Lock(), {}

    def one(fault):
        near = fault.path.relative_to(root).parts[1]  # the folder, whose tests bear its name
        reaching = sorted((unit for unit in good if fault.number in unit.reaches),
                          key=lambda unit: (not unit.name.startswith(near), unit.seconds))
        verdict = {"noticed": None, "reached_by": len(reaching)}
        for unit in reaching:
            passed = unit.run({"RAAK_FAULT": str(fault.number)}, 60 + 10 * unit.seconds)
            if not passed:
                verdict["noticed"] = unit.name + (" (no end)" if passed is None else "")
                break
        with lock:
            verdicts[fault.number] = verdict
            seen = sum(entry["noticed"] is not None for entry in verdicts.values())
            print(f"{seen} of {len(verdicts)} noticed; fault {fault.number}: {verdict['noticed'] or 'NOT NOTICED'}", flush=True)

    with ThreadPoolExecutor(jobs) as pool:
        list(pool.map(one, faults))
    return verdicts
