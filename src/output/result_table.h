// The results of an earlier run as a table, read from its result.npz, to be written in another format.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace raak {

struct ResultTable {
  std::vector<std::string> columns, units;
  std::vector<std::vector<double>> values;  // by column
  std::string document;                     // run.json of the same folder, if it is there
};

// `path`: a result.npz or the --out folder that holds one. Throws a request error that says what is missing or damaged.
ResultTable read_result_table(const std::filesystem::path& path);

// By the ending of the name: .csv or .h5.
void write_result_table(const ResultTable& table, const std::filesystem::path& file);

}  // namespace raak
