"""The page of figures of a campaign."""

GOALS = {"fuzz executions": 1e7, "mechanisms": 2e4, "beside reference": 3000, "kills": 3000, "kills with resume": 3000}


def page(state):
    hours = state["seconds"] / 3600
    lines = ["# Figures of the campaign", "", f"{hours:.2f} hours on the clock, {state.get('cpu', 0.0) / 3600:.2f} hours of CPU.", "",
             "| what | count | goal |", "|---|---|---|"]
    for name in sorted(set(state["counts"]) | set(GOALS)):
        lines.append(f"| {name} | {state['counts'].get(name, 0)} | {GOALS[name]:.0f} |" if name in GOALS else f"| {name} | {state['counts'][name]} | |")
    lines += ["", f"## Findings: {sum(f['count'] for f in state['findings'].values())} of {len(state['findings'])} kinds", ""]
    for kind, entry in sorted(state["findings"].items(), key=lambda item: -item[1]["count"]):
        lines.append(f"- {entry['count']} x {kind}: {entry['what'][:200]!r} ({entry['first']})")
    return "\n".join(lines) + "\n"
