// Tables as HDF5 files (hdf5.h): a data set for each column, and run.json as text.
#include <utility>

#include "output/catalogue.h"
#include "output/formats/hdf5.h"

namespace raak {
namespace {

class Hdf5Writer final : public TableWriter {
 public:
  explicit Hdf5Writer(std::filesystem::path path) : file_(std::move(path)) {}

  void begin(const TableRows& table) override {
    names_ = table.names();
    for (std::size_t i = 0; i < names_.size(); ++i) file_.begin(names_[i], table.rows(), table.units()[i]);
  }
  void rows(std::size_t first, const std::vector<std::vector<double>>& columns) override {
    for (std::size_t i = 0; i < columns.size(); ++i) file_.put(names_[i], first, columns[i]);
  }
  void finish(const Companions& companions) override {
    if (!companions.run.empty()) file_.add("run.json", companions.run);
    file_.seal();
  }

 private:
  Hdf5File file_;
  std::vector<std::string> names_;
};

}  // namespace

FormatInfo h5_format() {
  return {.name = "h5",
          .summary = "the same columns with their units as HDF5",  // its library is looked up when a file is written
          .files = {"result.h5"},
          .make = make_writer<Hdf5Writer>,
          .least_bytes = 8.0,
          .usual_bytes = 8.0,
          .require = require_hdf5};
}

}  // namespace raak
