"""The solver in a loop of your own: step, look inside the step by dense output, find where the pendulum of document
DCT 1987.010 passes through its lowest point. Ends with 1 if the period found is not the exact one. The pair of
04_step_by_step.cpp.
"""

import sys

import raak

stepper = raak.problem("pendulum").stepper(until=3, rtol=1e-12, method="svd")
passages = []
phi = stepper["phi"]
for step in stepper:
    before, phi = phi, step["phi"]
    if before * phi > 0:
        continue
    low, high = step.before, step.t  # phi changes its sign between them
    while high - low > 1e-13:
        middle = 0.5 * (low + high)
        if before * step.at(middle)["phi"] > 0:
            low = middle
        else:
            high = middle
    passages.append(low)
    print(f"passes through the lowest point at t = {low:.12f} s")
    if len(passages) == 2:
        break
period = 2 * (passages[1] - passages[0])
print(f"period {period:.12f} s (exact: 2.614189552192 s), {stepper.statistics.accepted} steps")
sys.exit(0 if abs(period - 2.6141895521915240) < 1e-9 else 1)
