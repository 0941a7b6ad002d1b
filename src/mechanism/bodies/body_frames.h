// The frames of the bodies as directions of their coordinates (system/own_frames.h).
#pragma once
#include "mechanism/instance.h"
#include "system/own_frames.h"

namespace raak {

class BodyFrames final : public OwnFrames {
 public:
  explicit BodyFrames(const Instance& instance);

  Vector to_coordinates(const Vector& q, Vector step) const override;
  Vector from_coordinates(const Vector& q, Vector step) const override;
  // In space about the axis of the first hinge or sleeve on the body, in the direction that the file gives it; of a
  // body without one about the diagonal of its axes.
  std::vector<Vector> left_turns(const Vector& q) const override;

 private:
  const Instance& instance_;
  std::vector<Vec3d> axes_;  // by body, in its own frame
};

}  // namespace raak
