#include "output/about.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace raak {
namespace {

constexpr std::size_t most_text = 100'000;  // bytes of a model file that a page shows

Json parameters_document(const Parameters& parameters, const Parameters& defaults) {
  Json list = Json::array();
  for (std::size_t i = 0; i < parameters.all().size(); ++i) {
    const Parameter& p = parameters.all()[i];
    const bool set = i >= defaults.all().size() || defaults.all()[i].value != p.value;
    list.push_back({{"name", p.name}, {"value", p.value}, {"unit", p.unit}, {"meaning", p.meaning}, {"set", set}});
  }
  return list;
}

// One that is made for the form of the run goes before one for any form.
bool judges(const Reference& reference, const Model& model, const Result& result) {
  if (reference.kind == Reference::Kind::history || !reference.has_time(result.end.t)) return false;
  if (reference.form == result.form) return true;
  return !reference.form && std::none_of(model.references.begin(), model.references.end(), [&](const auto& r) {
    return r.kind == reference.kind && r.form == result.form;
  });
}

Json references_document(const Model& model, const Result& result) {
  Json list = Json::array();
  for (const Reference& reference : model.references) {
    if (!judges(reference, model, result)) continue;
    Json values = Json::object();
    for (const auto& [name, value] : reference.values.at(result.end.t)) values[name] = value;
    const bool trusted = reference.kind == Reference::Kind::trusted;
    list.push_back({{"kind", trusted ? "trusted" : "published"},
                    {"source", reference.source},
                    {"scored", reference.scored},
                    {"values", std::move(values)}});
  }
  return list;
}

// What is known over time, by column: points for the plots. Of many times as many as a plot can show.
Json histories_document(const Model& model) {
  constexpr std::size_t most_points = 1000;
  Json list = Json::array();
  for (const Reference& reference : model.references) {
    // Start and end alone are no history.
    if (reference.values.size() < 3 && reference.kind != Reference::Kind::history) continue;
    const std::size_t stride = (reference.values.size() + most_points - 1) / most_points;
    Json columns = Json::object();
    std::size_t next = 0;
    for (const auto& [t, values] : reference.values) {
      if (next++ % stride != 0) continue;
      for (const auto& [name, value] : values) {
        columns[name]["t"].push_back(t);
        columns[name]["values"].push_back(value);
      }
    }
    list.push_back({{"source", reference.source}, {"columns", std::move(columns)}});
  }
  return list;
}

}  // namespace

Json about_document(const RunRecord& record, const Parameters& parameters, const Parameters& defaults,
                    const Model& model, const Result& result, const std::string& model_text) {
  Json about{{"model", record.model},
             {"command", record.command},
             {"constraints", names_of(model.system->reported().rows)},
             {"parameters", parameters_document(parameters, defaults)},
             {"references", references_document(model, result)},
             {"histories", histories_document(model)}};
  if (model_text.size() <= most_text) about["model_text"] = model_text;
  return about;
}

}  // namespace raak
