/* Raak from C: a model file with changed parameters, its start, a run with a column, a value between the samples and
 * how good it is, and a sweep. Usage: 06_from_c four-bar.toml */
#include <raak/raak_c.h>
#include <raak/raak_c_study.h>
#include <stdio.h>

static int fail(void) {
  fprintf(stderr, "%s\n", raak_last_message());
  return 1;
}

int main(int argc, char** argv) {
  raak_model* model = NULL;
  raak_start* start = NULL;
  raak_result* result = NULL;
  raak_sweep* sweep = NULL;
  raak_options options;
  raak_start_counts counts;
  raak_quality quality;
  raak_setting guess;
  const char* text;
  const double *torque, *largest;
  double between;
  size_t i;

  if (raak_load(argc > 1 ? argv[1] : "four-bar.toml", &model)) return fail();
  if (raak_set(model, "Omega", 12.0)) return fail();
  for (i = 0; i < raak_parameter_count(model); ++i) {
    if (raak_get_text(model, raak_parameter_name(model, i), &text)) return fail();
    printf("%s = %s%s", raak_parameter_name(model, i), text, i + 1 < raak_parameter_count(model) ? ", " : "\n");
  }

  raak_options_init(&options);
  options.until = 0.5;
  options.rtol = 1e-8;
  guess.name = "rocker.angle"; /* which branch */
  guess.value = 1.5;
  options.guess = &guess;
  options.guess_count = 1;
  if (raak_assemble(model, &options, &start)) return fail();
  if (raak_start_count(start, &counts)) return fail();
  printf("%d coordinates, %d rows, rank %d, %d degrees of freedom\n", counts.coordinates, counts.rows, counts.rank,
         counts.mobility);

  if (raak_run(model, &options, &result)) return fail();
  if (raak_column(result, "torque", &torque)) return fail();
  if (raak_at(result, 0.25, "rocker.angle", &between)) return fail();
  if (raak_result_quality(result, &quality)) return fail();
  printf("%lu samples, the last torque %.9f N m, rocker at t = 0.25 s: %.12f rad\n",
         (unsigned long)raak_samples(result), torque[raak_samples(result) - 1], between);
  printf("constraints violated by at most %.0e m, %lu warnings\n", quality.position_residual,
         (unsigned long)raak_warning_count(result));

  if (raak_sweep_model(model, "[vary]\na = { from = 0.10, to = 0.12, count = 3 }\n[keep]\ntorque = [\"max\"]\n", NULL,
                       NULL, &sweep))
    return fail();
  if (raak_sweep_column(sweep, "torque.max", &largest)) return fail();
  for (i = 0; i < raak_sweep_done(sweep); ++i)
    printf("case %lu: at most %.6f N m\n", (unsigned long)raak_sweep_case_number(sweep, i), largest[i]);

  if (raak_set(model, "Omgea", 1.0) != RAAK_REQUEST_ERROR) return 1;
  printf("refused: %s\n", raak_last_message());
  raak_sweep_free(sweep);
  raak_result_free(result);
  raak_start_free(start);
  raak_model_free(model);
  return 0;
}
