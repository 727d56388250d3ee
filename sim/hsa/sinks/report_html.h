/* Pages for browsers (GCNSIM_HTML): one for each dispatch that the timing engine has run, and one that lists all
 * dispatches of the process. The functions with "html_dispatch" and "html_end" are called under report.c's lock. */
#ifndef GCNSIM_HSA_REPORT_HTML_H
#define GCNSIM_HSA_REPORT_HTML_H

#include "sim/hsa/queues/dispatch.h"
#include "sim/hsa/sinks/report_sinks.h"

/* r->options.html: the folder, which is made when it is not there. */
bool html_open(const struct runtime *r, char *why, size_t why_size);
/* Asks a launch of the timing engine for what a page shows, if it is to have one. Any thread. */
void html_add(struct dispatch *d);
void html_dispatch(const struct dispatch_record *d, const struct report_kernel *k);
/* Writes the list as it is now. The name of its file; null: there is none. */
const char *html_end(void);

#endif
