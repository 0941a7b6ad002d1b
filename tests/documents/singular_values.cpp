// The matrix of the NAG routine F02WCF (E.M. Starmans, TU Eindhoven DCT 1987.010, Bijlage IV, section 13): its singular
// value decomposition A = Q D P', printed as the document prints it. The same class finds the tangent V_I of
// constraints in `svd`. Ends with 1 if a number differs from the printed one by more than its last digit.
#include <fmt/format.h>

#include "base/linear/svd.h"

namespace {

void print(const char* title, const raak::Matrix& matrix) {
  fmt::print("{}\n", title);
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
    for (Eigen::Index j = 0; j < matrix.cols(); ++j) fmt::print("{:9.3f}", matrix(i, j));
    fmt::print("\n");
  }
}

}  // namespace

int main() {
  const raak::Matrix A{{22.25, 31.75, -38.25, 65.50}, {20.00, 26.75, 28.50, -26.50}, {-15.25, 24.25, 27.75, 18.50},
                       {27.25, 10.00, 3.00, 2.00},    {-17.25, -30.75, 11.25, 7.50}, {17.25, 30.75, -11.25, -7.50}};
  const raak::Matrix printed_Q{{0.929, 0.143, 0.071, -0.143},  {-0.143, -0.714, 0.143, -0.286},
                               {0.071, -0.143, 0.929, 0.143},  {0.143, -0.286, -0.143, -0.714},
                               {-0.214, 0.429, 0.214, -0.429}, {0.214, -0.429, -0.214, 0.429}};
  const raak::Vector printed_values{{91.000, 68.250, 45.500, 22.750}};
  const raak::Matrix printed_P{{0.308, 0.462, -0.462, 0.692},
                               {-0.462, -0.692, -0.308, 0.462},
                               {-0.462, 0.308, 0.692, 0.462},
                               {-0.692, 0.462, -0.462, -0.308}};

  const raak::Svd svd(A);
  raak::Matrix Q = svd.left_vectors().leftCols(4);  // the first n of the m columns, as F02WCF returns them
  raak::Matrix P = svd.right_vectors().leftCols(4).transpose();
  for (Eigen::Index k = 0; k < 4; ++k) {  // a pair of vectors may change its sign: as in the document
    if (P.row(k).dot(printed_P.row(k)) > 0.0) continue;
    P.row(k) *= -1.0;
    Q.col(k) *= -1.0;
  }
  print("MATRIX A", A);
  print("MATRIX Q", Q);
  print("SINGULAR VALUES", svd.singular_values().transpose());
  print("MATRIX P**T", P);
  const double product = (Q * svd.singular_values().asDiagonal() * P - A).norm() / A.norm();
  fmt::print("Q D P' differs from A by {:.1e} |A|\n", product);
  const bool as_printed = (Q - printed_Q).cwiseAbs().maxCoeff() < 1e-3 &&
                          (P - printed_P).cwiseAbs().maxCoeff() < 1e-3 &&
                          (svd.singular_values() - printed_values).cwiseAbs().maxCoeff() < 1e-3;
  return as_printed && product < 1e-14 ? 0 : 1;
}
