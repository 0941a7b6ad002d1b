// What every command does with a folder of results before it reads it.
#pragma once
#include <filesystem>

namespace raak::cli {

// Completes the names of files that a killed run left to do, and says so unless `quiet`.
void complete_folder(const std::filesystem::path& folder, bool quiet);
// Warns where result.npz lacks rows that could not be written.
void warn_of_lacking_rows(const std::filesystem::path& folder);
// Warns of files in the folder that are not of the run that run.json lists, but for the report, which can be made anew.
void warn_of_foreign_files(const std::filesystem::path& folder);

}  // namespace raak::cli
