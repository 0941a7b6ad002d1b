// Model files that tests write for themselves.
#pragma once
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "mechanism/assemble.h"
#include "modelfile/document.h"
#include "modelfile/load.h"
#include "modelfile/read_mechanism.h"

namespace raak {

class ScratchModel {
 public:
  explicit ScratchModel(const std::string& text)
      : path_(std::filesystem::temp_directory_path() / ("raak_model_" + std::to_string(::getpid()) + ".toml")) {
    std::ofstream(path_, std::ios::binary) << text;
  }
  ~ScratchModel() { std::filesystem::remove(path_); }
  ScratchModel(const ScratchModel&) = delete;
  ScratchModel& operator=(const ScratchModel&) = delete;
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

inline Model model_of(const std::string& text, Coordinates coordinates = Coordinates::maximal) {
  const ScratchModel file(text);
  const auto mechanism = std::make_shared<const Mechanism>(read_mechanism(read_document(file.path()), file.path()));
  return assemble(std::make_shared<const Instance>(mechanism, declared_parameters(*mechanism)), coordinates);
}

}  // namespace raak
