// The results of an earlier run, read from its --out folder: run.json and result.npz.
#pragma once
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "output/formats/json.h"
#include "output/formats/zip_reader.h"
#include "output/recording.h"

namespace raak {

struct StoredRun {
  std::filesystem::path folder;
  Json document, about;  // of run.json, and of report.json in result.npz
  Recording recording;
  std::shared_ptr<const ZipReader> archive;  // result.npz

  // Columns of result.csv, all of a frame unless --columns chose some, and the rows of one.
  std::vector<std::string> table = {};
  std::vector<double> rows_of(const std::string& column) const;
};

// Throws a request error that says what is missing, damaged or does not belong.
StoredRun read_stored_run(const std::filesystem::path& folder);

}  // namespace raak
