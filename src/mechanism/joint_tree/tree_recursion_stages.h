// A stage of a tree (tree_recursion.h) passed outwards, inwards and outwards again.
#pragma once
#include "mechanism/joint_tree/tree_recursion.h"
#include "mechanism/joint_tree/tree_recursion_screws.h"

namespace raak {
namespace in_frames {

using Node = TreeRecursion::Node;
using Stage = TreeRecursion::Stage;

struct Turning {
  Lane sine, cosine, by;
  Screw bias;
  Freedom freedom;
};
struct Ball {
  Lane R[3][3], own[4];  // its quaternion, in the axes of the frame
  Screw bias;
  Freedom freedom[3];
};
struct Passed {
  Screw motion, force;  // accelerations take the place of velocities
};
struct Gathered {
  Articulated A;
  Screw p;
};

// a b, a* b of quaternions.
RAAK_INLINE void product(const Lane* a, const Lane* b, Lane* ab) {
  ab[0] = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
  ab[1] = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
  ab[2] = a[0] * b[2] + a[2] * b[0] + a[3] * b[1] - a[1] * b[3];
  ab[3] = a[0] * b[3] + a[3] * b[0] + a[1] * b[2] - a[2] * b[1];
}
RAAK_INLINE void product_of_conjugate(const Lane* a, const Lane* b, Lane* ab) {
  const Lane back[4] = {a[0], -a[1], -a[2], -a[3]};
  product(back, b, ab);
}
RAAK_INLINE Lane square(const Lane* a) {
  return a[0] * a[0] + a[1] * a[1] + a[2] * a[2] + a[3] * a[3];
}
// The vector part in exchanged axes.
RAAK_INLINE void exchange(const double (&axes)[3][3], const Lane* from, Lane* to) {
  to[0] = from[0];
  for (int n = 0; n < 3; ++n) to[1 + n] = axes[n][0] * from[1] + axes[n][1] * from[2] + axes[n][2] * from[3];
}
RAAK_INLINE void exchange_back(const double (&axes)[3][3], const Lane* from, Lane* to) {
  to[0] = from[0];
  for (int n = 0; n < 3; ++n) to[1 + n] = axes[0][n] * from[1] + axes[1][n] * from[2] + axes[2][n] * from[3];
}

#define RAAK_ALL_LANES __attribute__((always_inline))

template <class F>
RAAK_INLINE void along(int axis, const F& f) {
  if (axis == 2) f.template operator()<2>();
  else if (axis == 1) f.template operator()<1>();
  else f.template operator()<0>();
}

// At one set of four states.
struct StagePasses {
  const Lane *q, *v, *applied;
  Lane *a, *lambda;
  Turning* turning;
  Ball* ball;

  RAAK_INLINE Lane force_on(const Stage& stage) const {
    return applied != nullptr ? stage.sign * applied[stage.coordinate] : Lane{};
  }

  // Outwards through a stage: velocities, and the accelerations that they bring about.
  RAAK_INLINE void turn_out(const Stage& stage, Screw& m) const {
    along(stage.axis, [&]<int k>() RAAK_ALL_LANES {
      Turning& here = turning[stage.place];
      const SinCos angle = sin_cos(Pack(stage.sign * q[stage.coordinate]));
      here.sine = angle.sin.x;
      here.cosine = angle.cos.x;
      turn_in<k>(here.sine, here.cosine, m.turn);
      turn_in<k>(here.sine, here.cosine, m.slide);
      const Lane rate = stage.sign * v[stage.coordinate];
      if (stage.kind == Stage::Kind::thread) {
        here.by = stage.sign * (stage.lead * q[stage.coordinate] + stage.offset);
        move_in<k>(here.by, m);
      }
      here.bias.turn[i_of<k>] = rate * m.turn[j_of<k>];
      here.bias.turn[j_of<k>] = -rate * m.turn[i_of<k>];
      here.bias.slide[i_of<k>] = rate * m.slide[j_of<k>];
      here.bias.slide[j_of<k>] = -rate * m.slide[i_of<k>];
      if (stage.kind == Stage::Kind::thread) {
        here.bias.slide[i_of<k>] += stage.lead * here.bias.turn[i_of<k>];
        here.bias.slide[j_of<k>] += stage.lead * here.bias.turn[j_of<k>];
        m.slide[k] += stage.lead * rate;
      }
      m.turn[k] += rate;
    });
  }
  RAAK_INLINE void slide_out(const Stage& stage, Screw& m) const {
    along(stage.axis, [&]<int k>() RAAK_ALL_LANES {
      Turning& here = turning[stage.place];
      here.by = stage.sign * q[stage.coordinate];
      move_in<k>(here.by, m);
      const Lane rate = stage.sign * v[stage.coordinate];
      here.bias.slide[i_of<k>] = rate * m.turn[j_of<k>];
      here.bias.slide[j_of<k>] = -rate * m.turn[i_of<k>];
      m.slide[k] += rate;
    });
  }
  RAAK_INLINE void ball_out(const Stage& stage, Screw& m) const {
    Ball& here = ball[stage.place];
    Lane rates[4], p[4], twice[4];
    exchange(stage.turns, q + stage.coordinate, p);
    exchange(stage.turns, v + stage.coordinate, rates);
    const Lane inverse = 1.0 / square(p);
    for (int n = 0; n < 4; ++n) here.own[n] = p[n];
    const Lane ww = inverse * p[0] * p[0], xx = inverse * p[1] * p[1], yy = inverse * p[2] * p[2],
               zz = inverse * p[3] * p[3];
    const Lane xy = 2.0 * inverse * p[1] * p[2], xz = 2.0 * inverse * p[1] * p[3], yz = 2.0 * inverse * p[2] * p[3],
               wx = 2.0 * inverse * p[0] * p[1], wy = 2.0 * inverse * p[0] * p[2], wz = 2.0 * inverse * p[0] * p[3];
    const Lane R[3][3] = {{ww + xx - yy - zz, xy - wz, xz + wy},
                          {xy + wz, ww - xx + yy - zz, yz - wx},
                          {xz - wy, yz + wx, ww - xx - yy + zz}};
    for (int n = 0; n < 3; ++n)
      for (int k = 0; k < 3; ++k) here.R[n][k] = R[n][k];
    rotate_in(here.R, m.turn);
    rotate_in(here.R, m.slide);
    product_of_conjugate(p, rates, twice);
    Lane spin[3], along_own = Lane{};
    for (int n = 0; n < 3; ++n) spin[n] = 2.0 * inverse * twice[1 + n];
    for (int n = 0; n < 4; ++n) along_own += p[n] * rates[n];
    const Lane slower = -2.0 * inverse * along_own;
    for (int n = 0; n < 3; ++n) {
      const int i = (n + 1) % 3, j = (n + 2) % 3;
      here.bias.turn[n] = m.turn[i] * spin[j] - m.turn[j] * spin[i] + slower * spin[n];
      here.bias.slide[n] = m.slide[i] * spin[j] - m.slide[j] * spin[i];
    }
    for (int n = 0; n < 3; ++n) m.turn[n] += spin[n];
  }

  // Inwards: what is carried, without what gives way to it.
  RAAK_INLINE void turn_inwards(const Stage& stage, Articulated& A, Screw& p) const {
    along(stage.axis, [&]<int k>() RAAK_ALL_LANES {
      Turning& here = turning[stage.place];
      take_out<k, true, false>(Lane{}, force_on(stage), A, p, here.freedom);
      add_times_across<k, true, false>(A, here.bias, p);
      turn_back<k, true>(here.sine, here.cosine, A);
      turn_back<k>(here.sine, here.cosine, p.turn);
      turn_back<k>(here.sine, here.cosine, p.slide);
    });
  }
  RAAK_INLINE void thread_inwards(const Stage& stage, Articulated& A, Screw& p) const {
    along(stage.axis, [&]<int k>() RAAK_ALL_LANES {
      Turning& here = turning[stage.place];
      take_out<k, true, true>(both(stage.lead), force_on(stage), A, p, here.freedom);
      add_times_across<k, true, true>(A, here.bias, p);
      move_back<k>(here.by, A);
      move_back<k>(here.by, p);
      turn_back<k, false>(here.sine, here.cosine, A);
      turn_back<k>(here.sine, here.cosine, p.turn);
      turn_back<k>(here.sine, here.cosine, p.slide);
    });
  }
  RAAK_INLINE void slide_inwards(const Stage& stage, Articulated& A, Screw& p) const {
    along(stage.axis, [&]<int k>() RAAK_ALL_LANES {
      Turning& here = turning[stage.place];
      take_out<k, false, true>(Lane{}, force_on(stage), A, p, here.freedom);
      add_times_across<k, false, true>(A, here.bias, p);
      move_back<k>(here.by, A);
      move_back<k>(here.by, p);
    });
  }
  RAAK_INLINE void ball_inwards(const Stage& stage, Articulated& A, Screw& p) const {
    Ball& here = ball[stage.place];
    Lane moment[4] = {};  // of generalized forces on the quaternion
    if (applied != nullptr) {
      Lane on[4];
      exchange(stage.turns, applied + stage.coordinate, on);
      product_of_conjugate(here.own, on, moment);
    }
    take_out<0, true, false>(Lane{}, 0.5 * moment[1], A, p, here.freedom[0]);
    take_out<1, true, false>(Lane{}, 0.5 * moment[2], A, p, here.freedom[1]);
    take_out<2, true, false>(Lane{}, 0.5 * moment[3], A, p, here.freedom[2]);
    add_times(A, here.bias, p);
    rotate(here.R, A);
    rotate(here.R, p.turn);
    rotate(here.R, p.slide);
  }

  // Outwards again: accelerations.
  RAAK_INLINE void follow_turn(const Stage& stage, Screw& m) const {
    along(stage.axis, [&]<int k>() RAAK_ALL_LANES {
      const Turning& here = turning[stage.place];
      turn_in<k>(here.sine, here.cosine, m.turn);
      turn_in<k>(here.sine, here.cosine, m.slide);
      const bool is_thread = stage.kind == Stage::Kind::thread;
      if (is_thread) move_in<k>(here.by, m);
      m.turn[i_of<k>] += here.bias.turn[i_of<k>];
      m.turn[j_of<k>] += here.bias.turn[j_of<k>];
      m.slide[i_of<k>] += here.bias.slide[i_of<k>];
      m.slide[j_of<k>] += here.bias.slide[j_of<k>];
      const Lane change = rate_of(here.freedom, m);
      a[stage.coordinate] = stage.sign * change;
      m.turn[k] += change;
      if (is_thread) m.slide[k] += stage.lead * change;
    });
  }
  RAAK_INLINE void follow_slide(const Stage& stage, Screw& m) const {
    along(stage.axis, [&]<int k>() RAAK_ALL_LANES {
      const Turning& here = turning[stage.place];
      move_in<k>(here.by, m);
      m.slide[i_of<k>] += here.bias.slide[i_of<k>];
      m.slide[j_of<k>] += here.bias.slide[j_of<k>];
      const Lane change = rate_of(here.freedom, m);
      a[stage.coordinate] = stage.sign * change;
      m.slide[k] += change;
    });
  }
  RAAK_INLINE void follow_ball(const Stage& stage, Screw& m) const {
    const Ball& here = ball[stage.place];
    rotate_in(here.R, m.turn);
    rotate_in(here.R, m.slide);
    Lane change[4] = {};
    for (int n = 0; n < 3; ++n) {
      m.turn[n] += here.bias.turn[n];
      m.slide[n] += here.bias.slide[n];
    }
    for (int n = 2; n >= 0; --n) {
      change[1 + n] = rate_of(here.freedom[n], m);
      m.turn[n] += change[1 + n];
    }
    // p'' = p (0, change) / 2 less the part that keeps p of its length.
    Lane in_frame[4], out[4], speed = square(v + stage.coordinate);
    product(here.own, change, in_frame);
    const Lane back = speed / square(here.own);
    for (int n = 0; n < 4; ++n) in_frame[n] = 0.5 * in_frame[n] - back * here.own[n];
    exchange_back(stage.turns, in_frame, out);
    for (int n = 0; n < 4; ++n) a[stage.coordinate + n] = out[n];
    if (lambda != nullptr) lambda[stage.row] = stage.extra * speed;
  }
};

}  // namespace in_frames
}  // namespace raak
