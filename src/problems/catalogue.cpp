// A new benchmark problem is one file and one line here.
#include "problems/catalogue.h"

#include "problems/andrews.h"
#include "problems/car_axis.h"
#include "problems/pendulum.h"
#include "problems/slider_crank/slider_crank.h"

namespace raak {

const std::vector<ModelSource>& problem_catalogue() {
  static const std::vector<ModelSource> catalogue{
      pendulum(), andrews(), andrews_iftomm(), car_axis(), slider_crank(),
  };
  return catalogue;
}

}  // namespace raak
