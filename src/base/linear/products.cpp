#define RAAK_COMPILED template
#include "base/linear/products.h"
