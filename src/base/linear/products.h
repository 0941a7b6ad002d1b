// The kernels of Eigen under products of vectors and matrices: compiled once, in products.cpp, and not by every file
// that multiplies (docs/decisions/0019).
#pragma once
#include <Eigen/Core>

#ifndef RAAK_COMPILED
#define RAAK_COMPILED extern template
#endif

namespace raak::product_kernels {

using Index = Eigen::Index;
template <int order>
using In = Eigen::internal::const_blas_data_mapper<double, Index, order>;
using Out = Eigen::internal::blas_data_mapper<double, Index, Eigen::ColMajor>;
using Sizes = Eigen::internal::gebp_traits<double, double>;
using Packed = Sizes::LhsPacket4Packing;

}  // namespace raak::product_kernels

namespace Eigen::internal {

namespace kernels = raak::product_kernels;

RAAK_COMPILED struct gebp_kernel<double, double, Index, kernels::Out, kernels::Sizes::mr, kernels::Sizes::nr, false,
                                 false>;
RAAK_COMPILED struct gemm_pack_lhs<double, Index, kernels::In<0>, kernels::Sizes::mr, kernels::Sizes::LhsProgress,
                                   kernels::Packed, 0>;
RAAK_COMPILED struct gemm_pack_lhs<double, Index, kernels::In<1>, kernels::Sizes::mr, kernels::Sizes::LhsProgress,
                                   kernels::Packed, 1>;
RAAK_COMPILED struct gemm_pack_rhs<double, Index, kernels::In<0>, kernels::Sizes::nr, 0>;
RAAK_COMPILED struct general_matrix_vector_product<Index, double, kernels::In<0>, 0, false, double, kernels::In<0>,
                                                   false>;
RAAK_COMPILED struct general_matrix_vector_product<Index, double, kernels::In<0>, 0, false, double, kernels::In<1>,
                                                   false>;
RAAK_COMPILED struct general_matrix_vector_product<Index, double, kernels::In<1>, 1, false, double, kernels::In<0>,
                                                   false>;
RAAK_COMPILED struct general_matrix_vector_product<Index, double, kernels::In<1>, 1, false, double, kernels::In<1>,
                                                   false, 1>;

}  // namespace Eigen::internal
