#include "cli/results/peers.h"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>

#include "base/error.h"
#include "base/text/text.h"
#include "study/bench/bench_document.h"

namespace raak::cli {
namespace {

// Starts a program without a shell and returns what it wrote to standard output.
std::string output_of(const std::vector<std::string>& words) {
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) throw Error(ErrorKind::computation, "no pipe to " + words.front());
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));  // NOLINT
  arguments.push_back(nullptr);
  const pid_t child = fork();
  if (child < 0) throw Error(ErrorKind::computation, "cannot start " + words.front());
  if (child == 0) {
    dup2(ends[1], STDOUT_FILENO);
    close(ends[0]);
    close(ends[1]);
    execv(arguments[0], arguments.data());
    _exit(127);
  }
  close(ends[1]);
  std::string text;
  std::array<char, 4096> buffer{};
  for (ssize_t n = 0; (n = read(ends[0], buffer.data(), buffer.size())) > 0;) {
    text.append(buffer.data(), static_cast<std::size_t>(n));
  }
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    throw Error(ErrorKind::computation, words.front() + " ended before it was done");
  }
  return text;
}

}  // namespace

std::string find_peers() {
  std::error_code trouble;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", trouble).parent_path() / "raak_peers";
  if (!trouble && access(program.c_str(), X_OK) == 0) return program.string();
  throw Error(ErrorKind::request,
              "--peers needs the program raak_peers beside raak, built with the SUNDIALS library; "
              "./dev bench --peers installs libsundials-dev and builds it");
}

const std::vector<std::string>& peer_names() {
  static const std::vector<std::string> names{"ida", "arkode-5", "arkode-8"};
  return names;
}

std::vector<BenchRow> run_peers(const std::string& program, const ModelSource& model, const BenchRequest& request,
                                const std::vector<std::string>& names) {
  std::vector<std::string> words{program, model.name};
  for (const std::string& name : names) words.push_back(fmt::format("--peer={}", name));
  for (const Form form : request.forms) words.push_back("--form=" + name_of(form));
  if (request.all_forms) words.emplace_back("--leave-out");
  if (request.first_step.seconds > 0.0) words.push_back(fmt::format("--h0={}", exact_text(request.first_step.seconds)));
  if (request.first_step.of_rtol > 0.0)
    words.push_back(fmt::format("--h0-of-rtol={}", exact_text(request.first_step.of_rtol)));
  if (request.run) words.push_back("--run=" + *request.run);
  for (const double rtol : request.rtols) words.push_back("--rtol=" + exact_text(rtol));
  for (const auto& [name, value] : request.settings) words.push_back(fmt::format("--set={}={}", name, value));
  try {
    return read_bench_document(output_of(words));
  } catch (const Error& error) {
    BenchRow row;
    row.model = model.name;
    row.method = "peers";
    row.rtol = row.atol = request.rtols.front();
    const bool stopped = request.stop != nullptr && request.stop->load();
    row.status = stopped ? "interrupted" : "failed";
    row.message = stopped ? "stopped by the user" : error.what();
    return {row};
  }
}

}  // namespace raak::cli
