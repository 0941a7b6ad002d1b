// The kernels of Eigen under products of vectors and matrices: compiled once, in products.cpp, and not by every file
// that multiplies (docs/decisions/0019).
#pragma once
#include <Eigen/Core>

namespace raak::product_kernels {

using Index = Eigen::Index;
template <int order>
using In = Eigen::internal::const_blas_data_mapper<double, Index, order>;
using Out = Eigen::internal::blas_data_mapper<double, Index, Eigen::ColMajor>;
using Sizes = Eigen::internal::gebp_traits<double, double>;

using Panels = Eigen::internal::gebp_kernel<double, double, Index, Out, Sizes::mr, Sizes::nr, false, false>;
template <int order>
using Left = Eigen::internal::gemm_pack_lhs<double, Index, In<order>, Sizes::mr, Sizes::LhsProgress,
                                            Sizes::LhsPacket4Packing, order>;
template <int order>
using Right = Eigen::internal::gemm_pack_rhs<double, Index, In<order>, Sizes::nr, order>;
template <int left, int right, int version>
using Column = Eigen::internal::general_matrix_vector_product<Index, double, In<left>, left, false, double, In<right>,
                                                              false, version>;

}  // namespace raak::product_kernels

#define RAAK_PRODUCTS(compiled)                                                                                        \
  compiled void raak::product_kernels::Panels::operator()(                                                             \
      const raak::product_kernels::Out&, const double*, const double*, Eigen::Index, Eigen::Index, Eigen::Index,       \
      double, Eigen::Index, Eigen::Index, Eigen::Index, Eigen::Index);                                                 \
  compiled void raak::product_kernels::Left<0>::operator()(double*, const raak::product_kernels::In<0>&, Eigen::Index, \
                                                           Eigen::Index, Eigen::Index, Eigen::Index);                  \
  compiled void raak::product_kernels::Left<1>::operator()(double*, const raak::product_kernels::In<1>&, Eigen::Index, \
                                                           Eigen::Index, Eigen::Index, Eigen::Index);                  \
  compiled void raak::product_kernels::Right<0>::operator()(double*, const raak::product_kernels::In<0>&,              \
                                                            Eigen::Index, Eigen::Index, Eigen::Index, Eigen::Index);   \
  RAAK_COLUMN(compiled, 0, 0, 0)                                                                                       \
  RAAK_COLUMN(compiled, 0, 1, 0) RAAK_COLUMN(compiled, 1, 0, 0) RAAK_COLUMN(compiled, 1, 1, 1)
#define RAAK_COLUMN(compiled, left, right, version)                                                                \
  compiled void raak::product_kernels::Column<left, right, version>::run(                                          \
      Eigen::Index, Eigen::Index, const raak::product_kernels::In<left>&, const raak::product_kernels::In<right>&, \
      double*, Eigen::Index, double);

RAAK_PRODUCTS(extern template)
