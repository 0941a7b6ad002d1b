/* Raak for C and whatever calls C: opaque handles, a status from every call that can fail, no exceptions.
 *
 *   raak_model* model;
 *   if (raak_load("andrews.toml", &model)) fprintf(stderr, "%s\n", raak_last_message());
 *
 * Link with -lraak (pkg-config raak). A handle belongs to whoever got it, until it is freed; of NULL nothing is freed.
 * Lists are counted, and begin at 0: what lies beyond is NULL, or nan. Threads: as the C++ library; the last error is
 * that of the calling thread, and what a call takes without const no other thread uses meanwhile. Mechanisms are
 * described as the text of a model file: raak_parse. Checks, costs, explanations and sweeps: raak_c_study.h. */
#ifndef RAAK_C_H
#define RAAK_C_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define RAAK_C_API __attribute__((visibility("default")))

typedef struct raak_model raak_model;
typedef struct raak_start raak_start;
typedef struct raak_result raak_result;
typedef struct raak_stepper raak_stepper;

/* The exit codes of the command. */
typedef enum raak_status {
  RAAK_OK = 0,
  RAAK_MODEL_ERROR = 1,       /* wrong in a model file: raak_last_file, raak_last_line, raak_last_column */
  RAAK_REQUEST_ERROR = 2,     /* a name, a value or a call that does not fit */
  RAAK_COMPUTATION_ERROR = 3, /* no assembly: raak_last_open; or a run that stopped: raak_last_time, raak_last_cause */
  RAAK_INTERNAL_ERROR = 70
} raak_status;

/* Of the last call of this thread that failed; "" if none did. */
RAAK_C_API const char* raak_last_message(void);
RAAK_C_API const char* raak_last_advice(void); /* what to try */
RAAK_C_API const char* raak_last_cause(void);  /* of a run that stopped, a word: "singular_pose", "blow_up", .. */
RAAK_C_API const char* raak_last_file(void);   /* "": none */
RAAK_C_API int raak_last_line(void);           /* from 1; 0: none */
RAAK_C_API int raak_last_column(void);
RAAK_C_API double raak_last_time(void); /* s; nan: none */
/* What does not close where there is no assembly, the largest gap first; its unit is "m", "rad", .. or "". */
RAAK_C_API size_t raak_last_open_count(void);
RAAK_C_API const char* raak_last_open_name(size_t i);
RAAK_C_API double raak_last_open_gap(size_t i);
RAAK_C_API const char* raak_last_open_unit(size_t i);
/* "0.1.0" */
RAAK_C_API const char* raak_version(void);

/* ---- Models */

RAAK_C_API raak_status raak_load(const char* path, raak_model** model);
RAAK_C_API raak_status raak_parse(const char* text, raak_model** model);
RAAK_C_API raak_status raak_problem(const char* name, raak_model** model);
RAAK_C_API raak_status raak_model_copy(const raak_model* model, raak_model** copy);
RAAK_C_API void raak_model_free(raak_model* model);

/* Names live as long as the model. */
RAAK_C_API const char* raak_model_name(const raak_model* model);
RAAK_C_API const char* raak_model_title(const raak_model* model);
RAAK_C_API size_t raak_run_count(const raak_model* model);
RAAK_C_API const char* raak_run_name(const raak_model* model, size_t i);
RAAK_C_API size_t raak_parameter_count(const raak_model* model);
RAAK_C_API const char* raak_parameter_name(const raak_model* model, size_t i);

RAAK_C_API raak_status raak_get(const raak_model* model, const char* parameter, double* value);
/* As it is written: a number, or the word of a choice. */
RAAK_C_API raak_status raak_get_text(raak_model* model, const char* parameter, const char** text);
/* The old values stay where it fails. Several at once: what lies between them need not be possible. */
RAAK_C_API raak_status raak_set(raak_model* model, const char* parameter, double value);
RAAK_C_API raak_status raak_set_all(raak_model* model, size_t count, const char* const* parameters,
                                    const double* values);
RAAK_C_API raak_status raak_set_choice(raak_model* model, const char* parameter, const char* choice);
/* Numbers and words of choices as texts: "4600", "nonlinear". */
RAAK_C_API raak_status raak_set_texts(raak_model* model, size_t count, const char* const* parameters,
                                      const char* const* values);
/* The model file with the values as they are set. folder: where it will lie, so that tables that it names are found
 * from there; NULL: the current one. */
RAAK_C_API raak_status raak_toml(raak_model* model, const char* folder, const char** text);
/* Texts of a model, a result, .. live as long as it, until the next call of the same function. */

/* ---- What is asked of a run */

typedef struct raak_setting {
  const char* name;
  double value;
} raak_setting;

/* Where a run is, after an accepted step. */
typedef struct raak_progress {
  double t, start, until; /* s */
  long steps;             /* accepted and rejected */
} raak_progress;

/* What is not given is that of the model's run: raak_options_init leaves everything so (numbers nan, the rest 0). */
typedef struct raak_options {
  double until, rtol, atol;
  double every, step, h0; /* s */
  const char *method, *form, *run;
  const double* at; /* times of samples, s */
  size_t at_count;
  int end_only; /* 1: one sample, at the end, and no measures of quality */
  /* Start values that hold, in place of those of the model, and others that select the branch. */
  const raak_setting *trust, *guess;
  size_t trust_count, guess_count;
  /* Called after each accepted step, by the thread that runs; 0: stop here, with the cause "interrupted". */
  int (*progress)(void* data, const raak_progress* at);
  void* progress_data;
} raak_options;
RAAK_C_API void raak_options_init(raak_options* options);

/* ---- A consistent start */

typedef struct raak_start_counts {
  int coordinates, rows; /* of what is solved for */
  int rank, mobility;    /* mobility: degrees of freedom that joints and drivers leave */
  int redundant_rows;    /* of the joints, that repeat others */
} raak_start_counts;

/* Of the options run, form, trust and guess count; NULL: as the model says. */
RAAK_C_API raak_status raak_assemble(const raak_model* model, const raak_options* options, raak_start** start);
RAAK_C_API void raak_start_free(raak_start* start);
RAAK_C_API raak_status raak_start_count(const raak_start* start, raak_start_counts* counts);
RAAK_C_API raak_status raak_start_value(const raak_start* start, const char* name, double* value);
RAAK_C_API size_t raak_redundant_count(const raak_start* start); /* the joints that share redundant rows */
RAAK_C_API const char* raak_redundant_name(const raak_start* start, size_t i);
RAAK_C_API size_t raak_note_count(const raak_start* start); /* anything unusual */
RAAK_C_API const char* raak_note(const raak_start* start, size_t i);

/* ---- Runs and their results */

/* options: NULL: all as the model says. A run that stopped on its way still gives what there is until then, beside the
 * error; *result is NULL where there is nothing. */
RAAK_C_API raak_status raak_run(const raak_model* model, const raak_options* options, raak_result** result);
RAAK_C_API void raak_result_free(raak_result* result);

RAAK_C_API size_t raak_samples(const raak_result* result);
RAAK_C_API size_t raak_column_count(const raak_result* result);
RAAK_C_API const char* raak_column_name(const raak_result* result, size_t i);
/* Where raak_column_name() has what raak_column() would find. */
RAAK_C_API raak_status raak_column_place(const raak_result* result, const char* name, size_t* place);
/* raak_samples() numbers, which live as long as the result. name: "t", a coordinate, an output, an energy, .. */
RAAK_C_API raak_status raak_column(const raak_result* result, const char* name, const double** values);
RAAK_C_API raak_status raak_at(const raak_result* result, double t, const char* name, double* value);
/* Every column at many times into room for raak_column_count() x count numbers, a column after the other. */
RAAK_C_API raak_status raak_at_times(const raak_result* result, size_t count, const double* times, double* values);
RAAK_C_API raak_status raak_begin(const raak_result* result, const char* name, double* value);
RAAK_C_API raak_status raak_end(const raak_result* result, const char* name, double* value);

typedef struct raak_statistics {
  long steps, accepted, rejected, evaluations, jacobians, factorizations;
  double cpu_seconds; /* of the integration alone */
} raak_statistics;
typedef struct raak_quality {
  double position_residual, velocity_residual; /* SI: maxima over the accepted steps */
  double energy_drift;                         /* J; nan where energy is not accounted for */
  double scd, mescd;                           /* correct digits; nan where the model has no reference */
} raak_quality;
RAAK_C_API raak_status raak_result_statistics(const raak_result* result, raak_statistics* statistics);
RAAK_C_API raak_status raak_result_quality(const raak_result* result, raak_quality* quality);
/* Live as long as the result. */
RAAK_C_API const char* raak_result_status(const raak_result* result);  /* "ok", "failed" or "interrupted" */
RAAK_C_API const char* raak_result_message(const raak_result* result); /* "" when all went well */
RAAK_C_API const char* raak_result_method(const raak_result* result);  /* that was used */
RAAK_C_API const char* raak_result_form(const raak_result* result);
RAAK_C_API size_t raak_event_count(const raak_result* result);
RAAK_C_API const char* raak_event_name(const raak_result* result, size_t i);
RAAK_C_API double raak_event_time(const raak_result* result, size_t i); /* s */
RAAK_C_API size_t raak_warning_count(const raak_result* result);        /* singular configurations, tolerances, .. */
RAAK_C_API const char* raak_warning(const raak_result* result, size_t i);

RAAK_C_API raak_status raak_brief(raak_result* result, const char** text);
RAAK_C_API raak_status raak_json(raak_result* result, const char** text);
RAAK_C_API raak_status raak_report(const raak_result* result, const char* path);
/* The folder of `raak run --out`. */
RAAK_C_API raak_status raak_save(const raak_result* result, const char* folder);

/* ---- Step by step; the model must live as long. *going becomes 0 when there is no step left. */

RAAK_C_API raak_status raak_stepper_new(const raak_model* model, const raak_options* options, raak_stepper** stepper);
RAAK_C_API raak_status raak_step(raak_stepper* stepper, int* going);
RAAK_C_API double raak_stepper_time(const raak_stepper* stepper);   /* s: where the last step ended */
RAAK_C_API double raak_stepper_before(const raak_stepper* stepper); /* s: where it began */
RAAK_C_API raak_status raak_stepper_value(const raak_stepper* stepper, const char* name, double* value);
/* Inside the last step. */
RAAK_C_API raak_status raak_stepper_at(const raak_stepper* stepper, double t, const char* name, double* value);
RAAK_C_API raak_status raak_stepper_statistics(const raak_stepper* stepper, raak_statistics* statistics);
RAAK_C_API void raak_stepper_free(raak_stepper* stepper);

#ifdef __cplusplus
}
#endif

#endif
