// The checkpoint of a run in its --out folder: what was asked for, what model it was, and the state of the run and of
// its files, from which `raak run --resume DIR` goes on. Read only by the program that wrote it.
#pragma once
#include <filesystem>
#include <string>

#include "cli/commands/commands.h"
#include "cli/request/chosen_model.h"

namespace raak::cli {

struct Checkpoint {
  std::string program, executable;  // with its version; checksum of its file
  bool avx2 = false;                // machines with and without it round differently
  std::string directory;            // from which the model's name is read
  std::string model;                // checksum of all that the model file and its includes say; empty: built in
  RunOptions options;
  std::string files, run;  // states

  // Bytes of the file, and back. Throws a request error that says why it cannot serve.
  std::string bytes() const;
  static Checkpoint read(const std::filesystem::path& folder);
};

// Of a run that begins, without states.
Checkpoint begin_checkpoint(const RunOptions& options);
// Refuses a model that has changed since.
void require_same_model(const Checkpoint& checkpoint);
// What `raak run --resume DIR` is to do: the options of the interrupted run, in the folder from which it was started,
// with what may be given anew. Refuses other options beside --resume.
RunOptions resumed_options(const RunOptions& given, const Checkpoint& checkpoint);

}  // namespace raak::cli
