#include "kinematics/start/start_failure.h"

#include <cctype>
#include <utility>

namespace raak {
namespace {

std::string sentence_of(std::string words) {
  if (!words.empty()) words.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(words.front())));
  return words;
}

}  // namespace

StartFailure::StartFailure(Cause cause, const std::string& finding, const std::string& advice,
                           std::vector<OpenJoint> open)
    : Error(ErrorKind::computation, advice.empty() ? finding : finding + ". " + sentence_of(advice)),
      cause_(cause),
      finding_(finding),
      advice_(advice),
      open_(std::move(open)) {}

}  // namespace raak
