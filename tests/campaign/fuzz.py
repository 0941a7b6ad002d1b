#!/usr/bin/env python3
"""Fuzzes what reads input: model files, JSON, formulas, results folders, command lines.

fuzz.py run SECONDS OUTDIR [--jobs N] [--memory MB] [--targets a,b] [--built DIR]
    builds the preset "fuzz" (clang, libFuzzer, ASan, UBSan), or takes the targets that are in DIR, and fuzzes each for an
    equal share of SECONDS (of the clock, in all). OUTDIR keeps the corpora, which the next run continues, and each new
    finding, minimised.
fuzz.py regress [--build DIR]
    runs seeds and all past findings through the targets of DIR, which are built if need be [build/asan].

Standard output: one line of JSON a target, {"target", "executions", "exec_per_s", "findings"}; seconds are those of the
processor, since a busy machine says nothing about the targets. Exit code 1: something was found.
"""

import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import seeds  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
HERE = pathlib.Path(__file__).resolve().parent / "fuzz"
TARGETS = {"model": 3000, "json": 3000, "expression": 300, "results": 6000, "command_line": 300}  # longest input, bytes
# Leaks are looked for at the end of a run only: a target that leaks fails there.
SANITIZERS = {"ASAN_OPTIONS": "detect_leaks=1:allocator_may_return_null=1:symbolize=1",
              "UBSAN_OPTIONS": "print_stacktrace=1:halt_on_error=1"}


def build(preset, targets):
    """Configures and builds; what is up to date takes no time."""
    folder = ROOT / "build" / preset
    steps = []
    if preset == "fuzz":  # takes the folders that are not fuzzed from there
        steps += [["cmake", "--preset", "release"]] * (not (ROOT / "build/release/build.ninja").exists())
        steps.append(["ninja", "-C", str(ROOT / "build/release"), "raak"])
    steps += [["cmake", "--preset", preset]] * (not (folder / "build.ninja").exists())
    steps.append(["ninja", "-C", str(folder), *(f"fuzz_{name}" for name in targets)])
    for step in steps:
        done = subprocess.run(step, cwd=ROOT, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"fuzz.py: {' '.join(step)} failed\n{done.stdout[-4000:]}{done.stderr[-2000:]}")
    return folder


def program_of(folder, name):
    return next(path for path in folder.rglob(f"fuzz_{name}") if path.is_file() and os.access(path, os.X_OK))


def signature(log):
    """What kind of finding it is: the words of the sanitizer, or of the target, without addresses and numbers."""
    for pattern in (r"^SUMMARY: (?!libFuzzer)(.*)$", r"^(finding: .*)$", r"runtime error: (.*)$", r"^SUMMARY: (.*)$"):
        match = re.search(pattern, log, re.MULTILINE)
        if match:
            return re.sub(r"0x[0-9a-f]+|\d+", "#", match.group(1))[:200]
    return "ended without a word"


def minimised(program, artefact, options, environment):
    """The same finding from fewer bytes."""
    smaller = artefact.with_suffix(".min")
    subprocess.run([program, *options, "-minimize_crash=1", "-max_total_time=20", f"-exact_artifact_path={smaller}", str(artefact)],
                   capture_output=True, env=environment)
    if smaller.exists():
        smaller.replace(artefact)


def measured(command, environment):
    """Exit code, standard error and the CPU seconds of a process."""
    with tempfile.TemporaryFile() as log:
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=log, env=environment)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        log.seek(0)
        return process.returncode, log.read().decode(errors="replace"), usage.ru_utime + usage.ru_stime


def fuzz(name, folder, out, seconds, memory):
    program = str(program_of(folder, name))
    corpus, found = out / "corpus" / name, out / "findings" / name
    for path in (corpus, found):
        path.mkdir(parents=True, exist_ok=True)
    environment = {**os.environ, **SANITIZERS}
    options = [f"-rss_limit_mb={memory}", f"-malloc_limit_mb={memory // 2}", "-timeout=10", f"-max_len={TARGETS[name]}"]
    dictionary = HERE / f"{name}.dict"
    if dictionary.exists():
        options.append(f"-dict={dictionary}")
    end, executions, worked, kinds = time.monotonic() + seconds, 0, 0.0, {}
    while time.monotonic() < end - 1:
        with tempfile.TemporaryDirectory() as scratch:
            left = max(1, int(end - time.monotonic()))
            command = [program, *options, f"-max_total_time={left}", "-print_final_stats=1", f"-artifact_prefix={scratch}/",
                       str(corpus), str(out / "seeds" / name), str(HERE / "findings" / name)]
            code, log, cpu = measured([part for part in command if not part.startswith("/") or os.path.exists(part)], environment)
            worked += cpu
            executions += sum(map(int, re.findall(r"stat::number_of_executed_units:\s*(\d+)", log)))
            if code == 0:
                continue
            kind = signature(log)
            for artefact in pathlib.Path(scratch).iterdir():
                if kind not in kinds:
                    minimised(program, artefact, options, environment)
                    kept = found / hashlib.sha1(artefact.read_bytes()).hexdigest()[:12]
                    shutil.copy(artefact, kept)
                    kept.with_suffix(".log").write_text(log[-20000:])
                    kinds[kind] = str(kept)
                    print(f"fuzz.py: {name}: {kind}: {kept}", file=sys.stderr)
            if kind not in kinds:  # nothing left behind: a seed or a past finding
                kinds[kind] = log[-2000:]
                print(f"fuzz.py: {name}: {kind}\n{log[-2000:]}", file=sys.stderr)
                break
    rate = round(executions / max(worked, 1e-3))
    return {"target": name, "executions": executions, "exec_per_s": rate, "findings": sorted(kinds)}


def run(arguments):
    targets = arguments.targets.split(",") if arguments.targets else list(TARGETS)
    folder = pathlib.Path(arguments.built).resolve() if arguments.built else build("fuzz", targets)
    out = pathlib.Path(arguments.out).resolve()
    if not (out / "seeds").exists():
        seeds.write(ROOT, out / "seeds")
    share = arguments.seconds * min(arguments.jobs, len(targets)) / len(targets)
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        rows = list(pool.map(lambda name: fuzz(name, folder, out, share, arguments.memory), targets))
    for row in rows:
        print(json.dumps(row), flush=True)
    return any(row["findings"] for row in rows)


def regress(arguments):
    folder = (ROOT / arguments.build).resolve()
    build(folder.name, TARGETS)
    failed = False
    with tempfile.TemporaryDirectory() as scratch:
        seeds.write(ROOT, pathlib.Path(scratch))
        for name in TARGETS:
            inputs = [path for path in (pathlib.Path(scratch) / name, HERE / "findings" / name) if path.exists()]
            files = sorted(file for path in inputs for file in path.iterdir())
            began = time.monotonic()
            done = subprocess.run([program_of(folder, name), *files], capture_output=True, env={**os.environ, **SANITIZERS})
            log = done.stderr.decode(errors="replace")
            findings = [] if done.returncode == 0 else [signature(log)]
            if findings:
                failed = True
                print(f"fuzz.py: {name}\n{log[-4000:]}", file=sys.stderr)
            rate = round(len(files) / max(time.monotonic() - began, 1e-3))
            print(json.dumps({"target": name, "executions": len(files), "exec_per_s": rate, "findings": findings}), flush=True)
    return failed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    modes = parser.add_subparsers(required=True)
    running = modes.add_parser("run")
    running.add_argument("seconds", type=float)
    running.add_argument("out")
    running.add_argument("--jobs", type=int, default=os.cpu_count())
    running.add_argument("--memory", type=int, default=1024, help="MB of each process")
    running.add_argument("--targets")
    running.add_argument("--built", metavar="DIR", help="has the targets")
    running.set_defaults(action=run)
    replaying = modes.add_parser("regress")
    replaying.add_argument("--build", default="build/asan")
    replaying.set_defaults(action=regress)
    arguments = parser.parse_args()
    return 1 if arguments.action(arguments) else 0


if __name__ == "__main__":
    sys.exit(main())
