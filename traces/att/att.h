/* AMD's thread trace: the folder that ROCprof Compute Viewer opens, as rocprofv3 --att writes it.
 *
 * In the job's folder come ui_output_agent_AGENT_dispatch_N/ and stats_ui_output_agent_AGENT_dispatch_N.csv. The folder
 * has a file more than rocprofv3's, gcnsim.json: what was traced, and what was left out. A folder of that name is
 * replaced when it has such a file, and an error otherwise.
 *
 *   wave.c     instructions, states and waits of a wave       code.c     functions, lines, statistics
 *   att.c      which waves, and the files about all of them   sources.c  source files     states.c  wave states
 *
 * Which waves: those of the chosen CUs (WGPs on gfx10 and later), by default the first of each shader engine that gets
 * a wave, as hardware traces one; of these the first so many that start. Occupancy is that of the whole chip.
 */
#ifndef GCNSIM_TRACES_ATT_ATT_H
#define GCNSIM_TRACES_ATT_ATT_H

#include "traces/writer.h"

#define ATT_MARK "gcnsim.json"

#define ATT_MAX_WAVES        4096    /* unless the choice says otherwise */
#define ATT_MAX_INSTRUCTIONS 4000000 /* executed ones, of all waves */
#define ATT_MAX_OCCUPANCY    4000000 /* starts and ends of waves */

extern const struct trace_writer trace_att;

/* The folder of a job, to be freed; null: out of host memory. */
char *att_folder(const struct trace_job *job);

#endif
