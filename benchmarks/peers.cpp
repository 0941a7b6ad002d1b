// raak_peers MODEL --rtol=X... [--peer=NAME]... [--form=F]... [--leave-out] [--h0=H] --set=N=V...: runs other codes on
// a model's default run and prints the rows of a bench as JSON. Started by `raak bench --peers`; never linked into
// raak.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/text/text.h"
#include "benchmarks/peer.h"
#include "modelfile/load.h"
#include "problems/catalogue.h"
#include "study/bench/bench_document.h"

namespace raak::peers {

double thread_cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

Result finish(const Problem& problem, const State& end, const Statistics& statistics, const std::string& trouble) {
  Result result;
  result.termination = trouble.empty() ? Termination::ok : Termination::failed;
  result.message = trouble;
  result.start = problem.start;
  result.end = end;
  if (trouble.empty()) result.end.t = problem.until;
  result.statistics = statistics;
  result.quality.energy_drift = NAN;
  const auto size = static_cast<Eigen::Index>(output_names(problem.system).size());
  result.outputs = Vector::Constant(size, NAN);
  Vector outputs(problem.system.outputs());
  problem.system.evaluate_outputs(result.end, outputs);
  result.outputs.head(outputs.size()) = outputs;
  const Energy energy = problem.system.energy(result.end.t, result.end.q, result.end.v);
  energies_of(result.outputs).head<3>() << energy.kinetic, energy.potential, energy.input;
  return result;
}

namespace {

constexpr double compared_scd = 4.0;
constexpr double tightest_rtol = 1.5e-13;

struct Peer {
  const char* name;
  Form form;
  Result (*run)(const Problem&);
};
const Peer peers[]{
    {"ida", Form::ggl, ida_ggl}, {"arkode-5", Form::index1, arkode_order5}, {"arkode-8", Form::index1, arkode_order8}};

// A row that says why a code does not run.
BenchRow refusal(const std::string& model, const Peer& peer, Form form, double rtol) {
  BenchRow row;
  row.model = model;
  row.method = peer.name;
  row.form = form;
  row.rtol = row.atol = rtol;
  row.status = "refused";
  row.message = fmt::format("{} runs on the form {} only", peer.name, name_of(peer.form));
  return row;
}

struct Request {
  std::vector<double> rtols;
  std::vector<std::string> peers;  // empty: all
  std::vector<Form> forms;         // empty: all
  std::vector<std::pair<std::string, std::string>> settings;
  bool leave_out = false;  // forms that a peer has not, instead of a row that says so
  FirstStep first_step;
  std::optional<std::string> run;
};

Request read_request(const std::vector<std::string>& words) {
  Request request;
  for (const std::string& word : words) {
    const std::size_t sign = word.find('=');
    const std::string option = word.substr(0, sign);
    const std::string value = sign == std::string::npos ? "" : word.substr(sign + 1);
    if (option == "--peer") request.peers.push_back(value);
    if (option == "--form") request.forms.push_back(form_named(value).value());
    if (option == "--h0") request.first_step.seconds = parse_number(value).value_or(0.0);
    if (option == "--h0-of-rtol") request.first_step.of_rtol = parse_number(value).value_or(0.0);
    if (option == "--run") request.run = value;
    if (option == "--leave-out") request.leave_out = true;
    if (option == "--rtol") request.rtols.push_back(parse_number(value).value_or(1e-6));
    if (option == "--set")
      request.settings.emplace_back(value.substr(0, value.find('=')), value.substr(value.find('=') + 1));
  }
  return request;
}

ModelSource find_source(const std::string& name) {
  const auto& models = problem_catalogue();
  const auto known = std::find_if(models.begin(), models.end(), [&](const ModelSource& m) { return m.name == name; });
  return known == models.end() ? load_model(name) : *known;
}

template <class Thing>
bool is_wanted(const std::vector<Thing>& list, const Thing& name) {
  return list.empty() || std::find(list.begin(), list.end(), name) != list.end();
}

// At the tolerances asked for, and on to tighter ones until a digit count is reached at which costs can be compared.
void add_measured_rows(const Peer& peer, const Model& model, const ModelSource& source, const Request& request,
                       std::vector<BenchRow>& rows) {
  const State start = consistent_start(model);
  std::vector<double> rtols = request.rtols;
  for (std::size_t i = 0; i < rtols.size(); ++i) {
    const double rtol = rtols[i];
    BenchRow row;
    row.model = source.name;
    row.run = find_run(source, request.run).name;
    row.method = peer.name;
    row.form = peer.form;
    row.rtol = row.atol = rtol;
    row.h0 = request.first_step.at(rtol);
    const Problem problem{*model.system, start, find_run(source, request.run).until, rtol, rtol, row.h0};
    measure_row(
        model, [&](bool) { return peer.run(problem); }, row);
    if (i + 1 == rtols.size() && row.scd && *row.scd < compared_scd && rtol > tightest_rtol)
      rtols.push_back(0.1 * rtol);
    rows.push_back(std::move(row));
  }
}

int run(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.empty()) throw Error(ErrorKind::request, "usage: raak_peers MODEL --rtol=X... --set=NAME=VALUE...");
  const Request request = read_request(words);
  const ModelSource source = find_source(words.front());
  Parameters parameters = source.parameters;
  for (const auto& [name, value] : find_run(source, request.run).settings) parameters.set(name, value);
  for (const auto& [name, value] : request.settings) parameters.set(name, value);
  std::vector<BenchRow> rows;
  for (const Peer& peer : peers) {
    if (!is_wanted<std::string>(request.peers, peer.name)) continue;
    for (const Form form : request.forms)
      if (form != peer.form && !request.leave_out)
        rows.push_back(refusal(source.name, peer, form, request.rtols.front()));
    if (is_wanted(request.forms, peer.form))
      add_measured_rows(peer, source.build(parameters, peer.form), source, request, rows);
  }
  const std::string text = text_of(bench_document(rows));
  std::fwrite(text.data(), 1, text.size(), stdout);
  return 0;
}

}  // namespace
}  // namespace raak::peers

int main(int argc, char** argv) {
  try {
    return raak::peers::run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "raak_peers: %s\n", error.what());
    return 2;
  }
}
