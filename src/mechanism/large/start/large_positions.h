// Positions of many bodies that satisfy every row: Gauss-Newton steps, shortest in the metric of M, shortened until the
// residual falls (Nocedal and Wright, Numerical Optimization, 2nd ed., 10.3).
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "mechanism/large/evaluation.h"

namespace raak {

constexpr double closed_gap = 1e-10;  // of the scale of its row

// Rows that hold trusted values, by reported names.
std::vector<TrustedRow> trusted_rows(const std::vector<std::string>& names, const Vector& values,
                                     const std::vector<std::string>& trusted, bool velocity);
// The evaluation with these rows too; itself, kept by nobody, where there are none.
std::shared_ptr<const LargeEvaluation> with_rows(const MaximalFormulas& formulas, const LargeEvaluation& evaluation,
                                                 const std::vector<TrustedRow>& rows);

// What gaps of the position rows are compared with, those of trusted values after those of the mechanism: its length,
// or 1 rad.
Vector scales_of_rows(const MaximalFormulas& formulas, const std::vector<TrustedRow>& trusted);
// How large positions are beside the length of the mechanism, at least 1.
double size_of_positions(const Instance& instance, const Vector& q);

// The norm of the position rows, which `gaps` receives.
double gap_at(const LargeEvaluation& evaluation, double t, const Vector& q, Vector& gaps);
// False where the rows stay open; `gaps` is what is left. `scales` are those of the rows.
bool close_positions(const LargeEvaluation& evaluation, const Vector& scales, double t, Vector& q, Vector& gaps);

}  // namespace raak
