#include "base/linear/block_elimination.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <random>

#include "base/linear/block_kernels.h"
#include "base/linear/index.h"

namespace raak {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// Rows in blocks of 1 to 7 over "bodies" of three columns; blocks that share a body are neighbours in S = J J'.
struct Graph {
  std::vector<int> rows, first;
  std::vector<std::vector<int>> bodies, neighbours;
  MatrixXd J;

  explicit Graph(unsigned seed) {
    constexpr int blocks = 30, chunks = 60, width = 6;
    std::mt19937 random(seed);
    const auto pick = [&](int below) { return static_cast<int>(random() % static_cast<unsigned>(below)); };
    int total = 0;
    for (int i = 0; i < blocks; ++i) {
      rows.push_back(1 + pick(7));
      first.push_back(total);
      total += rows.back();
      bodies.push_back({2 * i, 2 * i + 1, pick(chunks), pick(chunks)});  // two of its own, so that rows are independent
    }
    J = MatrixXd::Zero(total, chunks * width);
    std::uniform_real_distribution<double> value(-1.0, 1.0);
    for (int i = 0; i < blocks; ++i)
      for (const int b : bodies[z(i)])
        for (int r = 0; r < rows[z(i)]; ++r)
          for (int c = 0; c < width; ++c) J(first[z(i)] + r, width * b + c) = value(random);
    neighbours.resize(z(blocks));
    for (int i = 0; i < blocks; ++i)
      for (int j = 0; j < blocks; ++j) {
        const auto& theirs = bodies[z(j)];
        const bool share = std::any_of(bodies[z(i)].begin(), bodies[z(i)].end(), [&](int b) {
          return std::find(theirs.begin(), theirs.end(), b) != theirs.end();
        });
        if (i != j && share) neighbours[z(i)].push_back(j);
      }
  }
  MatrixXd complement() const { return J * J.transpose(); }
};

// A matrix and a right-hand side as a plan wants them.
template <class Number>
struct Memory {
  BlockPlan plan;
  std::vector<Number> fronts, blocks;

  Memory(const Graph& graph, const MatrixXd& S, const VectorXd& right)
      : plan(plan_elimination(graph.rows, graph.neighbours, std::vector<char>(graph.rows.size(), 0))) {
    int next = 0;
    for (int j = 0; j < plan.nodes(); ++j) {
      plan.front.push_back(next);
      next += front_size(plan.rows[z(j)]);
    }
    write_stream(plan);
    fronts.assign(z(next), Number(0.0));
    blocks.assign(z(plan.blocks_size), Number(0.0));
    for (int j = 0; j < plan.nodes(); ++j) {
      const int at = graph.first[z(plan.block_of[z(j)])];
      const int r = plan.rows[z(j)];
      Number* to = fronts.data() + plan.front[z(j)];
      for (int i = 0; i < r; ++i)
        for (int k = 0; k <= i; ++k) *to++ = Number(S(at + i, at + k));
      for (int i = 0; i < r; ++i) *to++ = Number(S(at + i, at + i));
      for (int i = 0; i < r; ++i) *to++ = Number(right[at + i]);
      for (int p = plan.first[z(j)]; p < plan.first[z(j) + 1]; ++p) {
        const int row = graph.first[z(plan.block_of[z(plan.target[z(p)])])];
        for (int i = 0; i < plan.rows[z(plan.target[z(p)])]; ++i)
          for (int k = 0; k < r; ++k) blocks[z(plan.block[z(p)] + i * r + k)] = Number(S(row + i, at + k));
      }
    }
  }
  Number* right_of(int j) {
    const int r = plan.rows[z(j)];
    return fronts.data() + plan.front[z(j)] + r * (r + 1) / 2 + r;
  }
  void go_back() {
    for (int j = plan.nodes() - 1; j >= 0; --j)
      backward_node(plan.stream.data() + plan.stream_at[z(j)], fronts.data(),
                    static_cast<const Number*>(blocks.data()));
  }
  Number eliminate_all() {
    Number largest(1.0);
    for (int j = 0; j < plan.nodes(); ++j)
      eliminate_node(plan.stream.data() + plan.stream_at[z(j)], fronts.data(), blocks.data(), largest);
    return largest;
  }
};

VectorXd solution(Memory<double>& memory, const Graph& graph) {
  VectorXd x(graph.J.rows());
  for (int j = 0; j < memory.plan.nodes(); ++j)
    for (int i = 0; i < memory.plan.rows[z(j)]; ++i)
      x[graph.first[z(memory.plan.block_of[z(j)])] + i] = memory.right_of(j)[i];
  return x;
}

TEST(BlockElimination, SolvesWhatADenseFactorizationSolves) {
  for (unsigned seed = 1; seed <= 5; ++seed) {
    const Graph graph(seed);
    const MatrixXd S = graph.complement();
    const VectorXd right = VectorXd::Random(S.rows());
    Memory<double> memory(graph, S, right);
    const double largest = memory.eliminate_all();
    memory.go_back();
    const VectorXd expected = S.llt().solve(right);
    EXPECT_LE((solution(memory, graph) - expected).norm(), 1e-10 * expected.norm());
    EXPECT_GE(largest, 1.0);
    EXPECT_LT(largest, 1e6);
  }
}

TEST(BlockElimination, KeepsItsFactorsForAnotherRightHandSide) {
  const Graph graph(7);
  const MatrixXd S = graph.complement();
  Memory<double> memory(graph, S, VectorXd::Random(S.rows()));
  memory.eliminate_all();
  const VectorXd right = VectorXd::LinSpaced(S.rows(), -1.0, 1.0);
  for (int j = 0; j < memory.plan.nodes(); ++j)
    for (int i = 0; i < memory.plan.rows[z(j)]; ++i)
      memory.right_of(j)[i] = right[graph.first[z(memory.plan.block_of[z(j)])] + i];
  for (int j = 0; j < memory.plan.nodes(); ++j) forward(memory.plan, j, memory.fronts.data(), memory.blocks.data());
  memory.go_back();
  const VectorXd expected = S.llt().solve(right);
  EXPECT_LE((solution(memory, graph) - expected).norm(), 1e-10 * expected.norm());
}

TEST(BlockElimination, GivesInEachLaneWhatItGivesForOneState) {
  const Graph graph(3);
  const MatrixXd S = graph.complement();
  const VectorXd right = VectorXd::Random(S.rows());
  Memory<double> one(graph, S, right);
  Memory<Pack> four(graph, S, right);
  one.eliminate_all();
  four.eliminate_all();
  one.go_back();
  four.go_back();
  for (int j = 0; j < one.plan.nodes(); ++j)
    for (int i = 0; i < one.plan.rows[z(j)]; ++i)
      for (int lane = 0; lane < lanes; ++lane)
        EXPECT_NEAR(four.right_of(j)[i][lane], one.right_of(j)[i], 1e-10 * (1.0 + std::abs(one.right_of(j)[i])));
}

TEST(BlockElimination, LeavesOutRowsThatDependOnOthersAndStillSolvesForThem) {
  Graph graph(5);
  // The last row of one block repeats a row of another.
  const int copied = graph.first[4];
  const int row = graph.first[20] + graph.rows[20] - 1;
  graph.J.row(row) = -2.0 * graph.J.row(copied);
  graph.neighbours.assign(graph.rows.size(), {});
  const MatrixXd S = graph.complement();
  for (int i = 0; i < static_cast<int>(graph.rows.size()); ++i)
    for (int j = 0; j < static_cast<int>(graph.rows.size()); ++j)
      if (i != j && !S.block(graph.first[z(i)], graph.first[z(j)], graph.rows[z(i)], graph.rows[z(j)]).isZero(0.0))
        graph.neighbours[z(i)].push_back(j);
  const VectorXd right = S * VectorXd::Random(S.rows());
  Memory<double> memory(graph, S, right);
  std::vector<SkippedRow> skipped;
  for (int j = 0; j < memory.plan.nodes(); ++j)
    eliminate_dependent(memory.plan, j, memory.fronts.data(), memory.blocks.data(), 1e-12, skipped);
  memory.go_back();
  ASSERT_EQ(skipped.size(), 1U);
  EXPECT_LE((S * solution(memory, graph) - right).norm(), 1e-9 * right.norm());
}

TEST(BlockElimination, PutsAnEarlyGroupBeforeAllThatItChanges) {
  const Graph graph(2);
  std::vector<char> early(graph.rows.size(), 0);
  early[7] = early[11] = 1;
  const BlockPlan plan = plan_elimination(graph.rows, graph.neighbours, early);
  for (const int block : {7, 11}) {
    EXPECT_FALSE(graph.neighbours[z(block)].empty());
    for (const int other : graph.neighbours[z(block)]) EXPECT_LT(plan.node_of[z(block)], plan.node_of[z(other)]);
  }
}

}  // namespace
}  // namespace raak
