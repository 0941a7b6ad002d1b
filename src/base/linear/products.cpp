#include "base/linear/products.h"

RAAK_PRODUCTS(template)
