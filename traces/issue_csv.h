/* A table of all issues, one row each: when, where, by which wave, and which instruction. */
#ifndef GCNSIM_TRACES_ISSUE_CSV_H
#define GCNSIM_TRACES_ISSUE_CSV_H

#include "traces/writer.h"

extern const struct trace_writer trace_issue_csv;

#endif
