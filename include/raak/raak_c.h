/* Raak for C and whatever calls C: opaque handles, a status from every call that can fail, no exceptions.
 *
 *   raak_model* model;
 *   if (raak_load("andrews.toml", &model)) fprintf(stderr, "%s\n", raak_last_message());
 *
 * Link with -lraak (pkg-config raak). A handle belongs to whoever got it, until it is freed. Threads: as the C++
 * library; the last message is that of the calling thread. Mechanisms are described as the text of a model file:
 * raak_parse. */
#ifndef RAAK_C_H
#define RAAK_C_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define RAAK_C_API __attribute__((visibility("default")))

typedef struct raak_model raak_model;
typedef struct raak_result raak_result;
typedef struct raak_stepper raak_stepper;

/* The exit codes of the command. */
typedef enum raak_status {
  RAAK_OK = 0,
  RAAK_MODEL_ERROR = 1,       /* wrong in a model file: raak_last_line, raak_last_column */
  RAAK_REQUEST_ERROR = 2,     /* a name, a value or a call that does not fit */
  RAAK_COMPUTATION_ERROR = 3, /* no assembly, or a run that stopped: raak_last_time, raak_last_advice */
  RAAK_INTERNAL_ERROR = 70
} raak_status;

/* Of the last call of this thread that failed; "" if none did. */
RAAK_C_API const char* raak_last_message(void);
RAAK_C_API const char* raak_last_advice(void);
RAAK_C_API int raak_last_line(void); /* from 1; 0: none */
RAAK_C_API int raak_last_column(void);
RAAK_C_API double raak_last_time(void); /* s; nan: none */
/* "0.1.0" */
RAAK_C_API const char* raak_version(void);

RAAK_C_API raak_status raak_load(const char* path, raak_model** model);
RAAK_C_API raak_status raak_parse(const char* text, raak_model** model);
RAAK_C_API raak_status raak_problem(const char* name, raak_model** model);
RAAK_C_API raak_status raak_model_copy(const raak_model* model, raak_model** copy);
RAAK_C_API void raak_model_free(raak_model* model); /* NULL: nothing */

RAAK_C_API raak_status raak_get(const raak_model* model, const char* parameter, double* value);
/* The old values stay where it fails. */
RAAK_C_API raak_status raak_set(raak_model* model, const char* parameter, double value);
RAAK_C_API raak_status raak_set_all(raak_model* model, size_t count, const char* const* parameters,
                                    const double* values);
RAAK_C_API raak_status raak_set_choice(raak_model* model, const char* parameter, const char* choice);

/* What is not given is that of the model's run: raak_options_init leaves everything so (numbers nan, the rest NULL). */
typedef struct raak_options {
  double until, rtol, atol;
  double every, step, h0; /* s */
  const char *method, *form, *run;
  const double* at; /* times of samples, s */
  size_t at_count;
  int end_only; /* 1: one sample, at the end, and no measures of quality */
} raak_options;
RAAK_C_API void raak_options_init(raak_options* options);

/* options: NULL: all as the model says. A run that stopped on its way still gives what there is until then, beside the
 * error; *result is NULL where there is nothing. */
RAAK_C_API raak_status raak_run(const raak_model* model, const raak_options* options, raak_result** result);
RAAK_C_API void raak_result_free(raak_result* result);

RAAK_C_API size_t raak_samples(const raak_result* result);
RAAK_C_API size_t raak_column_count(const raak_result* result);
RAAK_C_API const char* raak_column_name(const raak_result* result, size_t i); /* NULL: there is none */
/* raak_samples() numbers, which live as long as the result. name: "t", a coordinate, an output, an energy, .. */
RAAK_C_API raak_status raak_column(const raak_result* result, const char* name, const double** values);
RAAK_C_API raak_status raak_at(const raak_result* result, double t, const char* name, double* value);
RAAK_C_API raak_status raak_end(const raak_result* result, const char* name, double* value);
/* Texts live as long as the result, until the next call of the same function. */
RAAK_C_API raak_status raak_brief(raak_result* result, const char** text);
RAAK_C_API raak_status raak_json(raak_result* result, const char** text);
RAAK_C_API raak_status raak_report(const raak_result* result, const char* path);

/* Step by step; the model must live as long. *going becomes 0 when there is no step left. */
RAAK_C_API raak_status raak_stepper_new(const raak_model* model, const raak_options* options, raak_stepper** stepper);
RAAK_C_API raak_status raak_step(raak_stepper* stepper, int* going);
RAAK_C_API double raak_stepper_time(const raak_stepper* stepper);
RAAK_C_API raak_status raak_stepper_value(const raak_stepper* stepper, const char* name, double* value);
/* Inside the last step. */
RAAK_C_API raak_status raak_stepper_at(const raak_stepper* stepper, double t, const char* name, double* value);
RAAK_C_API void raak_stepper_free(raak_stepper* stepper);

#ifdef __cplusplus
}
#endif

#endif
