/* Messages of the runtime, and of functions that it does not offer. */
#ifndef GCNSIM_HSA_LOG_H
#define GCNSIM_HSA_LOG_H

#include <stdbool.h>

#include "sim/hsa/core/abi.h"

/* Where messages go: a file, which is appended to; null: standard error. */
void rt_log_open(const char *path);
/* Whether the file has taken all messages; says on standard error why not. */
bool rt_log_is_whole(void);
/* A text of several lines, perhaps in colours; and whether a terminal shows what is written there. */
void rt_log_text(const char *text);
bool rt_log_is_terminal(void);
/* One line on standard error or in the log file, prefixed by "gcnsim: ". */
void rt_log(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* A text in lines of at most 80 columns; those after the first begin with `indent`. */
void rt_log_wrapped(const char *indent, const char *text);
/* The same, once for each `what`, which is a text constant: a function that is not supported, say. */
void rt_log_once(const char *what, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* What the functions that are not supported return. */
hsa_status_t rt_refuse(const char *function, hsa_status_t status);

#endif
