"""One random mechanism put to Raak: by several methods against each other, and beside the reference.

Each trial answers a dictionary: `verdict` is "agrees", "sensitive" (it agrees within what its sensitivity allows), "skipped" (the
reference cannot follow it: a lock, a singularity on the way) or "finding"; `what` says in which way, `methods` what was run.
"""

import re

from answers import (PERTURBATION, compare_reactions, gap_of_bodies, run_raak, samples_of_raak, sizes_of_bodies, state_of_raak, take_start)
from mechanism import reaction_values
from vectors import dot, turn

METHODS = ["gauss", "radau", "tangent", "dop853", "dopri5", "adams", "svd", "svd-dop853", "radau5", "radau9", "radau13", "half-explicit"]

WITHIN = 1e-6      # of the size of what is compared, at rtol 1e-9
AMPLIFIED = 3e-8   # of what a companion run is off by, per perturbation: 30 rtol
SENSITIVE = 100.0  # a perturbation grows by more than this
NEARLY_SINGULAR = 1e-2  # smallest pivot of the rows, of the largest


class Bounds:
    """What differences of positions, velocities and reactions are allowed, from the reference and its companion."""

    def __init__(self, m, sample, companion):
        sizes = [*sizes_of_bodies(sample["bodies"]), 1.0]
        grown = [g / PERTURBATION for g in gap_of_bodies(sample["bodies"], companion["bodies"])]
        pairs = list(zip(reaction_values(m, sample), reaction_values(m, companion)))
        sizes[2] = max([1.0, *(abs(a[0]) for a, _ in pairs if a[1])])
        grown.append(max([0.0, *(abs(a[0] - b[0]) for a, b in pairs if a[1])]) / PERTURBATION)
        self.allowed = [WITHIN * s + AMPLIFIED * g for s, g in zip(sizes, grown)]
        self.sensitive = any(g > SENSITIVE * s for s, g in zip(sizes, grown))
        self.chaotic = any(g > 1e3 * SENSITIVE * s for s, g in zip(sizes, grown))


def differences(m, sample, answer):
    position, velocity = gap_of_bodies(sample["bodies"], state_of_raak(m, answer))
    reaction, _, wrong = compare_reactions(m, sample, answer["outputs"])
    return [position, velocity, reaction], wrong


def judge(m, sample, bounds, method, answer):
    """What is wrong with an answer, or nothing."""
    if answer["status"] != "ok":
        return f'{method}: ends with {answer["status"]}, code {answer["code"]}: {answer["message"][:400]}'
    gaps, wrong = differences(m, sample, answer)
    for gap, allowed, what in zip(gaps, bounds.allowed, ("positions", "velocities", "reactions")):
        if not gap <= allowed:
            return f"{method}: {what} are off by {gap:.3g}, allowed are {allowed:.3g}"
    if wrong:
        return f"{method}: {wrong[0]}"
    return wrong_energy(sample, bounds, method, answer["outputs"])


def wrong_energy(sample, bounds, method, outputs):
    """Kinetic energy is that of the velocities; what comes and goes adds up."""
    kinetic, size = outputs["energy.kinetic"], max(1.0, sample["kinetic"])
    # T is quadratic in velocities.
    if not abs(kinetic - sample["kinetic"]) <= 10 * size * bounds.allowed[1]:
        return f"{method}: the kinetic energy is {kinetic!r}, expected {sample['kinetic']!r}"
    moved = sum(abs(outputs[f"energy.{k}"]) for k in ("kinetic", "potential", "input", "dissipation"))
    if not abs(outputs["energy.balance"]) <= 10 * bounds.allowed[1] * (1.0 + moved):
        return f"{method}: the balance of energy is {outputs['energy.balance']:.3g} J of {moved:.3g} J"
    return None


def crashed(answer):
    return answer["code"] is None or answer["code"] < 0 or answer["code"] not in (0, 3)


def is_slow_near_singular(m, method, answer, reference):
    """Near a singular configuration the accelerations off the constraints change fast, which limits the steps of other methods than auto."""
    if answer["status"] != "hangs" or method == "auto":
        return False
    path = reference.ask(m, [m["until"]], 0.0)
    return path["status"] != "ok" or path["weakest"] < NEARLY_SINGULAR


def ends_at_half_a_turn(m, answer, reference):
    """A run ends where the bodies of a bushing in space have turned by half a turn, or the axes of a torsion spring are opposite; the
    reference must see them there."""
    found = re.search(r'at t = (\S+) s the (bodies|axes) of (?:bushing|torsion spring) "(\w+)"', answer["message"])
    if not found:
        return False
    there = reference.ask(m, [float(found[1])], 0.0)
    if there["status"] != "ok":
        return False
    names = [body["name"] for body in m["bodies"]]
    force = next(force for force in m["forces"] if force["name"] == found[3])
    turns = [[1.0, 0.0, 0.0, 0.0] if body == "ground" else there["samples"][0]["bodies"][names.index(body)][3:7] for body, _ in force["pins"]]
    if found[2] == "bodies":
        return abs(dot(*turns)) < 1e-6 * SENSITIVE
    one, other = (turn(q, axis) for q, (_, axis) in zip(turns, force["axes"]))
    return dot(one, other) < -0.99


def refuses_this_kind(method, answer, about):
    """A method may say that it does not do what is asked of it, or that it does not pass a configuration near a singular one; auto may not.
    A structure is no motion for any."""
    if "nothing can move" in answer["message"] and about["mobility"] == 0:
        return True
    if method != "auto" and answer["code"] == 3 and about["weakest"] < NEARLY_SINGULAR:
        return True
    return method != "auto" and answer["code"] in (2, 3) and any(w in answer["message"] for w in ("reachable", "velocity rows", "non-holonomic"))


def wasteful(answers):
    """Whether auto works far more than another method that served as well, by evaluations, which no busy machine changes."""
    served = {method: a["statistics"]["evaluations"] for method, a in answers if a["status"] == "ok"}
    least = min(served.values(), default=0)
    if served.get("auto", 0) > 10 * least + 3000:
        return f"auto: takes {served['auto']} evaluations where another method takes {least}"
    return None


def beside_reference(m, reference, files, methods, program=None):
    times = [m["until"]] if m["seed"] % 4 else [m["until"] * f for f in (0.3, 0.7, 1.0)]
    first = reference.ask(m, times)
    if first["status"] != "ok" or first["weakest"] < 1e-4:
        return {**without_reference(m, reference, files, methods, program), "verdict_reference": first["status"]}
    if first["moved"] > 1e-9:
        return {"verdict": "finding", "what": "generator: the start does not close by construction", "methods": []}
    take_start(m, first)
    sample = first["samples"][-1]
    bounds = Bounds(m, sample, first["companion"][-1])
    path = files.write(m)
    answers = []
    if len(times) > 1 and not bounds.sensitive and not program:
        table = samples_of_raak(path, times)
        if len(table) != len(times) and table[0]["status"] == "ok":
            return {"verdict": "finding", "what": f"the table has {len(table)} rows, expected {len(times)}", "methods": []}
        for answer, known, other in zip(table, first["samples"], first["companion"]):
            if refuses_this_kind("auto", answer, first) or ends_at_half_a_turn(m, answer, reference):
                break
            if what := judge(m, known, Bounds(m, known, other), "auto with a table", answer):
                return {"verdict": "finding", "what": what, "methods": []}
    for method in methods:
        answer = run_raak(path, "--method", method, program=program)
        if is_slow_near_singular(m, method, answer, reference):
            continue
        if crashed(answer):
            return {"verdict": "finding", "what": f'{method}: code {answer["code"]}, {answer["status"]}: {answer["message"][-400:]}', "methods": methods}
        if bounds.chaotic or refuses_this_kind(method, answer, first) or ends_at_half_a_turn(m, answer, reference):
            continue
        if what := judge(m, sample, bounds, method, answer):
            return {"verdict": "finding", "what": what, "methods": methods, "sensitive": bounds.sensitive}
        answers.append((method, answer))
    if what := wasteful(answers):
        return {"verdict": "finding", "what": what, "methods": methods}
    return {"verdict": "sensitive" if bounds.sensitive else "agrees", "methods": methods, "beside_reference": True}


def without_reference(m, reference, files, methods, program=None):
    """What the reference cannot follow must still end in an answer or a message."""
    first = reference.ask(m, [], 0.0)
    if first["status"] == "ok":
        take_start(m, first)
    path = files.write(m)
    for method in methods:
        answer = run_raak(path, "--method", method, program=program)
        if is_slow_near_singular(m, method, answer, reference):
            continue
        if crashed(answer):
            return {"verdict": "finding", "what": f'{method}: code {answer["code"]}, {answer["status"]}: {answer["message"][-400:]}', "methods": methods}
    return {"verdict": "skipped", "methods": methods}


def across_methods(m, reference, files, methods, program=None):
    """Methods against each other; where they differ the reference decides who is right."""
    first = reference.ask(m, [], 0.0)
    if first["status"] != "ok":
        return without_reference(m, reference, files, methods, program)
    take_start(m, first)
    path = files.write(m)
    answers = [(method, run_raak(path, "--method", method, program=program)) for method in methods]
    for method, answer in answers:
        if crashed(answer) and not is_slow_near_singular(m, method, answer, reference):
            return {"verdict": "finding", "what": f'{method}: code {answer["code"]}, {answer["status"]}: {answer["message"][-400:]}', "methods": methods}
    asked = [(n, a) for n, a in answers if not refuses_this_kind(n, a, first)]
    if all(a["status"] == "ok" for _, a in asked) and len(asked) > 1:
        states = [state_of_raak(m, a) for _, a in asked]
        sizes = sizes_of_bodies(states[0])
        same = all(g <= WITHIN * s for other in states[1:] for g, s in zip(gap_of_bodies(states[0], other), sizes))
        if same and (what := wasteful(asked)):
            return {"verdict": "finding", "what": what, "methods": methods}
        if same and same_outputs([a["outputs"] for _, a in asked]):
            return {"verdict": "agrees", "methods": methods}
    return beside_reference(m, reference, files, methods, program)


def same_outputs(tables):
    first = tables[0]
    size = max([1.0, *(abs(v) for v in first.values() if v is not None)])
    for other in tables[1:]:
        for name, value in first.items():
            if name.startswith("energy."):
                continue
            if (value is None) != (other[name] is None) or value is not None and abs(value - other[name]) > WITHIN * size:
                return False
    return True
