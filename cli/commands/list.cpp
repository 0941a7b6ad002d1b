// `raak list`: models, methods, joints, forces, formats and templates.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/text/text.h"
#include "cli/commands/commands.h"
#include "cli/terminal/terminal.h"
#include "mechanism/forces/catalogue.h"
#include "mechanism/joints/catalogue.h"
#include "methods/method.h"
#include "modelfile/templates.h"
#include "output/catalogue.h"
#include "output/formats/json.h"
#include "problems/catalogue.h"

namespace raak::cli {
namespace {

// A topic can be printed in short (one line per entry), in full, and as JSON.
struct Topic {
  std::string name;
  std::string (*brief)();
  std::string (*full)();
  Json (*json)();
};

std::string line(const std::string& name, const std::string& summary) {
  return fmt::format("  {:<18}{}\n", name, summary);
}

std::vector<std::string> coordinates_of(const ModelSource& source) {
  return source.build(source.parameters, source.runs.front().form).system->reported().positions;
}

std::string describe(const Parameter& p) {
  const std::string value = p.unit.empty() ? p.value : p.value + " " + p.unit;
  const std::string choices = p.choices.empty() ? "" : fmt::format(" ({})", join(p.choices, "|"));
  return fmt::format("    {:<12} {:<24} {}{}\n", p.name, value, p.meaning, choices);
}

std::string describe(const Run& run) {
  std::vector<std::string> settings;
  for (const auto& [name, value] : run.settings) settings.push_back(fmt::format("{}={}", name, value));
  return fmt::format("    {:<24} until {} s, rtol {}, {}{}{}\n", run.name, exact_text(run.until), exact_text(run.rtol),
                     name_of(run.form), settings.empty() ? "" : ", " + join(settings),
                     run.title.empty() ? "" : ": " + run.title);
}

std::string brief_models() {
  std::string text;
  for (const ModelSource& source : problem_catalogue()) text += line(source.name, source.title);
  return text;
}

std::string full_models() {
  std::string text;
  for (const ModelSource& source : problem_catalogue()) {
    text += fmt::format("{}: {}\n  coordinates  {}\n", source.name, source.title, join(coordinates_of(source)));
    if (!source.parameters.all().empty()) text += "  parameters   (change with --set NAME=VALUE)\n";
    for (const Parameter& p : source.parameters.all()) text += describe(p);
    text += "  runs         (choose with --run NAME; the first is the default)\n";
    for (const Run& run : source.runs) text += describe(run);
  }
  return text;
}

Json parameter_document(const Parameter& p) {
  return {{"name", p.name}, {"default", p.value}, {"unit", p.unit}, {"meaning", p.meaning}, {"choices", p.choices}};
}

Json run_entry(const Run& run) {
  Json settings = Json::object();
  for (const auto& [name, value] : run.settings) settings[name] = value;
  return {{"name", run.name},
          {"title", run.title},
          {"until", run.until},
          {"rtol", run.rtol},
          {"formulation", name_of(run.form)},
          {"settings", std::move(settings)}};
}

Json json_models() {
  Json models = Json::array();
  for (const ModelSource& source : problem_catalogue()) {
    Json parameters = Json::array();
    for (const Parameter& p : source.parameters.all()) parameters.push_back(parameter_document(p));
    Json runs = Json::array();
    for (const Run& run : source.runs) runs.push_back(run_entry(run));
    models.push_back({{"name", source.name},
                      {"title", source.title},
                      {"coordinates", coordinates_of(source)},
                      {"parameters", std::move(parameters)},
                      {"runs", std::move(runs)}});
  }
  return models;
}

std::string brief_methods() {
  std::string text;
  for (const MethodInfo& method : method_catalogue()) text += line(method.name, method.summary);
  return text;
}

std::string full_methods() {
  std::string text;
  for (const MethodInfo& method : method_catalogue()) {
    text += line(method.name, method.summary);
    text +=
        line("", fmt::format("forms: {}{}", join(names_of(method.forms)), method.has_trace ? "; offers --trace" : ""));
  }
  return text;
}

Json json_methods() {
  Json methods = Json::array();
  for (const MethodInfo& method : method_catalogue()) {
    methods.push_back({{"name", method.name},
                       {"summary", method.summary},
                       {"formulations", names_of(method.forms)},
                       {"trace", method.has_trace}});
  }
  return methods;
}

std::string spaces_of(const ElementInfo& info) {
  return info.planar && info.spatial ? "planar and spatial" : info.planar ? "planar" : "spatial";
}

template <class Info>
std::string brief_elements(const std::vector<Info>& catalogue) {
  std::string text;
  for (const ElementInfo& info : catalogue) text += line(info.name, info.summary);
  return text;
}

template <class Info>
std::string full_elements(const std::vector<Info>& catalogue) {
  std::string text;
  for (const ElementInfo& info : catalogue) {
    text += fmt::format("{}: {} ({})\n  {}\n", info.name, info.summary, spaces_of(info), info.example);
    for (const ArgumentInfo& argument : info.arguments) {
      const std::string note = !argument.optional          ? ""
                               : argument.fallback.empty() ? " [optional]"
                                                           : " [" + argument.fallback + "]";
      text += fmt::format("    {:<16} {}{}{}\n", argument.key, argument.meaning, note,
                          argument.words.empty() ? "" : " (" + join(argument.words, "|") + ")");
    }
  }
  return text;
}

template <class Info>
Json json_elements(const std::vector<Info>& catalogue) {
  Json list = Json::array();
  for (const ElementInfo& info : catalogue) {
    Json keys = Json::array();
    for (const ArgumentInfo& argument : info.arguments) {
      keys.push_back({{"key", argument.key},
                      {"meaning", argument.meaning},
                      {"optional", argument.optional},
                      {"default", argument.fallback},
                      {"choices", argument.words}});
    }
    list.push_back({{"name", info.name},
                    {"summary", info.summary},
                    {"planar", info.planar},
                    {"spatial", info.spatial},
                    {"example", info.example},
                    {"keys", std::move(keys)}});
  }
  return list;
}

std::string brief_joints() {
  return brief_elements(joint_catalogue());
}
std::string full_joints() {
  return full_elements(joint_catalogue());
}
Json json_joints() {
  return json_elements(joint_catalogue());
}
std::string brief_forces() {
  return brief_elements(force_catalogue());
}
std::string full_forces() {
  return full_elements(force_catalogue());
}
Json json_forces() {
  return json_elements(force_catalogue());
}

std::string brief_formats() {
  std::string text;
  for (const FormatInfo& format : format_catalogue()) {
    text += line(format.name, format.summary + " (" + join(format.files) + ")");
  }
  return text;
}

Json json_formats() {
  Json formats = Json::array();
  for (const FormatInfo& format : format_catalogue()) {
    formats.push_back({{"name", format.name}, {"summary", format.summary}, {"files", format.files}});
  }
  return formats;
}

std::string brief_templates() {
  std::string text;
  for (const TemplateInfo& info : template_catalogue()) text += line(info.name, info.summary);
  return text;
}

Json json_templates() {
  Json templates = Json::array();
  for (const TemplateInfo& info : template_catalogue()) {
    const Json count = info.make == nullptr ? Json(nullptr) : Json(info.count);
    templates.push_back({{"name", info.name}, {"summary", info.summary}, {"count", count}});
  }
  return templates;
}

const std::array<Topic, 6>& topics() {
  static const std::array<Topic, 6> all{{{"models", brief_models, full_models, json_models},
                                         {"methods", brief_methods, full_methods, json_methods},
                                         {"joints", brief_joints, full_joints, json_joints},
                                         {"forces", brief_forces, full_forces, json_forces},
                                         {"formats", brief_formats, brief_formats, json_formats},
                                         {"templates", brief_templates, brief_templates, json_templates}}};
  return all;
}

const Topic& find_topic(const std::string& name) {
  std::vector<std::string> names;
  for (const Topic& topic : topics()) {
    if (topic.name == name) return topic;
    names.push_back(topic.name);
  }
  throw Error(ErrorKind::request, unknown_name("list", name, names));
}

}  // namespace

int list(const ListOptions& options) {
  if (!options.topic.empty()) {
    const Topic& topic = find_topic(options.topic);
    if (options.json) print_data(text_of(topic.json()));
    else print_text(topic.full());
    return 0;
  }
  if (options.json) {
    Json everything = Json::object();
    for (const Topic& topic : topics()) everything[topic.name] = topic.json();
    print_data(text_of(everything));
    return 0;
  }
  std::string text;
  for (const Topic& topic : topics()) text += topic.name + ":\n" + topic.brief();
  print_text(text + "\nMore of one list: raak list models\n");
  return 0;
}

}  // namespace raak::cli
