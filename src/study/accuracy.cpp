#include "study/accuracy.h"

#include <algorithm>
#include <cmath>

namespace raak {
namespace {

// Never more than double can show: an error of exactly zero is 16 digits.
double digits(double error) {
  return -std::log10(std::max(error, 1e-16));
}

const Reference* find_reference(const Model& model, Reference::Kind kind, Form form, double t) {
  const Reference* general = nullptr;
  for (const Reference& r : model.references) {
    if (r.kind != kind || !r.has_time(t)) continue;
    if (r.form == form) return &r;
    if (!r.form && general == nullptr) general = &r;
  }
  return general;
}

template <class Error>
std::optional<double> digits_of_worst(const std::map<std::string, double>& found,
                                      const std::map<std::string, double>& reference,
                                      const std::vector<std::string>& names, Error&& error) {
  std::optional<double> worst;
  for (const std::string& name : names) {
    const auto wanted = reference.find(name);
    if (wanted == reference.end()) continue;  // known at other times
    const double e = error(found.at(name), wanted->second);
    if (!std::isfinite(e)) return std::nullopt;
    worst = std::max(worst.value_or(0.0), e);
  }
  return worst ? std::optional(digits(*worst)) : std::nullopt;
}

}  // namespace

std::map<std::string, double> components(const ConstrainedSystem& system, const State& state, const Vector& outputs) {
  std::map<std::string, double> all;
  State shown;
  system.report(state, shown);
  const ReportedNames& names = system.reported();
  for (std::size_t i = 0; i < names.positions.size(); ++i)
    all["q." + names.positions[i]] = shown.q[static_cast<Eigen::Index>(i)];
  for (std::size_t i = 0; i < names.velocities.size(); ++i) {
    all["v." + names.velocities[i]] = shown.v[static_cast<Eigen::Index>(i)];
    all["a." + names.velocities[i]] = shown.a[static_cast<Eigen::Index>(i)];
  }
  for (Eigen::Index k = 0; k < shown.lambda.size(); ++k) all["lambda." + std::to_string(k + 1)] = shown.lambda[k];
  const auto output = output_names(system);
  for (std::size_t i = 0; i < output.size(); ++i) all[output[i]] = outputs[static_cast<Eigen::Index>(i)];
  return all;
}

std::vector<Compared> compare(const Model& model, const Reference& reference, const Result& result) {
  std::vector<Compared> all;
  if (result.termination != Termination::ok || !reference.has_time(result.end.t)) return all;
  const auto found = components(*model.system, result.end, result.outputs);
  const auto& wanted = reference.values.at(result.end.t);
  for (const std::string& name : reference.scored) {
    const auto want = wanted.find(name);
    if (want == wanted.end()) continue;  // known at other times
    const double value = found.at(name);
    all.push_back({name, value, want->second, std::abs(value - want->second) / std::max(1.0, std::abs(want->second))});
  }
  return all;
}

Accuracy measure_accuracy(const Model& model, Form form, const Result& result, double rtol, double atol) {
  Accuracy accuracy;
  if (result.termination != Termination::ok) return accuracy;
  const double t = result.end.t;
  const Reference* const trusted = find_reference(model, Reference::Kind::trusted, form, t);
  const Reference* const published = find_reference(model, Reference::Kind::published, form, t);
  if (trusted == nullptr && published == nullptr) return accuracy;
  const auto found = components(*model.system, result.end, result.outputs);
  const auto relative = [](double y, double ref) { return std::abs(y - ref) / (ref != 0.0 ? std::abs(ref) : 1.0); };
  const auto mixed = [&](double y, double ref) { return std::abs(y - ref) / (atol / rtol + std::abs(ref)); };
  if (trusted != nullptr) {
    accuracy.scd = digits_of_worst(found, trusted->values.at(t), trusted->scored, relative);
    accuracy.mescd = digits_of_worst(found, trusted->values.at(t), trusted->measured, mixed);
  }
  if (published != nullptr) {
    accuracy.scd_published = digits_of_worst(found, published->values.at(t), published->scored, relative);
    accuracy.mescd_published = digits_of_worst(found, published->values.at(t), published->measured, mixed);
  }
  return accuracy;
}

std::optional<double> position_digits(const Model& model, Form form, const Result& result) {
  if (result.termination != Termination::ok) return std::nullopt;
  const Reference* r = find_reference(model, Reference::Kind::trusted, form, result.end.t);
  if (r == nullptr) return std::nullopt;
  const auto& values = r->values.at(result.end.t);
  std::vector<std::string> positions;
  for (const std::string& name : model.system->reported().positions) {
    if (values.contains("q." + name)) positions.push_back("q." + name);
  }
  return digits_of_worst(components(*model.system, result.end, result.outputs), values,
                         positions.empty() ? r->scored : positions,
                         [](double y, double ref) { return std::abs(y - ref) / (1.0 + std::abs(ref)); });
}

}  // namespace raak
