// The three sweeps of tree_recursion.h: outwards velocities and what they make of forces, inwards articulated inertias,
// outwards accelerations.
#include <vector>

#include "base/code/machine.h"
#include "base/linear/index.h"
#include "mechanism/joint_tree/tree_recursion_stages.h"
#include "mechanism/large/thread_memory.h"

namespace raak {
namespace {

using namespace in_frames;

struct Sweep : StagePasses {
  Passed* passed;
  Gathered* gathered;

  // Velocities; `again`: accelerations.
  template <bool again>
  RAAK_INLINE void outwards(const Node& node, const Stage* stages, Screw& m) const {
    for (int s = node.first_stage; s < node.first_stage + node.stages; ++s) {
      const Stage& stage = stages[s];
      switch (stage.kind) {
        case Stage::Kind::shift:
          along(stage.axis, [&]<int k>() RAAK_ALL_LANES { move_in<k>(both(stage.offset), m); });
          break;
        case Stage::Kind::rotate: {
          Lane R[3][3];
          fill(stage.turns, R);
          rotate_in(R, m.turn);
          rotate_in(R, m.slide);
          break;
        }
        case Stage::Kind::slide:
          if constexpr (again) follow_slide(stage, m);
          else slide_out(stage, m);
          break;
        case Stage::Kind::turn:
        case Stage::Kind::thread:
          if constexpr (again) follow_turn(stage, m);
          else turn_out(stage, m);
          break;
        case Stage::Kind::ball:
          if constexpr (again) follow_ball(stage, m);
          else ball_out(stage, m);
          break;
      }
    }
  }
  RAAK_INLINE void inwards(const Node& node, const Stage* stages, Articulated& A, Screw& p) const {
    for (int s = node.first_stage + node.stages - 1; s >= node.first_stage; --s) {
      const Stage& stage = stages[s];
      switch (stage.kind) {
        case Stage::Kind::shift:
          along(stage.axis, [&]<int k>() RAAK_ALL_LANES {
            move_back<k>(both(stage.offset), A);
            move_back<k>(both(stage.offset), p);
          });
          break;
        case Stage::Kind::rotate: {
          Lane R[3][3];
          fill(stage.turns, R);
          rotate(R, A);
          rotate(R, p.turn);
          rotate(R, p.slide);
          break;
        }
        case Stage::Kind::slide:
          slide_inwards(stage, A, p);
          break;
        case Stage::Kind::turn:
          turn_inwards(stage, A, p);
          break;
        case Stage::Kind::thread:
          thread_inwards(stage, A, p);
          break;
        case Stage::Kind::ball:
          ball_inwards(stage, A, p);
          break;
      }
    }
  }
  RAAK_INLINE void run(const std::vector<Node>& nodes, const Stage* stages, const double* fall) const {
    const int count = static_cast<int>(nodes.size());
    Screw m;
    for (int b = 0; b < count; ++b) {
      const Node& node = nodes[z(b)];
      if (node.parent < 0) clear(m);
      else if (node.parent != b - 1) m = passed[node.parent].motion;
      outwards<false>(node, stages, m);
      if (node.children > 1) passed[b].motion = m;
      inertia_force(node, m, passed[b].force);
    }
    Articulated A;
    Screw p;
    for (int b = count - 1; b >= 0; --b) {
      const Node& node = nodes[z(b)];
      const Gathered* const others = node.children > 1 ? &gathered[node.place] : nullptr;
      if (node.children == 0) {
        clear(A);
        clear(p);
      } else if (others != nullptr) {
        add(others->A, A);
        add(others->p, p);
      }
      add_own(node, A);
      add(passed[b].force, p);
      inwards(node, stages, A, p);
      if (node.parent < 0 || node.parent == b - 1) continue;
      Gathered& to = gathered[nodes[z(node.parent)].place];
      if (node.is_last) {
        to.A = A;
        to.p = p;
      } else {
        add(A, to.A);
        add(p, to.p);
      }
    }
    for (int b = 0; b < count; ++b) {
      const Node& node = nodes[z(b)];
      if (node.parent < 0) {
        clear(m);
        for (int n = 0; n < 3; ++n) m.slide[n] = both(fall[n]);
      } else if (node.parent != b - 1) {
        m = passed[node.parent].motion;
      }
      outwards<true>(node, stages, m);
      if (node.children > 1) passed[b].motion = m;
    }
  }

 private:
  static RAAK_INLINE void add(const Screw& from, Screw& to) {
    for (int n = 0; n < 3; ++n) {
      to.turn[n] += from.turn[n];
      to.slide[n] += from.slide[n];
    }
  }
  static RAAK_INLINE void add(const Articulated& from, Articulated& to) {
    for (int n = 0; n < 6; ++n) {
      to.J[n] += from.J[n];
      to.M[n] += from.M[n];
    }
    for (int n = 0; n < 3; ++n)
      for (int k = 0; k < 3; ++k) to.H[n][k] += from.H[n][k];
  }
  static RAAK_INLINE void add_own(const Node& node, Articulated& A) {
    for (int n = 0; n < 6; ++n) A.J[n] += node.second[n];
    for (int n = 0; n < 3; ++n) {
      const int i = (n + 1) % 3, j = (n + 2) % 3;
      A.M[n] += node.mass;
      A.H[j][i] += node.moment[n];
      A.H[i][j] -= node.moment[n];
    }
  }
  // w x (J w + h x v) + v x (m v - h x w), w x (m v - h x w).
  static RAAK_INLINE void inertia_force(const Node& node, const Screw& m, Screw& force) {
    Lane L[3], P[3];
    for (int n = 0; n < 3; ++n) {
      const int i = (n + 1) % 3, j = (n + 2) % 3;
      L[n] = node.second[at(n, 0)] * m.turn[0] + node.second[at(n, 1)] * m.turn[1] + node.second[at(n, 2)] * m.turn[2] +
             node.moment[i] * m.slide[j] - node.moment[j] * m.slide[i];
      P[n] = node.mass * m.slide[n] - node.moment[i] * m.turn[j] + node.moment[j] * m.turn[i];
    }
    for (int n = 0; n < 3; ++n) {
      const int i = (n + 1) % 3, j = (n + 2) % 3;
      force.turn[n] = m.turn[i] * L[j] - m.turn[j] * L[i] + m.slide[i] * P[j] - m.slide[j] * P[i];
      force.slide[n] = m.turn[i] * P[j] - m.turn[j] * P[i];
    }
  }
};

// Articulated inertias have more entries than there are registers of AVX2. The bits are the same.
[[gnu::target("avx2,fma,avx512vl,avx512dq"), gnu::flatten, gnu::noinline]] void run_in_many_registers(
    const Sweep& sweep, const std::vector<Node>& nodes, const Stage* stages, const double* fall) {
  sweep.run(nodes, stages, fall);
}
[[gnu::target("avx2,fma"), gnu::flatten, gnu::noinline]] void run_wide(const Sweep& sweep,
                                                                       const std::vector<Node>& nodes,
                                                                       const Stage* stages, const double* fall) {
  sweep.run(nodes, stages, fall);
}
[[gnu::noinline]] void run_plain(const Sweep& sweep, const std::vector<Node>& nodes, const Stage* stages,
                                 const double* fall) {
  sweep.run(nodes, stages, fall);
}

}  // namespace

void TreeRecursion::accelerate(const double* q, const double* v, const double* applied, double* a,
                               double* lambda) const {
  const auto round_up = [](std::size_t bytes) { return (bytes + sizeof(Lane) - 1) / sizeof(Lane); };
  const std::size_t turning = round_up(sizeof(Turning)) * z(turnings_), ball = round_up(sizeof(Ball)) * z(balls_),
                    passed = round_up(sizeof(Passed)) * nodes_.size(),
                    gathered = round_up(sizeof(Gathered)) * z(gathering_);
  Lane* next = reinterpret_cast<Lane*>(thread_memory<Pack>(turning + ball + passed + gathered));
  Sweep sweep;
  const auto part = [&](std::size_t size, auto*& at) {
    at = reinterpret_cast<std::remove_reference_t<decltype(at)>>(next);
    next += size;
  };
  part(turning, sweep.turning);
  part(ball, sweep.ball);
  part(passed, sweep.passed);
  part(gathered, sweep.gathered);
  const auto lanes_of = [](const double* numbers) { return reinterpret_cast<const Lane*>(numbers); };
  sweep.q = lanes_of(q);
  sweep.v = lanes_of(v);
  sweep.applied = lanes_of(applied);
  sweep.a = reinterpret_cast<Lane*>(a);
  sweep.lambda = reinterpret_cast<Lane*>(lambda);
  (machine_has_avx512 ? run_in_many_registers
   : machine_has_avx2 ? run_wide
                      : run_plain)(sweep, nodes_, stages_.data(), fall_);
}

}  // namespace raak
