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
  request.above = instance.number(*spec.above).now();
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

// Starts on the slow manifold of what another assembly finds.
class SmoothAssembly final : public Assembly {
 public:
  SmoothAssembly(const Model& model, SlowManifoldRequest request)
      : system_(model.system), consistent_(model.assembly), own_(model.start), request_(std::move(request)) {}
  SmoothStart find(const StartRequest& start) const {
    return smooth_start(*system_, consistent_->start(start), start, request_);
  }
  void remember(State found) { found_ = std::move(found); }
  State start(const StartRequest& start) const override {
    return found_.q.size() > 0 && asks_alike(start, own_) ? found_ : find(start).state;
  }
  State at_rest(const StartRequest& start) const override { return consistent_->at_rest(start); }

 private:
  std::shared_ptr<const ConstrainedSystem> system_;
  std::shared_ptr<const Assembly> consistent_;
  StartRequest own_;
  SlowManifoldRequest request_;
  State found_;  // from its own start
};

}  // namespace

void start_smoothly(const Instance& instance, Model& model) {
  const std::optional<SmoothSpec>& spec = instance.mechanism().smooth;
  if (!spec) return;
  const auto smooth = std::make_shared<SmoothAssembly>(model, request_of(instance, *spec));
  try {
    SmoothStart found = smooth->find(model.start);
    if (model.mobility) {
      MobilityReport report = *model.mobility;
      report.notes.push_back(note_on(found));
      model.mobility = std::make_shared<const MobilityReport>(std::move(report));
    }
    smooth->remember(std::move(found.state));
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::computation) throw;
  }
  model.assembly = smooth;
}

}  // namespace raak
