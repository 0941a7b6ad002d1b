// The results of an earlier run as a table, read from its result.npz, or else its result.csv, and written in another
// format, block by block of rows: it may be larger than the memory.
#pragma once
#include <filesystem>
#include <string>

namespace raak {

// "*.csv, *.npz, ..": what results can be converted to.
std::string table_endings();

// `path`: a result.npz, a result.csv, or the --out folder that holds one. `file`: its ending chooses the format. Throws
// a request error that says what is missing or damaged.
void convert_results(const std::filesystem::path& path, const std::filesystem::path& file);

}  // namespace raak
