#include "study/bench/bench_document.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "base/error.h"
#include "output/formats/json.h"

namespace raak {
namespace {

std::optional<double> number_at(const Json& row, const char* key) {
  const Json& value = row.at(key);
  return value.is_null() ? std::nullopt : std::optional<double>(value.get<double>());
}

Form form_at(const Json& row, const char* key) {
  const auto name = row.at(key).get<std::string>();
  if (const auto form = form_named(name)) return *form;
  throw std::invalid_argument(fmt::format("there is no form \"{}\"", name));
}

BenchRow read_row(const Json& row) {
  BenchRow read;
  read.model = row.at("model").get<std::string>();
  read.run = row.value("run", "");
  read.method = row.at("method").get<std::string>();
  read.form = form_at(row, "formulation");
  read.rtol = row.at("rtol").get<double>();
  read.atol = row.at("atol").get<double>();
  read.h0 = number_at(row, "h0").value_or(0.0);
  read.status = row.at("status").get<std::string>();
  read.message = row.at("message").get<std::string>();
  read.reference = row.value("reference", "");
  read.scd = number_at(row, "scd");
  read.mescd = number_at(row, "mescd");
  read.digits = number_at(row, "digits");
  read.energy_drift = number_at(row, "energy_drift").value_or(NAN);
  read.work.steps = row.at("steps").get<long>();
  read.work.accepted = row.at("accepted").get<long>();
  read.work.rejected = row.at("rejected").get<long>();
  read.work.evaluations = row.at("evaluations").get<long>();
  read.work.jacobians = row.at("jacobians").get<long>();
  read.work.factorizations = row.at("factorizations").get<long>();
  read.cpu_us = number_at(row, "cpu_us").value_or(0.0);
  read.cpu_us_min = number_at(row, "cpu_us_min").value_or(0.0);
  return read;
}

}  // namespace

Json bench_document(const std::vector<BenchRow>& rows) {
  Json list = Json::array();
  for (const BenchRow& row : rows) {
    const auto measured = [](double value) { return value > 0.0 ? number_or_null(value) : Json(nullptr); };
    list.push_back({{"model", row.model},
                    {"run", row.run},
                    {"method", row.method},
                    {"formulation", name_of(row.form)},
                    {"rtol", row.rtol},
                    {"atol", row.atol},
                    {"h0", measured(row.h0)},
                    {"status", row.status},
                    {"message", row.message},
                    {"reference", row.reference},
                    {"scd", number_or_null(row.scd)},
                    {"mescd", number_or_null(row.mescd)},
                    {"digits", number_or_null(row.digits)},
                    {"shortfall", number_or_null(row.shortfall())},
                    {"energy_drift", row.status == "refused" ? Json(nullptr) : number_or_null(row.energy_drift)},
                    {"steps", row.work.steps},
                    {"accepted", row.work.accepted},
                    {"rejected", row.work.rejected},
                    {"evaluations", row.work.evaluations},
                    {"jacobians", row.work.jacobians},
                    {"factorizations", row.work.factorizations},
                    {"cpu_us", measured(row.cpu_us)},
                    {"cpu_us_min", measured(row.cpu_us_min)}});
    if (!row.drift) continue;
    list.back()["drift_held"] = row.drift->held;
    list.back()["cheapest"] = row.drift->cheapest;
    list.back()["trajectory_error"] = number_or_null(row.drift->trajectory_error);
  }
  return list;
}

std::vector<BenchRow> read_bench_document(const std::string& text) {
  try {
    std::vector<BenchRow> rows;
    const Json document = parsed_json(text);
    for (const Json& row : document.get_ref<const Json::array_t&>()) rows.push_back(read_row(row));
    return rows;
  } catch (const std::exception& error) {
    throw Error(ErrorKind::computation, std::string("these are not the rows of a bench: ") + error.what());
  }
}

}  // namespace raak
