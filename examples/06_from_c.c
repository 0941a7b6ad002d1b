/* Raak from C: a model file with a changed parameter, a column of its result, and a value between the samples.
 * Usage: 06_from_c four-bar.toml */
#include <raak/raak_c.h>
#include <stdio.h>

static int fail(void) {
  fprintf(stderr, "%s\n", raak_last_message());
  return 1;
}

int main(int argc, char** argv) {
  raak_model* model = NULL;
  raak_result* result = NULL;
  raak_options options;
  const double* torque;
  double between;

  if (raak_load(argc > 1 ? argv[1] : "four-bar.toml", &model)) return fail();
  if (raak_set(model, "Omega", 12.0)) return fail();

  raak_options_init(&options);
  options.until = 0.5;
  options.rtol = 1e-8;
  if (raak_run(model, &options, &result)) return fail();
  if (raak_column(result, "torque", &torque)) return fail();
  if (raak_at(result, 0.25, "rocker.angle", &between)) return fail();
  printf("%lu samples, the last torque %.9f N m, rocker at t = 0.25 s: %.12f rad\n",
         (unsigned long)raak_samples(result), torque[raak_samples(result) - 1], between);

  if (raak_set(model, "Omgea", 1.0) != RAAK_REQUEST_ERROR) return 1;
  printf("refused: %s\n", raak_last_message());
  raak_result_free(result);
  raak_model_free(model);
  return 0;
}
