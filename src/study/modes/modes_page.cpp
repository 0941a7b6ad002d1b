#include "study/modes/modes_page.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <numbers>
#include <utility>
#include <vector>

#include "base/sort_stably.h"
#include "kinematics/slow/free_vibrations.h"
#include "output/page_data.h"
#include "output/recording.h"

namespace raak {

namespace {

constexpr double widest = 0.1;        // of the picture, that a drawn point moves
constexpr double most_turned = 0.5;   // rad
constexpr double most_numbers = 1e6;  // of all frames
constexpr int fewest_frames = 12, most_frames = 32;
constexpr std::size_t most_components = 60;  // of a shape, on the page

class Swings {
 public:
  Swings(const Model& model, const Modes& modes, Drawing drawing)
      : model_(model), modes_(modes), drawing_(std::move(drawing)), base_(placed(modes.q)) {}

  // A whole swing, its first frame once more at its end.
  void append(const Mode& mode, int frames, std::vector<float>& points) const {
    const double reach = amplitude(mode);
    for (int frame = 0; frame <= frames; ++frame) {
      const double angle = 2.0 * std::numbers::pi * frame / frames;
      const Vector x = (mode.x * std::polar(reach, angle)).imag();
      for (const double number : placed(closed(modes_.q + x))) points.push_back(static_cast<float>(number));
    }
  }

 private:
  std::vector<double> placed(const Vector& q) const {
    const ConstrainedSystem& system = *model_.system;
    State at = State::of_size(system.coordinates(), system.rows()), shown;
    at.t = modes_.t;
    at.q = q;
    system.report_motion(at, shown);
    std::vector<double> numbers(drawing_.numbers());
    drawing_.place(shown, numbers);
    return numbers;
  }

  // As far as the joints let it go: what is straight in the coordinates opens them.
  Vector closed(const Vector& q) const {
    constexpr int corrections = 8;
    if (model_.system->position_rows() == 0) return q;
    Vector corrected = q;
    double before = std::numeric_limits<double>::infinity();
    for (int i = 0; i < corrections; ++i) {
      const double gap = model_.system->correct_position(modes_.t, corrected.data());
      if (!corrected.allFinite() || gap > 2.0 * before) return q;
      before = gap;
    }
    return corrected;
  }

  // Of what is drawn; the second point of a block only gives its direction.
  double diagonal() const {
    const auto dimension = static_cast<std::size_t>(drawing_.dimension);
    double square = 0.0;
    for (std::size_t k = 0; k < dimension; ++k) {
      double low = std::numeric_limits<double>::infinity(), high = -low;
      for (const DrawingElement& element : drawing_.elements)
        for (std::size_t i = 0; i < (element.kind == DrawingElement::Kind::block ? 1 : element.points.size()); ++i) {
          const double number = base_[static_cast<std::size_t>(element.points[i]) * dimension + k];
          low = std::min(low, number);
          high = std::max(high, number);
        }
      if (high > low) square += (high - low) * (high - low);
    }
    return std::sqrt(square);
  }

  double amplitude(const Mode& mode) const {
    constexpr double little = 1e-6;
    double turned = 0.0, moved = 0.0;
    const auto& units = model_.system->description().units;
    for (Eigen::Index i = 0; i < mode.x.size(); ++i)
      if (units.empty() || units[static_cast<std::size_t>(i)] != "m") turned = std::max(turned, std::abs(mode.x[i]));
    for (const Vector& part : {Vector(mode.x.real()), Vector(mode.x.imag())}) {
      const std::vector<double> there = placed(modes_.q + little * part);
      for (std::size_t i = 0; i < there.size(); ++i) moved = std::max(moved, std::abs(there[i] - base_[i]) / little);
    }
    double reach = std::numeric_limits<double>::infinity();
    if (moved > 0.0) reach = widest * diagonal() / moved;
    if (turned > 0.0) reach = std::min(reach, most_turned / turned);
    return std::isfinite(reach) ? reach : 0.0;
  }

  const Model& model_;
  const Modes& modes_;
  Drawing drawing_;
  std::vector<double> base_;
};

// Paths of points say nothing about a swing.
Drawing without_paths(Drawing drawing) {
  std::erase_if(drawing.elements,
                [](const DrawingElement& element) { return element.kind == DrawingElement::Kind::trace; });
  return drawing;
}

// The largest components of the shapes, in their order, and how many there are besides.
void shorten(Json& mode) {
  Json& shape = mode["shape"];
  Json* const ahead = mode.contains("quadrature") ? &mode["quadrature"] : nullptr;
  const auto size = [&](const std::string& name) {
    const auto part = [&](const Json& of) { return of[name].is_number() ? of[name].get<double>() : 0.0; };
    return std::hypot(part(shape), ahead != nullptr ? part(*ahead) : 0.0);
  };
  constexpr double nothing = 1e-12;
  std::vector<std::pair<double, std::string>> order;
  for (const auto& [name, value] : shape.items())
    if (size(name) > nothing) order.emplace_back(-size(name), name);
  sort_stably(order, [](const auto& a, const auto& b) { return a.first < b.first; });
  mode["more"] = order.size() > most_components ? order.size() - most_components : 0;
  if (order.size() > most_components) order.resize(most_components);
  Json few = Json::object(), few_ahead = Json::object();
  for (const auto& [name, value] : shape.items()) {
    const auto same = [&n = name](const auto& entry) { return entry.second == n; };
    if (std::none_of(order.begin(), order.end(), same)) continue;
    few[name] = value;
    if (ahead != nullptr) few_ahead[name] = (*ahead)[name];
  }
  if (ahead != nullptr) *ahead = few_ahead;
  shape = few;
}

}  // namespace

std::string modes_page(Json document, const std::string& about, const Model& model, const Modes& modes) {
  if (!has_page()) return "";
  document.erase("configuration");
  for (std::size_t i = 0; i < modes.modes.size(); ++i) {
    document["modes"][i]["carriers"] = carriers_of(*model.system, modes.t, modes.q, modes.modes[i].x.real());
    shorten(document["modes"][i]);
  }
  const Drawing drawing = without_paths(model.drawing);
  Recording recording;
  recording.columns = {"t"};
  int frames = most_frames;
  if (!drawing.empty() && !modes.modes.empty()) {
    const double numbers = static_cast<double>(drawing.numbers() * modes.modes.size());
    frames = static_cast<int>(std::clamp(most_numbers / numbers, double{fewest_frames}, double{most_frames}));
    const Swings swings(model, modes, drawing);
    for (const Mode& mode : modes.modes) swings.append(mode, frames, recording.points);
  }
  for (std::size_t i = 0; i < modes.modes.size() * static_cast<std::size_t>(frames + 1); ++i)
    recording.frames.push_back(static_cast<double>(i));
  return page_with({{"modes", document},
                    {"about", about},
                    {"drawing", drawing_document(drawing)},
                    {"swing", frames},
                    {"frames", frames_document(recording)}});
}

}  // namespace raak
