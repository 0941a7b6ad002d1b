// Results as JSON documents: key order is fixed, numbers read back exactly, what is not finite is null.
#pragma once
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "run/integrate.h"

namespace raak {

using Json = nlohmann::ordered_json;

// Correct digits against the trusted and the published reference; absent: no reference at this time.
struct Accuracy {
  std::optional<double> scd, mescd, scd_published, mescd_published;
};

// What was asked for and what came of it.
struct RunRecord {
  std::string program;  // with its version
  std::string model, run, method;
  Tolerances tolerances;
  Accuracy digits;
  std::string title = {};
  std::shared_ptr<const MobilityReport> mobility = {};
  std::string command = {};  // that repeats the run; empty: it was not asked for on a command line
};

Json number_or_null(double value);
Json number_or_null(const std::optional<double>& value);
Json array_of(const Vector& values);
// Why a run could not go on; null where it could.
Json mode_document(const FastestMode& mode);
Json diagnosis_document(const std::optional<Diagnosis>& diagnosis);
Json conditioning_document(const Conditioning& conditioning);
// Where the energy went, account by account; those that stayed at 0 are left out.
Json ledger_document(const Ledger& ledger);
Json run_document(const RunRecord& record, const ConstrainedSystem& system, const Result& result);
const char* status_name(Termination termination);

// Parsed and written in json.cpp alone: what does either takes the compiler long. A text that is no JSON is discarded.
Json parsed_json(const std::string& text);
std::string compact_text(const Json& document);
// Indented text with a final newline; bytes that are not UTF-8 are replaced, and what a terminal would obey is escaped.
std::string text_of(const Json& document);

}  // namespace raak
