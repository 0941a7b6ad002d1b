#include "system/recorded/partition/partition.h"

#include "base/linear/factors.h"

namespace raak {

Partition::Partition(const PivotPlan& plan) : plan_(plan) {
  for (const PivotPlan::Block& block : plan_.blocks)
    for (int k = 0; k < block.size; ++k) dependent_.push_back(block.column[static_cast<std::size_t>(k)]);
}

struct DensePartition::Scratch {
  Vector q, v, f, g, bias, x, p, a;
  Matrix G, GD, M, N, MN, reduced;
  Eigen::PartialPivLU<Matrix> lu;
  Eigen::LLT<Matrix> llt;

  Scratch(Eigen::Index n, Eigen::Index m)
      : q(n),
        v(n),
        f(n),
        g(m),
        bias(m),
        x(m),
        p(n),
        a(n),
        G(m, n),
        GD(m, m),
        M(n, n),
        N(n, n - m),
        MN(n, n - m),
        reduced(n - m, n - m),
        lu(m),
        llt(n - m) {}
};

DensePartition::DensePartition(const ConstrainedSystem& system, const PivotPlan& plan)
    : Partition(plan), system_(system), scratch_(std::make_unique<Scratch>(system.coordinates(), system.rows())) {}
DensePartition::~DensePartition() = default;

void DensePartition::evaluate(const double* t, const double* q, const double* v, const PartitionOutput& out) const {
  Scratch& s = *scratch_;
  const auto n = static_cast<int>(s.q.size());
  const auto m = static_cast<int>(s.g.size());
  const int freedoms = n - m;
  const auto column = [&](int k) { return dependent()[static_cast<std::size_t>(k)]; };
  const auto row = [](const PivotPlan::Block& block, int k) { return block.row[static_cast<std::size_t>(k)]; };
  for (int lane = 0; lane < lanes; ++lane) {
    const auto put = [&](double* to, int i, double x) { to[lanes * i + lane] = x; };
    s.v.setZero();
    for (int d = 0; d < n; ++d) s.q[d] = q[lanes * d + lane];
    for (const int d : independent()) s.v[d] = v[lanes * d + lane];
    system_.mass(t[lane], s.q, s.M);
    s.N.setZero();
    for (int j = 0; j < freedoms; ++j) s.N(independent()[static_cast<std::size_t>(j)], j) = 1.0;
    s.p.setZero();
    if (m > 0) {
      system_.jacobian(t[lane], s.q, s.G);
      for (int k = 0; k < m; ++k) s.GD.col(k) = s.G.col(column(k));
      s.lu.compute(s.GD);
      system_.constraint(t[lane], s.q, s.g);
      s.x = s.lu.solve(s.g);
      for (int k = 0; k < m; ++k) put(out.dependent, k, s.q[column(k)] - s.x[k]);
      system_.velocity_constraint(t[lane], s.q, s.v, s.g);
      s.x = s.lu.solve(s.g);
      for (int k = 0; k < m; ++k) put(out.dependent, m + k, s.v[column(k)] = -s.x[k]);
      for (int j = 0; j < freedoms; ++j) {
        s.g = s.G.col(independent()[static_cast<std::size_t>(j)]);
        s.x = s.lu.solve(s.g);
        for (int k = 0; k < m; ++k) put(out.dependent, 2 * m + k * freedoms + j, s.N(column(k), j) = -s.x[k]);
      }
      system_.acceleration_bias(t[lane], s.q, s.v, s.bias);
      s.x = s.lu.solve(s.bias);
      for (int k = 0; k < m; ++k) s.p[column(k)] = s.x[k];
    }
    system_.force(t[lane], s.q, s.v, s.f);
    s.a = s.p;
    if (freedoms > 0) {
      s.MN.noalias() = s.M * s.N;
      s.reduced.noalias() = s.N.transpose() * s.MN;
      s.llt.compute(s.reduced);
      s.f.noalias() -= s.M * s.p;
      s.a += s.N * s.llt.solve(s.N.transpose() * s.f);
    }
    for (int d = 0; d < n; ++d) put(out.a, d, s.a[d]);
    // Determinants of the blocks in the order of the plan, by eliminating as the plan does.
    for (std::size_t p = 0; p < plan().blocks.size(); ++p) {
      const PivotPlan::Block& block = plan().blocks[p];
      const int r = row(block, 0);
      const int x = block.column[0];
      const int l = block.size == 2 ? row(block, 1) : r;
      const int y = block.size == 2 ? block.column[1] : x;
      const double determinant = block.size == 2 ? s.G(r, x) * s.G(l, y) - s.G(r, y) * s.G(l, x) : s.G(r, x);
      put(out.determinants, static_cast<int>(p), determinant);
      for (std::size_t later = p + 1; later < plan().blocks.size(); ++later)
        for (int k = 0; k < plan().blocks[later].size; ++k) {
          const int i = row(plan().blocks[later], k);
          if (block.size == 1) {
            s.G.row(i) -= s.G(i, x) / determinant * s.G.row(r);
            continue;
          }
          const double first = (s.G(i, x) * s.G(l, y) - s.G(i, y) * s.G(l, x)) / determinant;
          const double second = (s.G(i, y) * s.G(r, x) - s.G(i, x) * s.G(r, y)) / determinant;
          s.G.row(i) -= first * s.G.row(r) + second * s.G.row(l);
        }
    }
  }
}

}  // namespace raak
