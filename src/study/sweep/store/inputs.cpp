#include "study/sweep/store/inputs.h"

#include <algorithm>
#include <filesystem>

#include "mechanism/mechanism.h"

namespace raak {

FileReader Inputs::reader() {
  return [this](const std::string& path, const Place& asked) { return read(path, asked); };
}

bool Inputs::has(const std::string& path) const {
  std::error_code unreadable;
  if (!kept_) return std::filesystem::exists(path, unreadable);
  return std::any_of(files_.begin(), files_.end(), [&](const File& file) { return file.path == path; });
}

std::string Inputs::read(const std::string& path, const Place& asked) {
  const auto known = std::find_if(files_.begin(), files_.end(), [&](const File& file) { return file.path == path; });
  if (known != files_.end()) return known->text;
  if (kept_) refuse_at(asked, "the folder of the sweep does not keep \"" + path + "\"");
  files_.push_back({path, read_text(path, asked)});
  return files_.back().text;
}

}  // namespace raak
