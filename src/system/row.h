// A row of the constraints, one scalar equation, as people know it: whose it is, what it keeps together, in which unit,
// and what its residual says about the gap.
#pragma once
#include <string>
#include <utility>
#include <vector>

namespace raak {

// What the residual of a row says of the gap that it stands for: the gap itself, its sine, or (d^2 - l^2)/2l of a rod
// of length l whose ends are d apart.
struct GapReading {
  enum class Kind { itself, sine, rod };
  Kind kind = Kind::itself;
  double length = 0.0;  // of a rod
  double operator()(double residual) const;
  bool operator==(const GapReading&) const = default;
};
inline constexpr GapReading sine_of_gap{GapReading::Kind::sine};

struct Row {
  // A normalization, such as the unit length of a quaternion, holds by definition: nobody wrote it, so that nobody is
  // asked to mend it. A given row is a value of the start that is to hold, a row only while the start is sought.
  enum class Kind { joint, driver, equation, normalization, given };
  enum class Level { position, velocity };

  Row() = default;
  Row(const char* name) : owner(name) {}  // NOLINT(google-explicit-constructor): {"rod", "wall"} are two rows
  explicit Row(std::string name, std::string of_it = {}, std::string in = {}, Kind is = Kind::joint)
      : owner(std::move(name)), part(std::move(of_it)), unit(std::move(in)), kind(is) {}

  std::string owner;      // a joint, driver, equation, body or coordinate
  std::string part = {};  // of the owner: "x", "across"; empty where it has one row
  std::string unit = {};  // of the gap at the level of positions, "m" or "rad"; empty: unknown
  Kind kind = Kind::joint;
  Level level = Level::position;
  GapReading reading = {};

  // As messages and columns call it: "rail, across".
  std::string name() const { return part.empty() ? owner : owner + ", " + part; }
  bool holds_by_definition() const { return kind == Kind::normalization; }
  // A driver, an equation or a given value may ask for what the joints do not allow.
  bool may_be_wrong() const { return kind == Kind::driver || kind == Kind::equation || kind == Kind::given; }
  bool operator==(const Row&) const = default;
};

std::vector<std::string> names_of(const std::vector<Row>& rows);
// Places of the rows that hold by definition, of the others, and of those that may be wrong.
std::vector<int> normalization_rows(const std::vector<Row>& rows);
std::vector<int> other_rows(const std::vector<Row>& rows);
std::vector<int> doubtful_rows(const std::vector<Row>& rows);

}  // namespace raak
