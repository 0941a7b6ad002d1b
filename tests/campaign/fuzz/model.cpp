// A model file in TOML with the files it names: everything that is read and checked before assembly. A line "#= NAME"
// begins the text of another file, which `include` and the files of references find under that name.
#include <map>
#include <string>
#include <string_view>

#include "modelfile/load.h"
#include "tests/campaign/fuzz/target.h"

namespace {

std::map<std::string, std::string> files_of(std::string_view text) {
  std::map<std::string, std::string> files;
  std::string name = "model.toml";
  while (true) {
    const std::size_t mark = text.starts_with("#= ") ? 0 : text.find("\n#= ");
    files[name] = std::string(text.substr(0, mark));
    if (mark == std::string_view::npos) return files;
    text.remove_prefix(mark + (text[mark] == '\n' ? 4 : 3));
    const std::size_t end = text.find('\n');
    name = std::string(text.substr(0, end));
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto files = files_of({reinterpret_cast<const char*>(data), size});
  const auto read = [&](const std::string& path, const raak::Place& asked) {
    const auto file = files.find(path);
    if (file == files.end()) raak::refuse_at(asked, "there is no such file");
    return file->second;
  };
  raak::fuzz::accepts([&] { raak::load_model("model.toml", read); }, {raak::ErrorKind::model_file});
  return 0;
}
