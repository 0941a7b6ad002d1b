// The commands of `raak`: each takes its options as the user typed them and returns the exit code.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "methods/method.h"

namespace raak::cli {

struct ListOptions {
  std::string topic;  // empty: everything in short
  bool json = false;
};

// A model with a start, shared by run and assemble.
struct ModelOptions {
  std::string model;
  std::optional<std::string> run, form;
  std::vector<std::string> settings;      // NAME=VALUE
  std::vector<std::string> trust, guess;  // NAME, q.NAME or v.NAME, with =VALUE
};

struct RunOptions {
  ModelOptions model;
  std::string method;  // empty: that of the run
  std::optional<std::string> until, rtol, atol, first_step, fixed_step, every, at, frames, plot, columns, format,
      against, out;
  std::optional<std::string> checkpoint, resume, print, partition_threshold, sweep_case;
  bool trace = false, trace_matrices = false, printed = false;
  bool hdf5 = false;
  bool quiet = false;
  bool open = false;  // the report, when it is there
  bool json = false;
  std::string command;  // as typed, to be repeated
};

struct ReportOptions {
  std::string folder;
  std::optional<std::string> out;
  bool open = false;
  bool json = false;
};

struct CompareOptions {
  std::vector<std::string> folders;
  std::optional<std::string> plot, out;
  bool json = false;
};

struct CheckOptions {
  std::vector<std::string> models;  // none: all
  std::optional<std::string> method, run, form, rtol, atol, against, tolerance;
  std::vector<std::string> settings;
  bool json = false;
};

struct BenchOptions {
  std::vector<std::string> models;  // none: all
  std::optional<std::string> run, methods, forms, rtol, first_step, drift, out;
  std::vector<std::string> settings;
  bool as_printed = false;
  bool peers = false;
  bool json = false;
};

struct AssembleOptions {
  ModelOptions model;
  bool json = false;
};

struct ExplainOptions {
  ModelOptions model;
  std::string method;  // empty: that of the run
  std::optional<std::string> until, rtol;
  bool json = false;
};

struct ModesOptions {
  ModelOptions model;
  std::optional<std::string> at, count, out;
  bool json = false;
};

struct NewOptions {
  std::string name;                 // of a template, or of the file if --template names one
  std::optional<std::string> from;  // --template
  std::optional<std::string> count, out;
  bool json = false;
};

struct ConvertOptions {
  std::string file;
  std::optional<std::string> out;
  bool json = false;
};

struct SweepOptions {
  std::string plan;
  std::optional<std::string> out, threads, shard, merge;
  bool resume = false, exact = false;
  bool json = false;
};

int list(const ListOptions& options);
int run(const RunOptions& options);
int report(const ReportOptions& options);
int compare(const CompareOptions& options);
int check(const CheckOptions& options);
int bench(const BenchOptions& options);
int explain(const ExplainOptions& options);
int modes(const ModesOptions& options);
int assemble(const AssembleOptions& options);
int new_file(const NewOptions& options);
int convert(const ConvertOptions& options);
int sweep(const SweepOptions& options);

}  // namespace raak::cli
