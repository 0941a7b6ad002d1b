// A model file in JSON: what is accepted becomes TOML, and from there on the way to JSON and back changes nothing.
#include <string>

#include "modelfile/text/convert.h"
#include "tests/campaign/fuzz/target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using raak::ErrorKind, raak::fuzz::accepts, raak::fuzz::found;
  const std::string text(reinterpret_cast<const char*>(data), size);
  std::string toml;
  if (!accepts([&] { toml = raak::toml_of_json(text, "model.json"); }, {ErrorKind::model_file})) return 0;
  std::string json, again;
  // A key that both forms reserve is refused.
  if (!accepts([&] { json = raak::json_of_toml(toml, "model.toml"); }, {ErrorKind::model_file})) return 0;
  if (!accepts([&] { again = raak::toml_of_json(json, "model.json"); }, {})) return 0;
  if (again != toml) found("the way to JSON and back changes\n" + toml + "\ninto\n" + again);
  return 0;
}
