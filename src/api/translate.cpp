#include "api/translate.h"

#include <raak/errors.h>

#include <limits>
#include <utility>

#include "base/text/placed_error.h"
#include "kinematics/start/start_failure.h"

namespace raak_v0 {

Error::~Error() = default;
RequestError::~RequestError() = default;
ModelError::~ModelError() = default;
AssemblyError::~AssemblyError() = default;
SolveError::~SolveError() = default;

ModelError::ModelError(const std::string& message, std::string file, int line, int column)
    : Error(message), file_(std::move(file)), line_(line), column_(column) {}
AssemblyError::AssemblyError(const std::string& message, std::string advice, std::vector<OpenJoint> open)
    : Error(message), advice_(std::move(advice)), open_(std::move(open)) {}
SolveError::SolveError(const std::string& message, double time, std::string cause, std::string advice,
                       std::shared_ptr<const Result> partial)
    : Error(message), time_(time), cause_(std::move(cause)), advice_(std::move(advice)), partial_(std::move(partial)) {}

namespace detail {

void translate(const Elements& elements) {
  try {
    throw;
  } catch (const Error&) {
    throw;
  } catch (const core::StartFailure& error) {
    std::vector<OpenJoint> open;
    for (const core::OpenJoint& joint : error.open()) open.push_back({joint.name, joint.gap, joint.unit});
    throw AssemblyError(error.what(), error.advice(), std::move(open));
  } catch (const core::PlacedError& error) {
    const core::Place& place = error.place();
    if (!elements) throw ModelError(error.what(), place.file, place.line, place.column);
    const auto element = elements->find(place.line);
    throw ModelError(element != elements->end() ? element->second + ": " + error.message() : error.message(), "", 0, 0);
  } catch (const core::Error& error) {
    switch (error.kind()) {
      case core::ErrorKind::model_file:
        throw ModelError(error.what(), "", 0, 0);
      case core::ErrorKind::computation:
        throw AssemblyError(error.what(), "");
      default:
        throw RequestError(error.what());
    }
  }
}

}  // namespace detail
}  // namespace raak_v0
