// The files that a sweep reads: plan, model and what they name. A folder of results keeps them, so that its cases can
// be run again when the originals have changed or are elsewhere.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "modelfile/text/document.h"

namespace raak {

class Inputs {
 public:
  struct File {
    std::string path, text;
  };
  // From disk; each is remembered when it is read.
  Inputs() = default;
  // Those that were kept, and no others.
  explicit Inputs(std::vector<File> files) : files_(std::move(files)), kept_(true) {}

  // Lives no longer than this.
  FileReader reader();
  bool has(const std::string& path) const;
  const std::vector<File>& files() const { return files_; }

 private:
  std::string read(const std::string& path, const Place& asked);

  std::vector<File> files_;
  bool kept_ = false;
};

}  // namespace raak
