/* The language runtime's own copy kernels, done by the host.
 *
 * libamdhip64 fills and copies memory with kernels of its own, __amd_rocclr_*, which it compiles when a device is
 * opened. They are recognised by their name and by the names, sizes and places of their arguments, as they are in
 * ROCclr 5.2 to 7.2 (blit_layout.h); what a dispatch does then follows from its arguments and its grid. A dispatch is
 * left to the simulator when that is not certain: another layout, arguments with which these runtimes do not start the
 * kernel, source and destination that overlap, memory that is not in one allocation (the kernel then faults as it would
 * on the device). Kernels for images, for device-side queues and heaps are never recognised.
 */
#ifndef GCNSIM_HSA_BLIT_H
#define GCNSIM_HSA_BLIT_H

#include <stdbool.h>
#include <stdint.h>

struct dispatch; /* dispatch.h */

/* Does the work of a dispatch, if its kernel was recognised, all of it is understood, and it writes at most so many
 * bytes; *ns is then the simulated time that it takes: that of a copy. False: nothing was done. */
bool blit_run(const struct dispatch *d, uint64_t most_bytes, uint64_t *ns);

#endif
