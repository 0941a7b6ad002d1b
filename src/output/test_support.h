// What the tests of this folder share: a scratch folder and a small system with names.
#pragma once
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>

#include "system/equations/equations.h"

namespace raak {

class ScratchFolder {
 public:
  ScratchFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "raak-test-").string() + std::string(6, 'X');
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no scratch folder");
    path_ = name;
  }
  ~ScratchFolder() { std::filesystem::remove_all(path_); }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

inline std::string text_in(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

inline void put_text(const std::filesystem::path& file, const std::string& text) {
  std::ofstream(file) << text;
}

// A point on a circle: two coordinates, one constraint, one output.
struct Bead {
  static constexpr int coordinates = 2, constraints = 1;
  void mass(const auto&, const auto&, auto& M) const { M(0, 0) = M(1, 1) = 1.0; }
  void force(const auto&, const auto&, const auto&, auto& f) const { f[1] = -9.81; }
  void constraint(const auto&, const auto& q, auto& g) const { g[0] = q[0] * q[0] + q[1] * q[1] - 1.0; }
  void output(const State& state, Vector& y) const { y[0] = state.q[1]; }
  Description description() const { return {{"x", "y"}, {"circle"}, {"height"}}; }
};

inline std::unique_ptr<ConstrainedSystem> make_bead() {
  return std::make_unique<Equations<Bead>>(Bead{});
}

}  // namespace raak
