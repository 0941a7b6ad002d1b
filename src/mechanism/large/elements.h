// The elements of a mechanism for evaluations element by element: what each one is (kernels shared by all that have the
// same formulas, and its numbers), which bodies it meets and which rows of the constraints are its own.
#pragma once
#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

#include "base/pack.h"
#include "mechanism/formulas/maximal.h"
#include "mechanism/large/element_kernels.h"

namespace raak {

// Kernels and numbers; grows while mechanisms are assembled, then only read, but for numbers that change.
class ElementLibrary final : private FollowsLiveNumbers {
 public:
  ElementLibrary() = default;
  ~ElementLibrary();
  ElementLibrary(const ElementLibrary&) = delete;
  ElementLibrary& operator=(const ElementLibrary&) = delete;

  const RowKernels* rows(const ElementFormulas& recorded);
  const ForceKernels* forces(const ElementFormulas& recorded);
  const BodyKernels* bodies(const BodyKind& kind);
  const KernelsBySolve* pair(const RowKernels* row, const RowKernels* column, const std::vector<SharedBody>& shared);
  // Where these numbers are kept; equal ones are kept once.
  int keep(const std::vector<Live>& numbers);
  const Live& number(int place) const { return numbers_[static_cast<std::size_t>(place)]; }

  const double* kept(const double*) const { return plain_.data(); }
  const Pack* kept(const Pack*) const { return packs_.data(); }

 private:
  void follow() override;

  std::unordered_multimap<std::uint64_t, std::unique_ptr<RowKernels>> rows_;
  std::unordered_multimap<std::uint64_t, std::unique_ptr<ForceKernels>> forces_;
  std::map<const BodyKind*, std::unique_ptr<BodyKernels>> bodies_;
  struct PairKernels {
    std::unique_ptr<Kernel> all, of_positions;
    KernelsBySolve solve{};
  };
  std::map<std::tuple<const RowKernels*, const RowKernels*, std::vector<SharedBody>>, PairKernels> pairs_;
  std::unordered_multimap<std::uint64_t, std::pair<int, int>> known_;  // begin and length
  std::vector<Live> numbers_;
  std::vector<std::size_t> changing_;  // places of those that may change
  std::shared_ptr<LiveNumbers> live_;  // whose they are
  std::vector<double> plain_;
  std::vector<Pack> packs_;
};

// A body in an evaluation: its record in the work memory, its first coordinate, its numbers in the library.
struct BodyPlace {
  const BodyKernels* kernels = nullptr;
  int record = 0, first = 0, parameters = 0;
};
struct ElementPlace {
  std::vector<int> bodies;  // in the order in which its kernels know them
  int parameters = 0;
};
struct RowElement : ElementPlace {
  const RowKernels* kernels = nullptr;
  std::vector<int> rows;     // among the multipliers
  bool unit_length = false;  // of a quaternion
};
struct ForceElement : ElementPlace {
  const ForceKernels* kernels = nullptr;
  std::size_t force = 0;  // among those of the mechanism
};

struct Elements {
  std::shared_ptr<ElementLibrary> library;
  std::vector<RowElement> rows;
  std::vector<ForceElement> forces;
  int position_rows = 0, velocity_rows = 0;
};

// Those of the rows that the formulas keep.
Elements collect_elements(const MaximalFormulas& formulas, std::shared_ptr<ElementLibrary> library);
// Those of the mechanism with the given rows of the formulas (MaximalFormulas::holding).
Elements with_given(const MaximalFormulas& formulas, const Elements& elements);

}  // namespace raak
