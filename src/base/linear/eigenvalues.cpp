#include "base/linear/eigenvalues.h"

RAAK_EIGENVALUES(template)
