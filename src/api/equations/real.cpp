// raak::Real is the recording scalar of the inside under a name of its own: the same two members, so that formulas of
// users need no header of ours.
#include "api/equations/real.h"

#include <raak/equations.h>
#include <raak/errors.h>

#include <bit>
#include <type_traits>

#include "base/tape/tape.h"

namespace raak_v0 {

using core::Recorded;
using detail::inside;
using detail::outside;

static_assert(sizeof(Real) == sizeof(Recorded) && std::is_trivially_copyable_v<Real> &&
              std::is_trivially_copyable_v<Recorded>);

namespace detail {

thread_local int recordings = 0;

Recorded inside(const Real& x) {
  return std::bit_cast<Recorded>(x);
}
Real outside(const Recorded& x) {
  return std::bit_cast<Real>(x);
}

}  // namespace detail

Real::Real(double value) {
  if (detail::recordings == 0)
    throw RequestError("raak::Real is for the formulas of equations, while they are recorded; use double elsewhere");
  *this = outside(Recorded(value));
}

Real operator+(const Real& a, const Real& b) {
  return outside(inside(a) + inside(b));
}
Real operator-(const Real& a, const Real& b) {
  return outside(inside(a) - inside(b));
}
Real operator*(const Real& a, const Real& b) {
  return outside(inside(a) * inside(b));
}
Real operator/(const Real& a, const Real& b) {
  return outside(inside(a) / inside(b));
}
Real operator-(const Real& a) {
  return outside(-inside(a));
}
Real sqrt(const Real& a) {
  return outside(sqrt(inside(a)));
}
Real abs(const Real& a) {
  return outside(abs(inside(a)));
}
Real min(const Real& a, const Real& b) {
  return outside(min(inside(a), inside(b)));
}
Real max(const Real& a, const Real& b) {
  return outside(-min(-inside(a), -inside(b)));
}
Real sin(const Real& a) {
  return outside(sin(inside(a)));
}
Real cos(const Real& a) {
  return outside(cos(inside(a)));
}
Real tan(const Real& a) {
  return outside(tan(inside(a)));
}
Real tanh(const Real& a) {
  return outside(tanh(inside(a)));
}
Real exp(const Real& a) {
  return outside(exp(inside(a)));
}
Real log(const Real& a) {
  return outside(log(inside(a)));
}
Real pow(const Real& a, double p) {
  return outside(pow(inside(a), p));
}
Real atan2(const Real& y, const Real& x) {
  return outside(atan2(inside(y), inside(x)));
}

}  // namespace raak_v0
