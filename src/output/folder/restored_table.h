// The rows of an interrupted run, from the table that it left: result.csv.partial of one that was killed, result.csv of
// one that was stopped and marked its results as partial.
#pragma once
#include <filesystem>
#include <functional>
#include <vector>

#include "output/formats/csv.h"

namespace raak {

// Makes the first part of the table, as the checkpoint knows it, the partial file of `path`, and calls `use` for each
// of its rows, if given. True: the table under its own name holds it too, so the results beside it are of the same run.
// Throws a request error where neither file holds it.
bool restore_table(const std::filesystem::path& path, const CsvFile::Extent& extent,
                   const std::function<void(const std::vector<double>&)>& use = {});

}  // namespace raak
