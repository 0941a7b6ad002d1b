"""The parts of a campaign, each a job that answers {"counts": {...}, "findings": [...]}. A job has seeds of its own and can be repeated."""

import copy
import json
import os
import pathlib
import random
import subprocess
import sys
import time

import full_disk
import invariance
import kills
import poison
import trial
from aligned import generate
from answers import RAAK, ROOT, Files, Reference, run_raak
from mechanism import ModelFile
from shrink import shrink

SANITIZED = {"ASAN_OPTIONS": "detect_leaks=1:abort_on_error=0:exitcode=99", "UBSAN_OPTIONS": "print_stacktrace=1:halt_on_error=1", "TSAN_OPTIONS": "exitcode=99"}


def methods_for(seed, count=2):
    return ["auto", *random.Random(seed).sample(trial.METHODS, count)]


def kept(m, seed, kind, result, again):
    """A finding with all that is needed to see it again, as small as it gets."""
    small, what = shrink(copy.deepcopy(m), result["what"], again) if again else (m, result["what"])
    return {"kind": kind, "seed": seed, "what": result["what"], "what_of_smaller": what, "mechanism": m, "smaller": small, "methods": result.get("methods", []),
            "options": result.get("options", []), "model": ModelFile(small).text()}


def mechanisms(kind, seeds, program=None, shrinking=True):
    """kind: across_methods or beside_reference."""
    reference, files = Reference(), Files()
    counts = {"mechanisms": 0, "beside reference": 0, "sensitive": 0, "skipped": 0, "runs": 0}
    findings = []
    test = getattr(trial, kind)
    for seed in seeds:
        m = generate(seed)
        methods = methods_for(seed) if program is None else ["auto"]
        result = test(m, reference, files, methods, program)
        counts["runs"] += len(methods)
        if result["verdict"] == "skipped":
            counts["skipped"] += 1
        else:
            counts["mechanisms"] += 1
            counts["beside reference"] += "beside_reference" in result
            counts["sensitive"] += result["verdict"] == "sensitive"
        if result["verdict"] == "finding":
            findings.append(kept(m, seed, kind, result, shrinking and (lambda n: test(n, reference, files, methods, program).get("what"))))
    reference.close()
    return {"counts": counts, "findings": findings}


def views(seeds, largest=3, shrinking=True):
    """Scales are powers of ten up to 10^largest, either way."""
    reference, files = Reference(), Files()
    counts = {"views": 0, "skipped views": 0}
    findings = []
    for seed in seeds:
        m = generate(seed)
        test = lambda n: invariance.try_views(n, reference, files, random.Random(seed), largest)
        result = test(m)
        counts["skipped views" if result["verdict"] == "skipped" else "views"] += 1
        if result["verdict"] == "finding":
            findings.append(kept(m, seed, "view", result, shrinking and (lambda n: test(n).get("what"))))
    reference.close()
    return {"counts": counts, "findings": findings}


def counted(name, outcome):
    count, findings = outcome
    return {"counts": {name: count}, "findings": findings}


def killing(count, seed):
    return counted("kills", kills.kill(count, seed))


def resuming(count, seed):
    return counted("kills with resume", kills.kill_and_resume(count, seed))


def names(count, seed):
    return counted("poisoned models", poison.poison(count, seed))


def disks(count, seed):
    return counted("full disks", full_disk.fill(count, seed))


def sanitized(seeds, program):
    """Random mechanisms by a program with ASan and UBSan: any remark of theirs ends it with 99."""
    os.environ.update(SANITIZED)
    result = mechanisms("across_methods", seeds, program)
    return {"counts": {"mechanisms under ASan": result["counts"]["mechanisms"] + result["counts"]["skipped"]}, "findings": result["findings"]}


def threads(program, seeds):
    """Threads that share a model, under TSan."""
    files, reference = Files(), Reference()
    findings = []
    count = 0
    for seed in seeds:
        m = generate(seed)
        first = reference.ask(m, [], 0.0)
        if first["status"] != "ok":
            continue
        path = files.write(m)
        for environment in ({}, {"RAAK_NO_EMIT": "1"}):
            # GCC's TSan does not bear the randomised addresses of newer kernels.
            done = subprocess.run(["setarch", "-R", program, path], capture_output=True, text=True, timeout=600, env={**os.environ, **SANITIZED, **environment})
            count += 1
            if done.returncode not in (0, 3):
                findings.append({"kind": "threads", "seed": seed, "what": (done.stdout + done.stderr)[-3000:], "model": pathlib.Path(path).read_text(), **environment})
    return {"counts": {"models shared by threads": count}, "findings": findings}


def fuzzing(seconds, out, target=None):
    command = [sys.executable, str(ROOT / "tests/campaign/fuzz.py"), "run", str(seconds), str(out), "--jobs", "1", "--built", str(ROOT / "build/fuzz")]
    if target:
        command += ["--targets", target]
    done = subprocess.run(command, capture_output=True, text=True)
    return fuzz_answer(done, {"seconds": seconds, "target": target})


def fuzz_answer(done, about):
    rows = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    counts = {"fuzz executions": sum(row["executions"] for row in rows)}
    findings = [{"kind": "fuzz", "target": row["target"], "what": f"{row['target']}: {what}", "log": done.stderr[-4000:]} for row in rows for what in row["findings"]]
    if not rows:
        findings.append({"kind": "fuzz", "what": f"fuzz.py ends with {done.returncode}", "log": (done.stdout + done.stderr)[-4000:], **about})
    return {"counts": counts, "findings": findings}


def regress(build):
    """Corpora and past findings of the fuzzer by the targets of a build with sanitizers."""
    done = subprocess.run([sys.executable, str(ROOT / "tests/campaign/fuzz.py"), "regress", "--build", str(build)], capture_output=True, text=True)
    result = fuzz_answer(done, {"build": str(build)})
    return {"counts": {"inputs replayed": result["counts"]["fuzz executions"]}, "findings": result["findings"]}


def past(folder, program=None):
    """Mechanisms that were findings once, beside the reference."""
    if program:
        os.environ.update(SANITIZED)
    reference, files = Reference(), Files()
    findings, count = [], 0
    for path in sorted(pathlib.Path(folder).glob("*.json")):
        finding = json.loads(path.read_text())
        m = finding["mechanism"]
        count += 1
        if finding["kind"] == "view":
            result = invariance.try_views(m, reference, files, random.Random(finding["seed"]))
        else:
            result = trial.beside_reference(m, reference, files, ["auto", *finding.get("methods", [])], program)
        if result["verdict"] == "finding":
            findings.append({"kind": "past finding", "what": f"{path.name}: {result['what']}", "model": ModelFile(m).text()})
        elif result["verdict"] == "skipped" and finding.get("followed", True):
            findings.append({"kind": "past finding", "what": f"{path.name}: the reference cannot follow it", "model": ModelFile(m).text()})
    reference.close()
    return {"counts": {"past mechanisms": count}, "findings": findings}


def noticed():
    """That a comparison can fail: a model with one mass off by a part in 10,000 must be noticed."""
    reference, files = Reference(), Files()
    findings, count = [], 0
    for seed in range(40):
        m = generate(seed)
        first = reference.ask(m, [m["until"]])
        if first["status"] != "ok" or first["weakest"] < 1e-3 or not m["bodies"] or first["mobility"] == 0 or not any(m["gravity"]):
            continue
        trial.take_start(m, first)
        bounds = trial.Bounds(m, first["samples"][0], first["companion"][0])
        if bounds.sensitive:
            continue
        m["bodies"][0]["mass"] *= 1.0001
        answer = run_raak(files.write(m))
        count += 1
        if answer["status"] == "ok" and not trial.judge(m, first["samples"][0], bounds, "auto", answer):
            # A mass may have no influence on motion and reactions: free fall, or what a driver moves without joints to feel it.
            findings.append(seed)
    reference.close()
    few = count >= 10 and len(findings) <= count // 4
    return {"counts": {"planted errors": count}, "findings": [] if few else [{"kind": "comparison", "what": f"{len(findings)} of {count} planted errors go unnoticed: seeds {findings}"}]}
