// Model files that tests write for themselves.
#pragma once
#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

#include "mechanism/assemble.h"
#include "modelfile/load.h"
#include "modelfile/read_mechanism.h"
#include "modelfile/text/document.h"
#include "run/integrate.h"

namespace raak {

class ScratchModel {
 public:
  explicit ScratchModel(const std::string& text, const std::string& ending = ".toml") {
    std::string name = (std::filesystem::temp_directory_path() / "raak_model_XXXXXX").string() + ending;
    const int file = ::mkstemps(name.data(), static_cast<int>(ending.size()));
    if (file < 0) throw std::runtime_error("no scratch file " + name);
    ::close(file);
    path_ = name;
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

// The end of a run in the coordinates that the model reports.
inline State shown_at_end(const Model& model, const Result& result) {
  State shown;
  model.system->report(result.end, shown);
  return shown;
}

// Rods of 1 m that hang in a row from the horizontal, with springs and dampers between neighbours.
inline std::string damped_chain(int count) {
  std::string bodies = "format = \"raak/1\"\ngravity = [0.0, -9.81]\n[ground.points]\nO = [0.0, 0.0]\n";
  std::string joints = "[joints]\npin0 = { type = \"revolute\", pins = [\"ground.O\", \"rod0.A\"] }\n";
  std::string forces = "[forces]\n";
  for (int i = 0; i < count; ++i) {
    bodies += fmt::format(
        "[bodies.rod{}]\nmass = 1.0\ninertia = 0.1\ncom = [0.5, 0.0]\npoints = {{ A = [0.0, 0.0], B = [1.0, 0.0] }}\n",
        i);
    if (i == 0) continue;
    joints += fmt::format("pin{0} = {{ type = \"revolute\", pins = [\"rod{1}.B\", \"rod{0}.A\"] }}\n", i, i - 1);
    forces += fmt::format(
        "turn{0} = {{ type = \"torsion-spring\", bodies = [\"rod{1}\", \"rod{0}\"], stiffness = 50.0, damping = 3.0 "
        "}}\n",
        i, i - 1);
  }
  return bodies + joints + forces;
}

// Two planar bodies of no symmetry with a point P and an axis u each, to be tied by a joint.
inline constexpr const char* two_planar_bodies = R"(format = "raak/1"
gravity = [0.4, -9.8]
[bodies.a]
mass = 2.0
inertia = 0.7
com = [0.3, -0.2]
points = { P = [0.9, 0.3] }
axes = { u = [1.0, 2.0] }
[bodies.b]
mass = 1.3
inertia = 0.4
com = [-0.1, 0.25]
points = { P = [-0.5, 0.4] }
axes = { u = [3.0, 1.0] }
)";

// The same in space.
inline constexpr const char* two_spatial_bodies = R"(format = "raak/1"
space = "spatial"
gravity = [0.4, -9.8, 1.0]
[bodies.a]
mass = 2.0
inertia = [0.7, 0.6, 0.5, 0.05, -0.03, 0.02]
com = [0.3, -0.2, 0.1]
points = { P = [0.9, 0.3, -0.4] }
axes = { u = [1.0, 2.0, -0.5] }
[bodies.b]
mass = 1.3
inertia = [0.4, 0.5, 0.3]
com = [-0.1, 0.25, 0.2]
points = { P = [-0.5, 0.4, 0.3] }
axes = { u = [3.0, 1.0, 1.0] }
)";

}  // namespace raak
