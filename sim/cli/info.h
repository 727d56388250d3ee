/* What gcnsim info has found out about a code object while it says so, as text (info_text.c) or as JSON. */
#ifndef GCNSIM_CLI_INFO_H
#define GCNSIM_CLI_INFO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/api/gcnsim.h"

/* The profiles of a processor, looked for once: a file may hold very many kernels. */
struct profiles {
    const char *processor;
    struct gcnsim_profile_info *list;
    size_t count;
};

/* What is shown. A failure of the host ends the command, but only when the rest is printed: it is no fact about the
 * file.
 */
struct shown {
    const struct gcnsim_code *code;
    struct gcnsim_code_info info;
    struct profiles profiles;
    uint32_t only; /* this kernel alone; UINT32_MAX: all */
    int status;
};

/* Work-items of the workgroups that occupancies are shown for. */
uint32_t info_occupancy_items(const struct gcnsim_kernel_info *k);
/* Whether the kernel fits a profile, or else why not: a reason in *error, or a failure of the host. */
bool info_occupancy(struct shown *s, uint32_t kernel, const char *profile, uint32_t items, struct gcnsim_occupancy *occ,
                    struct gcnsim_error *error);

void info_text(struct shown *s);

#endif
