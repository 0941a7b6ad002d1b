// An error of a model file with its place as data, for those who lead a reader there by other means than text.
#pragma once
#include <string>
#include <utility>

#include "base/text/place.h"

namespace raak {

class PlacedError : public Error {
 public:
  PlacedError(Place place, const std::string& message)
      : Error(ErrorKind::model_file, place.text() + ": " + message), place_(std::move(place)), message_(message) {}
  const Place& place() const { return place_; }
  const std::string& message() const { return message_; }

 private:
  Place place_;
  std::string message_;
};

}  // namespace raak
