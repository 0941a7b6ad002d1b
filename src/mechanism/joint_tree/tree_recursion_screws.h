// Velocities, forces and articulated inertias [J H; H' M] in the axes of a frame, about its origin, in lanes; for the
// sweeps of tree_recursion.h alone, which compile them for the widest lanes.
#pragma once
#include "base/pack.h"

namespace raak {
namespace in_frames {

using Lane = Pack::Native;

// Where an entry of a symmetric matrix is among xx, yy, zz, xy, xz, yz.
constexpr int at(int i, int j) {
  return i == j ? i : i + j + 2;
}

// Turning and sliding, or moment and force.
struct Screw {
  Lane turn[3], slide[3];
};
struct Articulated {
  Lane J[6], H[3][3], M[6];
};

RAAK_INLINE Lane both(double x) {
  return Lane{x, x, x, x};
}
RAAK_INLINE void clear(Screw& a) {
  for (int i = 0; i < 3; ++i) a.turn[i] = a.slide[i] = Lane{};
}
RAAK_INLINE void clear(Articulated& A) {
  for (int i = 0; i < 6; ++i) A.J[i] = A.M[i] = Lane{};
  for (auto& row : A.H)
    for (Lane& entry : row) entry = Lane{};
}
template <int k>
constexpr int i_of = (k + 1) % 3;
template <int k>
constexpr int j_of = (k + 2) % 3;

// Into a frame that is turned about axis k, and back.
template <int k>
RAAK_INLINE void turn_in(Lane s, Lane c, Lane* a) {
  const Lane x = a[i_of<k>], y = a[j_of<k>];
  a[i_of<k>] = c * x + s * y;
  a[j_of<k>] = c * y - s * x;
}
template <int k>
RAAK_INLINE void turn_back(Lane s, Lane c, Lane* a) {
  turn_in<k>(-s, c, a);
}
// A velocity, or an acceleration, at a point that lies `by` along axis k.
template <int k>
RAAK_INLINE void move_in(Lane by, Screw& a) {
  a.slide[i_of<k>] += by * a.turn[j_of<k>];
  a.slide[j_of<k>] -= by * a.turn[i_of<k>];
}
template <int k>
RAAK_INLINE void move_back(Lane by, Screw& a) {
  a.turn[j_of<k>] += by * a.slide[i_of<k>];
  a.turn[i_of<k>] -= by * a.slide[j_of<k>];
}

// Of a symmetric matrix; `given_way`: nothing is left along the axis.
template <int k, bool given_way>
RAAK_INLINE void turn_matrix_back(Lane s, Lane c, Lane* A) {
  constexpr int i = i_of<k>, j = j_of<k>;
  const Lane xx = A[i], yy = A[j], xy = A[at(i, j)];
  const Lane product = s * c, share = s * s, difference = yy - xx;
  const Lane change = share * difference - 2.0 * (product * xy);
  A[i] = xx + change;
  A[j] = yy - change;
  A[at(i, j)] = xy - 2.0 * (share * xy) - product * difference;
  if constexpr (!given_way) {
    const Lane xz = A[at(i, k)], yz = A[at(j, k)];
    A[at(i, k)] = c * xz - s * yz;
    A[at(j, k)] = s * xz + c * yz;
  }
}
template <int k, bool given_way>
RAAK_INLINE void turn_back(Lane s, Lane c, Articulated& A) {
  constexpr int i = i_of<k>, j = j_of<k>;
  turn_matrix_back<k, given_way>(s, c, A.J);
  turn_matrix_back<k, false>(s, c, A.M);
  turn_back<k>(s, c, A.H[i]);
  turn_back<k>(s, c, A.H[j]);
  if constexpr (!given_way) turn_back<k>(s, c, A.H[k]);
  for (int n = 0; n < 3; ++n) {
    const Lane x = A.H[i][n], y = A.H[j][n];
    A.H[i][n] = c * x - s * y;
    A.H[j][n] = s * x + c * y;
  }
}
template <int k>
RAAK_INLINE void move_back(Lane by, Articulated& A) {
  constexpr int i = i_of<k>, j = j_of<k>;
  auto& H = A.H;
  const Lane before_ij = H[i][j], before_ji = H[j][i], before_jj = H[j][j];
  for (int n = 0; n < 3; ++n) {
    H[i][n] -= by * A.M[at(j, n)];
    H[j][n] += by * A.M[at(i, n)];
  }
  A.J[at(k, i)] -= by * H[k][j];
  A.J[at(k, j)] += by * H[k][i];
  A.J[i] -= by * (before_ij + H[i][j]);
  A.J[j] += by * (before_ji + H[j][i]);
  A.J[at(i, j)] += by * (H[i][i] - before_jj);
}

// A freedom of the unit screw with turning `turn` and sliding `slide` along axis k, either 0, 1 or a lead.
struct Freedom {
  Lane U1[3], U2[3], inverse, u;
};
template <int k, bool turns, bool slides>
RAAK_INLINE void take_out(Lane lead, Lane applied, Articulated& A, Screw& p, Freedom& out) {
  for (int n = 0; n < 3; ++n) {
    if constexpr (turns) {
      out.U1[n] = A.J[at(k, n)];
      out.U2[n] = A.H[k][n];
      if constexpr (slides) {
        out.U1[n] += lead * A.H[n][k];
        out.U2[n] += lead * A.M[at(k, n)];
      }
    } else {
      out.U1[n] = A.H[n][k];
      out.U2[n] = A.M[at(k, n)];
    }
  }
  Lane D, own;
  if constexpr (turns && slides) D = out.U1[k] + lead * out.U2[k], own = p.turn[k] + lead * p.slide[k];
  else if constexpr (turns) D = out.U1[k], own = p.turn[k];
  else D = out.U2[k], own = p.slide[k];
  out.inverse = 1.0 / D;
  out.u = applied - own;
  Lane K1[3], K2[3];
  for (int n = 0; n < 3; ++n) {
    K1[n] = out.inverse * out.U1[n];
    K2[n] = out.inverse * out.U2[n];
    p.turn[n] += K1[n] * out.u;
    p.slide[n] += K2[n] * out.u;
  }
  // Nothing is left along an axis that turns alone.
  constexpr int gone = turns && !slides ? k : -1;
  for (int n = 0; n < 3; ++n) {
    for (int m = n; m < 3; ++m) {
      if (n == gone || m == gone) A.J[at(n, m)] = Lane{};
      else A.J[at(n, m)] -= K1[n] * out.U1[m];
      A.M[at(n, m)] -= K2[n] * out.U2[m];
    }
    for (int m = 0; m < 3; ++m) {
      if (n == gone) A.H[n][m] = Lane{};
      else A.H[n][m] -= K1[n] * out.U2[m];
    }
  }
}
RAAK_INLINE Lane rate_of(const Freedom& of, const Screw& a) {
  Lane sum = of.u;
  for (int n = 0; n < 3; ++n) sum -= of.U1[n] * a.turn[n] + of.U2[n] * a.slide[n];
  return of.inverse * sum;
}
// Forces of accelerations across axis k, which gives way, and of any.
template <int k, bool turns, bool slides>
RAAK_INLINE void add_times_across(const Articulated& A, const Screw& c, Screw& to) {
  constexpr int i = i_of<k>, j = j_of<k>, gone = turns && !slides ? k : -1;
  for (int n = 0; n < 3; ++n) {
    if (n != gone) to.turn[n] += A.H[n][i] * c.slide[i] + A.H[n][j] * c.slide[j];
    if (turns && n != gone) to.turn[n] += A.J[at(n, i)] * c.turn[i] + A.J[at(n, j)] * c.turn[j];
    to.slide[n] += A.M[at(n, i)] * c.slide[i] + A.M[at(n, j)] * c.slide[j];
    if (turns) to.slide[n] += A.H[i][n] * c.turn[i] + A.H[j][n] * c.turn[j];
  }
}
RAAK_INLINE void add_times(const Articulated& A, const Screw& c, Screw& to) {
  for (int n = 0; n < 3; ++n)
    for (int m = 0; m < 3; ++m) {
      to.turn[n] += A.J[at(n, m)] * c.turn[m] + A.H[n][m] * c.slide[m];
      to.slide[n] += A.H[m][n] * c.turn[m] + A.M[at(n, m)] * c.slide[m];
    }
}

// R a, R'a.
RAAK_INLINE void rotate(const Lane (&R)[3][3], Lane* a) {
  const Lane x = a[0], y = a[1], z = a[2];
  for (int n = 0; n < 3; ++n) a[n] = R[n][0] * x + R[n][1] * y + R[n][2] * z;
}
RAAK_INLINE void rotate_in(const Lane (&R)[3][3], Lane* a) {
  const Lane x = a[0], y = a[1], z = a[2];
  for (int n = 0; n < 3; ++n) a[n] = R[0][n] * x + R[1][n] * y + R[2][n] * z;
}
RAAK_INLINE void rotate(const Lane (&R)[3][3], Lane (&A)[3][3]) {
  for (auto& row : A) rotate(R, row);
  for (int m = 0; m < 3; ++m) {
    Lane column[3] = {A[0][m], A[1][m], A[2][m]};
    rotate(R, column);
    for (int n = 0; n < 3; ++n) A[n][m] = column[n];
  }
}
RAAK_INLINE void rotate_symmetric(const Lane (&R)[3][3], Lane* S) {
  Lane A[3][3];
  for (int n = 0; n < 3; ++n)
    for (int m = 0; m < 3; ++m) A[n][m] = S[at(n, m)];
  rotate(R, A);
  for (int n = 0; n < 3; ++n)
    for (int m = n; m < 3; ++m) S[at(n, m)] = A[n][m];
}
RAAK_INLINE void rotate(const Lane (&R)[3][3], Articulated& A) {
  rotate_symmetric(R, A.J);
  rotate_symmetric(R, A.M);
  rotate(R, A.H);
}
RAAK_INLINE void fill(const double (&from)[3][3], Lane (&R)[3][3]) {
  for (int n = 0; n < 3; ++n)
    for (int m = 0; m < 3; ++m) R[n][m] = both(from[n][m]);
}

}  // namespace in_frames
}  // namespace raak
