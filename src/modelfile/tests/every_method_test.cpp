// Every method runs on mechanisms of many bodies, with matrices that are sparse or without any.
#include <gtest/gtest.h>

#include "methods/method.h"
#include "modelfile/tests/test_support.h"
#include "run/integrate.h"
#include "system/sparse_equations.h"

namespace raak {
namespace {

TEST(ManyBodies, MoveAlikeByEveryMethod) {
  constexpr int rods = 210;  // more coordinates than dense matrices are made for
  const Model model = model_of(damped_chain(rods), Coordinates::automatic);
  ASSERT_FALSE(model.system->has_dense_matrices());
  const State start = consistent_start(model);
  Plan plan;
  plan.until = 0.05;
  plan.method = "gauss";
  plan.tolerances = Tolerances::uniform(1e-9, 1e-9);
  const Result exact = integrate(*model.system, start, plan);
  ASSERT_EQ(exact.termination, Termination::ok) << exact.message;
  plan.tolerances = Tolerances::uniform(1e-4, 1e-4);
  for (const MethodInfo& method : method_catalogue())
    for (const Form form : method.forms) {
      plan.method = method.name;
      plan.form = form;
      const Result result = integrate(*model.system, start, plan);
      ASSERT_EQ(result.termination, Termination::ok) << method.name << " " << name_of(form) << ": " << result.message;
      EXPECT_LE((result.end.q - exact.end.q).cwiseAbs().maxCoeff(), 2e-3) << method.name << " " << name_of(form);
      // A method that another stands in for says so.
      const bool is_itself = method.name == "auto" || result.method == method.name;
      EXPECT_EQ(result.warnings().empty(), is_itself) << method.name << " " << name_of(form);
    }
}

TEST(ManyBodies, HaveTheSameMatricesInDenseAndInSparseForm) {
  const Model model = model_of(damped_chain(25), Coordinates::maximal);
  State x = consistent_start(model);
  for (Eigen::Index i = 0; i < x.v.size(); ++i) x.v[i] = 0.1 * static_cast<double>(i % 5);
  x.lambda.setOnes();
  const ConstrainedSystem& system = *model.system;
  const SparseEquations* const sparse = SparseEquations::worthwhile(system);
  ASSERT_NE(sparse, nullptr);
  const int n = system.coordinates();
  const int m = system.rows();
  Matrix A(n, n), B(n, n), G(m, n);
  SparseMatrix a, b;
  system.mass(x.t, x.q, A);
  sparse->sparse_mass(x.t, x.q, a);
  EXPECT_EQ(Matrix(a), A);
  system.jacobian(x.t, x.q, G);
  sparse->sparse_jacobian(x.t, x.q, a);
  EXPECT_EQ(Matrix(a), G);
  system.force_derivatives(x.t, x.q, x.v, A, B);
  sparse->sparse_force_derivatives(x.t, x.q, x.v, a, b);
  EXPECT_EQ(Matrix(a), A);
  EXPECT_EQ(Matrix(b), B);
  EXPECT_GT(B.norm(), 0.0);
  system.inertia_stiffness(x, A);
  sparse->sparse_inertia_stiffness(x, a);
  EXPECT_EQ(Matrix(a), A);
  EXPECT_GT(A.norm(), 0.0);
}

}  // namespace
}  // namespace raak
