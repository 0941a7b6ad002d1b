// Raak: simulates constrained mechanisms.
//
//   raak::Model model = raak::load("andrews.toml");
//   model.set("k", 4600.0);
//   raak::Result r = raak::run(model, {.until = 0.03, .rtol = 1e-8});
//   r["F.x"]; r.t(); r.at(0.01)["F.x"]; r.brief(); r.report("report.html");
//
// find_package(raak) and raak::raak, or pkg-config raak; C++20. docs/library.md.
#pragma once
#include "raak/callbacks.h"
#include "raak/equations.h"
#include "raak/errors.h"
#include "raak/mechanism.h"
#include "raak/model.h"
#include "raak/result.h"
#include "raak/stepper.h"
#include "raak/study.h"
#include "raak/sweep.h"
