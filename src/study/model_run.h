// The run of a model with its record and its files, as the command and the library make it.
#pragma once
#include <string>

#include "kinematics/model.h"
#include "output/folder/run_files.h"
#include "output/formats/json.h"
#include "run/integrate.h"

namespace raak {

// Refuses to run what cannot move. `reactions`: how to ask for them, for the advice.
void refuse_structure(const Model& model, const State& start, const std::string& reactions);

// With correct digits where the run came to an end that a reference knows.
RunRecord record_of(const ModelSource& source, const Model& model, const std::string& run, const Plan& plan,
                    const Result& result);

// Hands everything that happens to the files, which must outlive the run; returns who takes the samples.
Observer write_to(RunFiles& files, Plan& plan);
// When the run has ended, before pictures are drawn.
void gather_frames(RunFiles& files, const Result& result);
// Completes the files of the run, and the document by what they lack.
void finish_files(RunFiles& files, const ModelSource& source, const Parameters& parameters, const Model& model,
                  const RunRecord& record, const Result& result, Json& document,
                  const RunFiles::Pictures& pictures = {});

}  // namespace raak
