/* The kernel trace and the counters as rocprofv3 of ROCm 7 writes them, so that what reads those reads these.
 *
 * A row is written whole with one call when its dispatch ends, so a killed program leaves the rows of all that ended.
 * Columns that a simulator does not know are 0: the stream, which exists in the language runtime alone, and the thread
 * that submitted (the process's id stands for it).
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/hsa/core/files.h"
#include "sim/hsa/queues/queue.h"
#include "sim/hsa/sinks/report_sinks.h"
#include "sim/util/csv_put.h"

#define LDS_BLOCK_BYTES 512u /* the unit that LDS_Block_Size is rounded up to */

static const char trace_header[] =
    "\"Kind\",\"Agent_Id\",\"Queue_Id\",\"Stream_Id\",\"Thread_Id\",\"Dispatch_Id\",\"Kernel_Id\",\"Kernel_Name\","
    "\"Correlation_Id\",\"Start_Timestamp\",\"End_Timestamp\",\"LDS_Block_Size\",\"Scratch_Size\",\"VGPR_Count\","
    "\"Accum_VGPR_Count\",\"SGPR_Count\",\"Workgroup_Size_X\",\"Workgroup_Size_Y\",\"Workgroup_Size_Z\","
    "\"Grid_Size_X\",\"Grid_Size_Y\",\"Grid_Size_Z\"\n";
static const char counter_header[] =
    "\"Correlation_Id\",\"Dispatch_Id\",\"Agent_Id\",\"Queue_Id\",\"Process_Id\",\"Thread_Id\",\"Grid_Size\","
    "\"Kernel_Id\",\"Kernel_Name\",\"Workgroup_Size\",\"LDS_Block_Size\",\"Scratch_Size\",\"VGPR_Count\","
    "\"Accum_VGPR_Count\",\"SGPR_Count\",\"Counter_Name\",\"Counter_Value\",\"Start_Timestamp\",\"End_Timestamp\"\n";

static const char statistics_header[] = "dispatch,kernel,name,unit,value\n";

/* For all dispatches: those in the folder; tables that are asked for by name. -1: none. */
static int trace_fd = -1, counter_fd = -1, statistics_fd = -1, amd_fd = -1;

static int create(const char *path, const char *what, const char *header, char *why, size_t n)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666);

    if (fd >= 0 && write(fd, header, strlen(header)) == (ssize_t)strlen(header))
        return fd;
    snprintf(why, n, "%s: %s cannot be written: %s", what, path, strerror(errno));
    if (fd >= 0)
        close(fd);
    return -1;
}

static int create_in(const char *folder, const char *name, const char *header, char *why, size_t n)
{
    char path[PATH_MAX];

    if (snprintf(path, sizeof path, "%s/%ld_%s.csv", folder, (long)getpid(), name) < (int)sizeof path)
        return create(path, "GCNSIM_CSV", header, why, n);
    snprintf(why, n, "GCNSIM_CSV: the name of the folder is too long");
    return -1;
}

static bool open_folder(const char *folder, char *why, size_t n)
{
    if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
        snprintf(why, n, "GCNSIM_CSV: the folder %s cannot be made: %s", folder, strerror(errno));
        return false;
    }
    trace_fd = create_in(folder, "kernel_trace", trace_header, why, n);
    if (trace_fd >= 0)
        counter_fd = create_in(folder, "counter_collection", counter_header, why, n);
    return counter_fd >= 0;
}

/* A table of its own. */
static bool open_table(int *fd, const char *name, const char *what, const char *header, char *why, size_t n)
{
    char *path = name ? files_name(name) : NULL;

    if (path)
        *fd = create(path, what, header, why, n);
    else if (name)
        snprintf(why, n, "%s: out of host memory", what);
    free(path);
    return !name || *fd >= 0;
}

bool csv_open(const struct exec_options *o, char *why, size_t n)
{
    return (!o->csv || open_folder(o->csv, why, n)) &&
           open_table(&statistics_fd, o->csv_statistics, "GCNSIM_CSV_STATISTICS", statistics_header, why, n) &&
           open_table(&amd_fd, o->csv_counters, "GCNSIM_CSV_COUNTERS", counter_header, why, n);
}

static void put_resources(FILE *f, const struct dispatch_record *d, const struct report_kernel *k)
{
    fprintf(f, "%u,%u,%u,%u,%u", (d->lds_bytes + LDS_BLOCK_BYTES - 1) / LDS_BLOCK_BYTES * LDS_BLOCK_BYTES,
            d->scratch_bytes, k->info.vgprs, k->info.agprs, k->info.sgprs);
}

static uint32_t queue_number(const struct dispatch_record *d)
{
    return d->queue ? d->queue->number : 0;
}

static void put_trace(FILE *f, const struct dispatch_record *d, const struct report_kernel *k)
{
    fprintf(f, "\"KERNEL_DISPATCH\",\"Agent %u\",%u,0,%ld,%" PRIu64 ",%" PRIu64 ",", d->agent->index, queue_number(d),
            (long)getpid(), d->number, k->id);
    csv_put_field(f, k->shown);
    fprintf(f, ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",", d->number, d->start_ns, d->end_ns);
    put_resources(f, d, k);
    fprintf(f, ",%u,%u,%u,%u,%u,%u\n", d->workgroup[0], d->workgroup[1], d->workgroup[2], d->grid[0], d->grid[1],
            d->grid[2]);
}

static uint64_t product(const uint32_t v[3])
{
    return (uint64_t)v[0] * v[1] * v[2];
}

static void put_counter(FILE *f, const struct dispatch_record *d, const struct report_kernel *k, const char *name,
                        double value)
{
    fprintf(f, "%" PRIu64 ",%" PRIu64 ",\"Agent %u\",%u,%ld,%ld,%" PRIu64 ",%" PRIu64 ",", d->number, d->number,
            d->agent->index, queue_number(d), (long)getpid(), (long)getpid(), product(d->grid), k->id);
    csv_put_field(f, k->shown);
    fprintf(f, ",%" PRIu64 ",", product(d->workgroup));
    put_resources(f, d, k);
    fprintf(f, value == (double)(int64_t)value ? ",\"%s\",%.0f," : ",\"%s\",%.9g,", name, value);
    fprintf(f, "%" PRIu64 ",%" PRIu64 "\n", d->start_ns, d->end_ns);
}

/* Counters of hardware. */
static void put_amd(FILE *f, const struct dispatch_record *d, const struct report_kernel *k)
{
    struct gcnsim_counter c;

    for (size_t j = 0; gcnsim_result_counter(d->result, j, &c) == GCNSIM_OK; j++)
        if (c.present)
            put_counter(f, d, k, c.name, c.value);
}

/* These, and all statistics under their own names. */
static void put_counters(FILE *f, const struct dispatch_record *d, const struct report_kernel *k)
{
    put_amd(f, d, k);
    for (size_t j = 0; j < d->result->stat_count; j++) {
        const struct gcnsim_stat *s = &d->result->stats[j];
        if (s->present)
            put_counter(f, d, k, s->name, s->value);
    }
}

static void put_statistics(FILE *f, const struct dispatch_record *d, const struct report_kernel *k)
{
    for (size_t j = 0; j < d->result->stat_count; j++) {
        const struct gcnsim_stat *s = &d->result->stats[j];

        if (!s->present)
            continue;
        fprintf(f, "%" PRIu64 ",", d->number);
        csv_put_field(f, k->shown);
        fprintf(f, s->value == (double)(int64_t)s->value ? ",%s,%s,%.0f\n" : ",%s,%s,%.9g\n", s->name, s->unit,
                s->value);
    }
}

static void append(int fd, const char *bytes, size_t size)
{
    while (size) {
        ssize_t w = write(fd, bytes, size);

        if (w < 0 && errno == EINTR)
            continue;
        if (w <= 0) {
            rt_log_once("csv", "GCNSIM_CSV: rows are lost: %s", strerror(errno));
            return;
        }
        bytes += w;
        size -= (size_t)w;
    }
}

static void write_rows(int fd, const struct dispatch_record *d, const struct report_kernel *k,
                       void (*put)(FILE *, const struct dispatch_record *, const struct report_kernel *))
{
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);

    if (!f) {
        rt_log_once("csv", "GCNSIM_CSV: rows are lost: out of host memory");
        return;
    }
    put(f, d, k);
    if (fclose(f) == 0)
        append(fd, text, size);
    free(text);
}

void csv_dispatch(const struct dispatch_record *d, const struct report_kernel *k)
{
    if (trace_fd >= 0)
        write_rows(trace_fd, d, k, put_trace);
    if (!d->result)
        return;
    if (counter_fd >= 0)
        write_rows(counter_fd, d, k, put_counters);
    if (statistics_fd >= 0)
        write_rows(statistics_fd, d, k, put_statistics);
    if (amd_fd >= 0)
        write_rows(amd_fd, d, k, put_amd);
}
