#include "mechanism/start/smooth_assembly.h"

#include <fmt/format.h>

#include <optional>

#include "base/error.h"
#include "kinematics/slow/slow_manifold.h"
#include "mechanism/start/start_motion.h"

namespace raak {
namespace {

SlowManifoldRequest request_of(const Instance& instance, const SmoothSpec& spec) {
  SlowManifoldRequest request;
  if (spec.order) request.order = *spec.order;
  if (!spec.above) return request;
  request.above = instance.number(*spec.above);
  if (*request.above < 0.0)
    refuse_at(spec.above->place,
              fmt::format("expected a frequency of 0 rad/s or more, found {:.6g}: faster vibrations count as fast",
                          *request.above));
  return request;
}

std::string note_on(const SmoothStart& found) {
  const std::size_t count = found.fast.size();
  const double slowest = found.fast.front().frequency;
  return fmt::format("starts smooth, order {}: {} of {:.4g} rad/s{} {} the motion, which changes at {:.3g} 1/s",
                     found.order, count == 1 ? "the vibration" : fmt::format("{} vibrations", count), slowest,
                     count == 1 ? "" : " or more", count == 1 ? "follows" : "follow", found.slow_rate);
}

}  // namespace

void start_smoothly(const Instance& instance, Model& model) {
  const std::optional<SmoothSpec>& spec = instance.mechanism().smooth;
  if (!spec) return;
  const auto smooth = [system = model.system, consistent = model.assemble,
                       request = request_of(instance, *spec)](const StartRequest& start) {
    return smooth_start(*system, consistent(start), start, request);
  };
  State own;
  try {
    const SmoothStart found = smooth(model.start);
    own = found.state;
    if (model.mobility) {
      MobilityReport report = *model.mobility;
      report.notes.push_back(note_on(found));
      model.mobility = std::make_shared<const MobilityReport>(std::move(report));
    }
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::computation) throw;
  }
  model.assemble_at_rest = model.assemble;
  model.assemble = [smooth, own, request = model.start](const StartRequest& start) {
    return own.q.size() > 0 && asks_alike(start, request) ? own : smooth(start).state;
  };
}

}  // namespace raak
