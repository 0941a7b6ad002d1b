/* Beside a run, for C: the digits that a model delivers, what they cost by each method, what is unusual about it, and
 * many runs with varied numbers. As raak_c.h. Texts of rows and lists live as long as their handle. */
#ifndef RAAK_C_STUDY_H
#define RAAK_C_STUDY_H

#include <raak/raak_c.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct raak_checks raak_checks;
typedef struct raak_benches raak_benches;
typedef struct raak_explanation raak_explanation;
typedef struct raak_sweep raak_sweep;

/* ---- One run beside one reference of the model: raak check. Numbers that there are not are nan. */

typedef struct raak_check_row {
  const char *run, *method, *form, *reference;
  const char* message; /* why it does not pass or was skipped */
  double rtol;
  double scd, mescd, scd_published, mescd_published;
  double largest_difference;                   /* of |found - reference| / max(1, |reference|) */
  double position_residual, velocity_residual; /* SI */
  double energy_drift;                         /* J */
  double required;                             /* scd */
  double tolerance;                            /* of largest_difference; 0: digits are judged */
  int pass, skipped;
} raak_check_row;

/* Of the options run, method, form, rtol and atol count. */
RAAK_C_API raak_status raak_check(const raak_model* model, const raak_options* options, raak_checks** checks);
RAAK_C_API size_t raak_check_count(const raak_checks* checks);
RAAK_C_API raak_status raak_check_get(const raak_checks* checks, size_t i, raak_check_row* row);
RAAK_C_API void raak_checks_free(raak_checks* checks);

/* ---- One method on one form at one tolerance: raak bench. */

typedef struct raak_bench_row {
  const char *model, *run, *method, *form;
  const char* status;    /* "ok", "failed", "refused" (never started) or "interrupted" */
  const char* message;   /* why, when it is not ok */
  const char* reference; /* what digits are counted against, if the model brings no reference */
  double rtol, atol;
  double scd, mescd;   /* correct digits; nan: none */
  double energy_drift; /* J */
  raak_statistics work;
  double cpu_us, cpu_us_min; /* median and minimum of the repeats; 0: not timed */
} raak_bench_row;

/* methods, forms, rtol: with counts of 0, all methods, the form of the run and 1e-4 to 1e-10, two a decade. */
typedef struct raak_bench_options {
  const char *const *methods, *const *forms;
  const double* rtol;
  size_t method_count, form_count, rtol_count;
  const char* run; /* NULL: the first */
  double until;    /* s; nan: that of the run */
} raak_bench_options;
RAAK_C_API void raak_bench_options_init(raak_bench_options* options);

RAAK_C_API raak_status raak_bench(const raak_model* model, const raak_bench_options* options, raak_benches** benches);
RAAK_C_API size_t raak_bench_count(const raak_benches* benches);
RAAK_C_API raak_status raak_bench_get(const raak_benches* benches, size_t i, raak_bench_row* row);
RAAK_C_API void raak_benches_free(raak_benches* benches);

/* ---- What raak explain says. Of the options run, method, form, rtol, until, trust and guess count. */

RAAK_C_API raak_status raak_explain(const raak_model* model, const raak_options* options, raak_explanation** found);
RAAK_C_API const char* raak_explanation_cause(const raak_explanation* found);   /* "none", "singular pose", .. */
RAAK_C_API const char* raak_explanation_finding(const raak_explanation* found); /* in words, with numbers */
RAAK_C_API const char* raak_explanation_advice(const raak_explanation* found);  /* ""; or one thing to try */
RAAK_C_API const char* raak_explanation_text(const raak_explanation* found);    /* all of it, for people */
RAAK_C_API const char* raak_explanation_json(const raak_explanation* found);    /* all of it, for programs */
RAAK_C_API void raak_explanation_free(raak_explanation* found);

/* ---- Many runs: raak sweep. */

/* raak_sweep_options_init leaves all as the command has it: in memory, by as many threads as the machine has. */
typedef struct raak_sweep_options {
  const char* folder;          /* as `raak sweep --out`; NULL: in memory */
  int resume;                  /* 1: go on with what is in the folder */
  int exact;                   /* 1: each case is built anew */
  unsigned threads;            /* 0: as many as the machine has */
  unsigned long shard, shards; /* from 1 */
  /* With how many cases the sweep, or the shard, has. */
  void (*begins)(void* data, unsigned long cases);
  /* Called by any thread, perhaps by several at once; 0: stop, with what is done by then. */
  int (*case_done)(void* data, int failed);
  /* A damaged block, that is computed again. */
  void (*warning)(void* data, const char* text);
  void* data;
} raak_sweep_options;
RAAK_C_API void raak_sweep_options_init(raak_sweep_options* options);

/* Of a plan file. options: NULL: as the command has it. */
RAAK_C_API raak_status raak_sweep_plan(const char* plan, const raak_sweep_options* options, raak_sweep** sweep);
/* Of a model with its parameters as they are now. plan: the text of a plan without format, model and [set]; table: the
 * text of the table of cases of design "table", or NULL. */
RAAK_C_API raak_status raak_sweep_model(const raak_model* model, const char* plan, const char* table,
                                        const raak_sweep_options* options, raak_sweep** sweep);
/* What is done of the sweep in a folder. */
RAAK_C_API raak_status raak_sweep_load(const char* folder, raak_sweep** sweep);
RAAK_C_API void raak_sweep_free(raak_sweep* sweep);

RAAK_C_API size_t raak_sweep_planned(const raak_sweep* sweep);               /* cases */
RAAK_C_API size_t raak_sweep_done(const raak_sweep* sweep);                  /* of them */
RAAK_C_API size_t raak_sweep_case_number(const raak_sweep* sweep, size_t i); /* of the i-th that is done */
/* First what is varied, then what is kept. A column has a number of each case that is done, or of a trajectory as many
 * as its width, case by case; nan where a case failed. It lives as long as the sweep. */
RAAK_C_API size_t raak_sweep_varied_count(const raak_sweep* sweep);
RAAK_C_API size_t raak_sweep_column_count(const raak_sweep* sweep);
RAAK_C_API const char* raak_sweep_column_name(const raak_sweep* sweep, size_t i);
RAAK_C_API const char* raak_sweep_column_unit(const raak_sweep* sweep, size_t i);
RAAK_C_API size_t raak_sweep_column_width(const raak_sweep* sweep, size_t i);
RAAK_C_API raak_status raak_sweep_column(const raak_sweep* sweep, const char* name, const double** values);
RAAK_C_API size_t raak_sweep_time_count(const raak_sweep* sweep); /* of trajectories */
RAAK_C_API double raak_sweep_time(const raak_sweep* sweep, size_t i);
/* Of a grid how many values each name has; else one number: how many cases. */
RAAK_C_API size_t raak_sweep_shape_count(const raak_sweep* sweep);
RAAK_C_API size_t raak_sweep_shape(const raak_sweep* sweep, size_t i);
/* Of the i-th case that is done: 0 ok, else 1 + its place among the causes. */
RAAK_C_API size_t raak_sweep_outcome(const raak_sweep* sweep, size_t i);
RAAK_C_API size_t raak_sweep_cause_count(const raak_sweep* sweep);
RAAK_C_API const char* raak_sweep_cause(const raak_sweep* sweep, size_t i);
RAAK_C_API const char* raak_sweep_cause_message(const raak_sweep* sweep, size_t i); /* of the first of them */
RAAK_C_API size_t raak_sweep_cause_cases(const raak_sweep* sweep, size_t i);
RAAK_C_API size_t raak_sweep_cause_first(const raak_sweep* sweep, size_t i); /* number of the first case */

/* summary.json, and the text of the plan; until the next call of the same function. */
RAAK_C_API raak_status raak_sweep_summary(raak_sweep* sweep, const char** text);
RAAK_C_API raak_status raak_sweep_plan_text(raak_sweep* sweep, const char** text);
/* sweep.html as one file; the table by the ending of its name: csv, npz, h5 or json; and the plan as a file, with the
 * model beside it. */
RAAK_C_API raak_status raak_sweep_page(const raak_sweep* sweep, const char* path);
RAAK_C_API raak_status raak_sweep_table(const raak_sweep* sweep, const char* path);
RAAK_C_API raak_status raak_sweep_save(const raak_sweep* sweep, const char* path);
/* A case once more with all that a run gives; as raak_run. */
RAAK_C_API raak_status raak_sweep_run(const raak_sweep* sweep, size_t number, raak_result** result);

#ifdef __cplusplus
}
#endif

#endif
