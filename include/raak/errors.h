// What can go wrong, by who can mend it. All of it derives from raak::Error.
#pragma once
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "raak/export.h"

namespace raak_v0 {

class Result;

class RAAK_API Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
  ~Error() override;
};

// A name, a value or a call that does not fit: what would have done is in the message.
class RAAK_API RequestError : public Error {
 public:
  using Error::Error;
  ~RequestError() override;
};

// Wrong in a model file or a mechanism built in code.
class RAAK_API ModelError : public Error {
 public:
  ModelError(const std::string& message, std::string file, int line, int column);
  ~ModelError() override;
  const std::string& file() const { return file_; }  // empty: built in code
  int line() const { return line_; }                 // from 1; 0: the file as a whole
  int column() const { return column_; }

 private:
  std::string file_;
  int line_, column_;
};

// A joint, driver, equation or given value, and what it lacks.
struct OpenJoint {
  std::string name;
  double gap = 0.0;
  std::string unit;  // "m", "rad", "m/s", "rad/s"; empty: it has none
};

// The mechanism cannot be put together, or has no start.
class RAAK_API AssemblyError : public Error {
 public:
  AssemblyError(const std::string& message, std::string advice, std::vector<OpenJoint> open = {});
  ~AssemblyError() override;
  const std::string& advice() const { return advice_; }         // what to try; may be empty
  const std::vector<OpenJoint>& open() const { return open_; }  // what does not close, the largest gap first

 private:
  std::string advice_;
  std::vector<OpenJoint> open_;
};

// The run did not reach its end.
class RAAK_API SolveError : public Error {
 public:
  SolveError(const std::string& message, double time, std::string cause, std::string advice,
             std::shared_ptr<const Result> partial);
  ~SolveError() override;
  double time() const { return time_; }                     // s: where it stopped
  const std::string& cause() const { return cause_; }       // a word: "singular_pose", "blow_up", ..
  const std::string& advice() const { return advice_; }     // what to try; may be empty
  const Result* partial() const { return partial_.get(); }  // what there is until then; null: nothing

 private:
  double time_;
  std::string cause_, advice_;
  std::shared_ptr<const Result> partial_;
};

}  // namespace raak_v0
