#include "methods/tangent.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace raak {
namespace {

// Largest |dependent velocity| for a unit independent one, mass-weighted, at which the choice no longer serves.
constexpr double largest_ratio = 20.0;

class IndependentFrame final : public StageFrame {
 public:
  explicit IndependentFrame(const ConstrainedSystem& system)
      : system_(system),
        n_(system.coordinates()),
        m_(system.position_rows()),
        dependent_(static_cast<std::size_t>(m_)),
        is_dependent_(static_cast<std::size_t>(n_)),
        root_mass_(Vector::Ones(n_)),
        q_(Vector::Zero(n_)),
        v_(Vector::Zero(n_)),
        g_(Vector::Zero(m_)),
        M_(Matrix::Zero(n_, n_)),
        G_(Matrix::Zero(m_, n_)),
        pivots_(G_),
        GD_(Matrix::Zero(m_, m_)),
        lu_(m_) {}

  void begin(const State& start, Statistics& statistics) override {
    system_.mass(start.t, start.q, M_);
    for (int d = 0; d < n_; ++d) root_mass_[d] = std::sqrt(std::max(std::abs(M_(d, d)), 1e-300));
    choose(start, statistics);
  }
  bool restore_stages(const double* t, double* q, double* v) override {
    if (m_ == 0) return true;
    for (int lane = 0; lane < lanes; ++lane) {
      for (int d = 0; d < n_; ++d) {
        q_[d] = q[lanes * d + lane];
        v_[d] = v[lanes * d + lane];
      }
      factor(t[lane]);
      correct_position(t[lane]);
      correct_velocity(t[lane]);
      for (const int d : dependent_) {
        q[lanes * d + lane] = q_[d];
        v[lanes * d + lane] = v_[d];
      }
    }
    return true;
  }
  bool restore_end(double t, Vector& q, Vector& v) override {
    constexpr double small = 1e-8;
    constexpr int most = 8;
    if (m_ == 0) return true;
    q_ = q;
    v_ = v;
    double residual = 1.0;
    for (int iteration = 0; residual > small; ++iteration) {
      if (iteration == most) return false;
      factor(t);
      residual = correct_position(t);
      if (!std::isfinite(residual)) return false;
    }
    factor(t);
    correct_velocity(t);
    q = q_;
    v = v_;
    return q.allFinite() && v.allFinite();
  }
  void restrict_weights(double* weight) const override {
    for (const int d : dependent_) weight[d] = 0.0;
  }
  void after_step(const State& now, Statistics& statistics) override {
    if (m_ > 0 && ratio() > largest_ratio) choose(now, statistics);
  }

 private:
  // G at q_ and the factors of its dependent columns.
  void factor(double t) {
    system_.jacobian(t, q_, G_);
    for (int j = 0; j < m_; ++j) GD_.col(j) = G_.col(dependent_[static_cast<std::size_t>(j)]);
    lu_.compute(GD_);
  }
  double correct_position(double t) {
    system_.constraint(t, q_, g_);
    const double residual = g_.norm();
    solve();
    for (int j = 0; j < m_; ++j) q_[dependent_[static_cast<std::size_t>(j)]] -= g_[j];
    return residual;
  }
  void correct_velocity(double t) {
    system_.velocity_constraint(t, q_, v_, g_);
    solve();
    for (int j = 0; j < m_; ++j) v_[dependent_[static_cast<std::size_t>(j)]] -= g_[j];
  }
  void solve() { lu_.solve(g_); }
  double ratio() {
    double most = 0.0;
    for (int d = 0; d < n_; ++d) {
      if (is_dependent_[static_cast<std::size_t>(d)]) continue;
      g_ = G_.col(d);
      solve();
      for (int j = 0; j < m_; ++j)
        most = std::max(most, std::abs(g_[j]) * root_mass_[dependent_[static_cast<std::size_t>(j)]] / root_mass_[d]);
    }
    return most;
  }
  // Gauss elimination of G, its columns divided by sqrt(M_dd), with complete pivoting: the pivot columns depend.
  void choose(const State& at, Statistics& statistics) {
    std::fill(is_dependent_.begin(), is_dependent_.end(), false);
    if (m_ == 0) return;
    system_.jacobian(at.t, at.q, G_);
    ++statistics.jacobians;
    for (int d = 0; d < n_; ++d) pivots_.col(d) = G_.col(d) / root_mass_[d];
    for (int k = 0; k < m_; ++k) {
      int row = k;
      int column = 0;
      double largest = -1.0;
      for (int d = 0; d < n_; ++d)
        for (int i = k; i < m_ && !is_dependent_[static_cast<std::size_t>(d)]; ++i)
          if (std::abs(pivots_(i, d)) > largest) {
            largest = std::abs(pivots_(i, d));
            row = i;
            column = d;
          }
      pivots_.row(k).swap(pivots_.row(row));
      is_dependent_[static_cast<std::size_t>(column)] = true;
      dependent_[static_cast<std::size_t>(k)] = column;
      for (int i = k + 1; i < m_; ++i) {
        const double factor = pivots_(i, column) / pivots_(k, column);
        pivots_.row(i) -= factor * pivots_.row(k);
      }
    }
  }

  // Elimination with row pivoting that keeps its storage.
  struct Factors {
    explicit Factors(int m) : lu(Matrix::Zero(m, m)), row(static_cast<std::size_t>(m)) {}
    void compute(const Matrix& A) {
      lu = A;
      const auto m = static_cast<int>(lu.rows());
      for (int k = 0; k < m; ++k) {
        int p = k;
        for (int i = k + 1; i < m; ++i)
          if (std::abs(lu(i, k)) > std::abs(lu(p, k))) p = i;
        row[static_cast<std::size_t>(k)] = p;
        for (int j = 0; j < m; ++j) std::swap(lu(k, j), lu(p, j));
        for (int i = k + 1; i < m; ++i) {
          lu(i, k) /= lu(k, k);
          for (int j = k + 1; j < m; ++j) lu(i, j) -= lu(i, k) * lu(k, j);
        }
      }
    }
    void solve(Vector& x) const {
      const auto m = static_cast<int>(lu.rows());
      for (int k = 0; k < m; ++k) std::swap(x[k], x[row[static_cast<std::size_t>(k)]]);
      for (int k = 0; k < m; ++k)
        for (int i = k + 1; i < m; ++i) x[i] -= lu(i, k) * x[k];
      for (int k = m - 1; k >= 0; --k) {
        x[k] /= lu(k, k);
        for (int i = 0; i < k; ++i) x[i] -= lu(i, k) * x[k];
      }
    }
    Matrix lu;
    std::vector<int> row;
  };

  const ConstrainedSystem& system_;
  int n_, m_;
  std::vector<int> dependent_;
  std::vector<bool> is_dependent_;
  Vector root_mass_, q_, v_, g_;
  Matrix M_, G_, pivots_, GD_;
  Factors lu_;
};

}  // namespace

std::unique_ptr<Integrator> make_tangent(const ConstrainedSystem& system, const std::string& form,
                                         const Tolerances& tolerances) {
  if (system.velocity_rows() > 0)
    throw Error(ErrorKind::request,
                "method \"tangent\" needs constraints on positions only, the system has velocity constraints; try svd");
  auto frame = std::make_unique<IndependentFrame>(system);
  if (pays_order_sixteen(tolerances)) return std::make_unique<Gauss<8>>(system, form, tolerances, std::move(frame));
  return std::make_unique<Gauss<4>>(system, form, tolerances, std::move(frame));
}

}  // namespace raak
