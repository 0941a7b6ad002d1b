// What a run does when the disk or the memory is full: what there is by then is kept.
#pragma once
#include <string>
#include <vector>

#include "run/integrate.h"

namespace raak {

Diagnosis diagnose_no_room(double t, double until, double step, const std::string& because, const std::string& advice);

// As a document events take ten times the memory that they take in a run.
void forget_late_events(Result& result);

}  // namespace raak
