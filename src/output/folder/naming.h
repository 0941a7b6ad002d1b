// The files of a run get their names together. Each is complete and on the disk under its partial name first; then the
// new run.json, which lists them, appears as run.json.naming: from there on the new run counts. Then each file gets its
// name, what only the run before wrote goes, and run.json.naming becomes run.json last. Whoever is killed in between
// leaves the old results or the new ones whole: while run.json.naming is there, complete_naming() does the rest.
#pragma once
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "output/formats/json.h"

namespace raak {

std::filesystem::path naming_path(const std::filesystem::path& folder);

// The names that the files of a run may have beside its pictures.
const std::vector<std::string>& result_file_names();

// What is left to do once run.json.naming is there, one change of the folder each.
std::vector<std::function<void()>> naming_steps(const std::filesystem::path& folder, const Json& document);

// Names the files that the document lists, which lie in the folder under their partial names.
void name_files(const std::filesystem::path& folder, const Json& document);

// Does what a run that was killed left to do; true: there was something. Throws a request error where that is not
// possible, because a run is at it just now or the folder cannot be written.
bool complete_naming(const std::filesystem::path& folder);
// The same for whoever holds the lock of the folder.
bool complete_naming_locked(const std::filesystem::path& folder);

}  // namespace raak
