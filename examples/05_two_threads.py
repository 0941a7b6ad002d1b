"""Two threads on one model: each runs Andrews' squeezing mechanism with tolerances of its own.

The interpreter lock is free while Raak integrates. A model may be run by any number of threads at once; to set its
parameters while one of them runs is refused. Ends with 1 if a run differs from the same run alone, or if the refusal
does not come. The pair of 05_two_threads.cpp.
"""

import sys
from concurrent.futures import ThreadPoolExecutor

import raak

model = raak.problem("andrews")
tolerances = [1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10]


def beta(rtol):
    return model.run(rtol=rtol).end["beta"]


with ThreadPoolExecutor(2) as pool:
    found = list(pool.map(beta, tolerances))
same = found == [beta(rtol) for rtol in tolerances]
for rtol, value in zip(tolerances, found):
    print(f"rtol {rtol:.0e}   beta {value:.16f} rad")

refused = False
running = model.stepper()
try:
    model.parameters["c0"] = 4600
except raak.RequestError as error:
    print(error)
    refused = True
del running
model.parameters["c0"] = 4600  # now nobody runs it
print(f"with c0 = {model.parameters['c0']:.0f} N/m   beta {beta(1e-6):.16f} rad")

# Values of their own, at the same time: a copy for each task.


def with_spring(c0):
    copy = model.copy()
    copy.parameters["c0"] = c0
    return copy.run(end_only=True).end["beta"]


with ThreadPoolExecutor(2) as pool:
    for c0, value in zip([4000, 4500, 5000], pool.map(with_spring, [4000, 4500, 5000])):
        print(f"with c0 = {c0} N/m   beta {value:.9f} rad")
sys.exit(0 if same and refused else 1)
