#!/usr/bin/env python3
"""The standing campaign: looks for wrong answers, crashes and lost data in Raak, with fresh seeds each time.

campaign.py ci [--sanitized DIR]
    the seeded part that continuous integration runs in three minutes; ends with "N passed, N failed".
campaign.py run HOURS [--out DIR] [--jobs N] [--only A,B]
    without end until the hours are over. DIR keeps counts, findings (each in a folder of its own, shrunk) and the page of figures.
campaign.py replay FINDING
    tries a finding.json of the campaign again.
"""

import argparse
import concurrent.futures
import hashlib
import itertools
import json
import os
import pathlib
import resource
import sys
import time
import traceback

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import figures  # noqa: E402
import jobs  # noqa: E402
import kills  # noqa: E402
import trial  # noqa: E402
from answers import ROOT, Files, Reference  # noqa: E402
from shrink import signature  # noqa: E402

TARGETS = ["expression", "model", "json", "expression", "results", "expression", "model", "command_line"]  # of the fuzzer: what is fast more often


def cpu_seconds():
    """Of this process and of all that it has waited for."""
    return sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))


def guarded(job, *arguments):
    """A job that breaks is a finding of its own: nothing may pass because it did not run."""
    began, worked = time.monotonic(), cpu_seconds()
    try:
        result = job(*arguments)
    except Exception:
        result = {"counts": {}, "findings": [{"kind": "job", "what": f"{job.__name__} breaks: {traceback.format_exc()[-1500:]}"}]}
    return {**result, "seconds": time.monotonic() - began, "cpu": cpu_seconds() - worked}


def ci(arguments):
    sanitized = pathlib.Path(arguments.sanitized) / "raak"
    parts = [
        ("planted errors are noticed", jobs.noticed, ()),
        ("100 random mechanisms beside the reference", jobs.mechanisms, ("beside_reference", range(100), None, False)),
        ("30 random mechanisms across methods", jobs.mechanisms, ("across_methods", range(1000, 1030), None, False)),
        ("30 mechanisms scaled, turned, renamed, reordered and backwards", jobs.views, (range(2000, 2030), 3, False)),
        ("30 kills, half while files are named", jobs.killing, (30, 1)),
        ("poisoned names", jobs.names, (25, 1)),
        ("disks that fill", jobs.disks, (4, 1)),
        ("past findings of mechanisms", jobs.past, (HERE / "findings",)),
    ]
    if kills.supports_resume():
        parts.append(("10 kills of runs that are resumed", jobs.resuming, (10, 1)))
    if sanitized.exists():
        parts.append(("past findings of mechanisms under ASan and UBSan", jobs.past, (HERE / "findings", str(sanitized))))
        parts.append(("12 random mechanisms under ASan and UBSan", jobs.sanitized, (range(3000, 3012), str(sanitized))))
        if (HERE / "fuzz.py").exists():
            parts.append(("corpora and past findings of the fuzzer under ASan and UBSan", jobs.regress, (arguments.sanitized,)))
    passed = failed = 0
    with concurrent.futures.ProcessPoolExecutor(os.cpu_count()) as pool:
        running = {pool.submit(guarded, job, *job_arguments): name for name, job, job_arguments in parts}
        for future in concurrent.futures.as_completed(running):
            result = future.result()
            counts = ", ".join(f"{n} {what}" for what, n in result["counts"].items())
            print(f'{"FAILED" if result["findings"] else "passed"}  {running[future]} ({counts}; {result["seconds"]:.0f} s)', flush=True)
            for finding in result["findings"][:5]:
                print(f'        seed {finding.get("seed")}: {finding["what"][:500]}', flush=True)
            passed += not result["findings"]
            failed += bool(result["findings"])
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


class Campaign:
    """Counts and findings of all runs so far, kept in a folder."""

    def __init__(self, out):
        self.out = pathlib.Path(out)
        (self.out / "findings").mkdir(parents=True, exist_ok=True)
        self.state_file = self.out / "state.json"
        self.state = json.loads(self.state_file.read_text()) if self.state_file.exists() else {"seed": 10**6, "seconds": 0.0, "counts": {}, "findings": {}}
        self.began = time.monotonic()
        self.before = self.state["seconds"]

    def seeds(self, count):
        first = self.state["seed"]
        self.state["seed"] += count
        return range(first, first + count)

    def take(self, result):
        self.state["cpu"] = self.state.get("cpu", 0.0) + result["cpu"]
        for name, count in result["counts"].items():
            self.state["counts"][name] = self.state["counts"].get(name, 0) + count
        for finding in result["findings"]:
            self.keep(finding)
        self.state["seconds"] = self.before + time.monotonic() - self.began
        self.save()

    def keep(self, finding):
        kind = f'{finding["kind"]}: {signature(finding["what"])}'
        entry = self.state["findings"].setdefault(kind, {"count": 0, "first": "", "what": finding["what"][:400]})
        entry["count"] += 1
        if entry["count"] > 5:
            return
        name = hashlib.sha1((kind + str(entry["count"])).encode()).hexdigest()[:10]
        folder = self.out / "findings" / name
        folder.mkdir(exist_ok=True)
        entry["first"] = entry["first"] or str(folder)
        (folder / "finding.json").write_text(json.dumps(finding, indent=1))
        (folder / "what.txt").write_text(f'{finding["kind"]}, seed {finding.get("seed")}\n{finding["what"]}\n{finding.get("what_of_smaller", "")}\nagain: tests/campaign/campaign.py replay {folder}/finding.json\n')
        if "model" in finding:
            (folder / "model.toml").write_text(finding["model"])
        if "smaller" in finding:
            (folder / "answers.json").write_text(json.dumps(both_answers(finding), indent=1))
        print(f'campaign: {finding["kind"]}, seed {finding.get("seed")}: {finding["what"][:200]}: {folder}', file=sys.stderr, flush=True)

    def save(self):
        partial = self.state_file.with_suffix(".partial")
        partial.write_text(json.dumps(self.state, indent=1))
        partial.replace(self.state_file)
        (self.out / "figures.md").write_text(figures.page(self.state))


def both_answers(finding):
    """Of the shrunk mechanism, by the reference and by each method."""
    m = json.loads(json.dumps(finding["smaller"]))
    reference, files = Reference(), Files()
    wanted = reference.ask(m, [m["until"]]) if m["until"] > 0 else {"status": "backwards"}
    if wanted["status"] == "ok":
        trial.take_start(m, wanted)
    path = files.write(m)
    answers = {method: trial.run_raak(path, "--method", method) for method in finding["methods"] or ["auto"]}
    reference.close()
    return {"reference": wanted, "raak": answers}


def plan(campaign, arguments):
    """Jobs without end, in turn."""
    sanitized = ROOT / "build/asan/raak"
    shared = ROOT / "build/tsan/raak_threads"
    turn, fuzzed = itertools.count(), itertools.cycle(TARGETS)
    makers = {
        "methods": lambda n: (jobs.mechanisms, "across_methods", campaign.seeds(110)),
        "reference": lambda n: (jobs.mechanisms, "beside_reference", campaign.seeds(30)),
        "fuzz": lambda n: (jobs.fuzzing, 40, campaign.out / "fuzz", next(fuzzed)),
        "views": lambda n: (jobs.views, campaign.seeds(15), 3 + 3 * (n % 2)),
        "kills": lambda n: (jobs.killing, 60, campaign.seeds(1)[0]),
        "resume": lambda n: (jobs.resuming, 60, campaign.seeds(1)[0]),
        "names": lambda n: (jobs.names, 10, campaign.seeds(1)[0]),
        "disks": lambda n: (jobs.disks, 4, campaign.seeds(1)[0]),
        "asan": lambda n: (jobs.sanitized, campaign.seeds(10), str(sanitized)),
        "threads": lambda n: (jobs.threads, str(shared), campaign.seeds(4)),
    }
    missing = {"fuzz": not (ROOT / "build/fuzz/fuzz_model").exists(), "resume": not kills.supports_resume(), "asan": not sanitized.exists(), "threads": not shared.exists()}
    order = ["methods", "fuzz", "reference", "kills", "methods", "fuzz", "views", "resume", "methods", "fuzz", "asan", "reference", "names", "fuzz", "threads", "disks"]
    order = [name for name in order if not missing.get(name) and (not arguments.only or name in arguments.only.split(","))]
    for name, absent in missing.items():
        if absent:
            print(f"campaign: without {name}: it is not built", file=sys.stderr)
    for name in itertools.cycle(order):
        yield makers[name](next(turn))


def run(arguments):
    campaign = Campaign(arguments.out)
    end = time.monotonic() + 3600 * arguments.hours
    todo = plan(campaign, arguments)
    with concurrent.futures.ProcessPoolExecutor(arguments.jobs) as pool:
        running = {pool.submit(guarded, *next(todo)) for _ in range(arguments.jobs)}
        while running:
            done, running = concurrent.futures.wait(running, return_when=concurrent.futures.FIRST_COMPLETED)
            for future in done:
                campaign.take(future.result())
                if time.monotonic() < end:
                    running.add(pool.submit(guarded, *next(todo)))
    print(figures.page(campaign.state))
    return 1 if campaign.state["findings"] else 0


def replay(arguments):
    finding = json.loads(pathlib.Path(arguments.finding).read_text())
    reference, files = Reference(), Files()
    for name in ("mechanism", "smaller"):
        if name not in finding:
            continue
        m = finding[name]
        result = jobs.invariance.try_views(m, reference, files, jobs.random.Random(finding["seed"])) if finding["kind"] == "view" else \
            trial.beside_reference(m, reference, files, finding.get("methods") or ["auto"])
        print(f'{name}: {result["verdict"]} {result.get("what", "")}')
    reference.close()
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    modes = parser.add_subparsers(required=True)
    short = modes.add_parser("ci")
    short.add_argument("--sanitized", default=str(ROOT / "build/asan"))
    short.set_defaults(action=ci)
    long = modes.add_parser("run")
    long.add_argument("hours", type=float)
    long.add_argument("--out", default=str(ROOT / "build/campaign"))
    long.add_argument("--jobs", type=int, default=os.cpu_count())
    long.add_argument("--only", help="kinds of jobs, by commas")
    long.set_defaults(action=run)
    again = modes.add_parser("replay")
    again.add_argument("finding")
    again.set_defaults(action=replay)
    arguments = parser.parse_args()
    return arguments.action(arguments)


if __name__ == "__main__":
    sys.exit(main())
