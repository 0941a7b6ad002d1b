// The part of a recorded formula that depends on numbers that may change, and on nothing else (live.h): it is taken out
// of the program, worked out at once, and again whenever the numbers change.
#pragma once
#include <memory>
#include <vector>

#include "base/code/program.h"

namespace raak {

class Interpreter;

class LivePart {
 public:
  LivePart(std::shared_ptr<LiveNumbers> numbers, std::vector<int> nodes, const Program& program, int results);
  ~LivePart();

  const std::shared_ptr<LiveNumbers>& numbers() const { return numbers_; }
  // With the numbers of now.
  const std::vector<double>& work_out();
  // Whether those that it was worked out with are no longer those of now.
  bool is_outdated() const;

 private:
  std::shared_ptr<LiveNumbers> numbers_;
  std::vector<int> nodes_;
  std::unique_ptr<Interpreter> interpreter_;
  std::vector<double> scratch_, inputs_, results_;
};

// Replaces what depends on live numbers alone by constants with their values of now.
std::shared_ptr<LivePart> take_live_part(const Tape& tape, std::vector<Instruction>& instructions);

}  // namespace raak
