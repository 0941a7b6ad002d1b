// The files that belong to a run, as run.json lists them: {"result.npz": {"bytes": 1234, "crc": "9a0b..."}}. A run that
// is killed between two files leaves some of the run before it; the list shows which.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "output/formats/json.h"

namespace raak {

// {"bytes": ..., "crc": ...} of a file; null where it cannot be read. Size and CRC-32 of the first and the last 64 KB:
// of an archive the last hold the checksums of all that is in it, of a table the end of the run, and the rest of a
// large file costs no time.
Json file_mark(const std::filesystem::path& file);

// Of files that lie in the folder under their partial names.
Json marks_of_partial_files(const std::filesystem::path& folder, const std::vector<std::string>& names);

// The text under a key of a document; empty where there is none.
std::string word_of(const Json& document, const char* key);

// The names in the list of a document; none where it has no list.
std::vector<std::string> listed_files(const Json& document);

// Files of the folder that are not of the run of the document: those that are there and differ from the listed ones,
// and those with the name of a result that are not listed.
std::vector<std::string> foreign_files(const std::filesystem::path& folder, const Json& document);

// The mark of a file that run.json of the folder lists; null where there is none, or it is another one.
Json sound_mark(const std::filesystem::path& folder, const std::string& name);

// run.json of a folder of results, after the names of its files have been completed (naming.h). Throws a request error
// if it is missing, damaged or not of raak.
Json read_run_document(const std::filesystem::path& folder);
// The file of the folder to take the rows from: result.npz, or result.csv of the same run where that is missing. Throws
// a request error if there is neither.
std::string rows_file(const std::filesystem::path& folder, const Json& document);
// Throws a request error if there is no result.npz in the folder: why, where the rows are, and what can be done.
void require_arrays(const std::filesystem::path& folder, const Json& document);
// Throws a request error if result.npz in the folder is of another run.
void require_one_run(const std::filesystem::path& folder, const Json& document);

}  // namespace raak
