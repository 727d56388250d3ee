/* Frames of instructions in the page of a run: each function, file and frame once. A frame is a function and a place in
 * it, and the frame that it was inlined into: its parent. */
#ifndef GCNSIM_REPORT_HTML_FRAMES_H
#define GCNSIM_REPORT_HTML_FRAMES_H

#include "sim/report/report.h"

#define HTML_NONE UINT32_MAX

struct html_slots {
    uint32_t *slot;
    size_t room; /* entries; there are twice as many slots */
    bool fresh;
};

struct html_names {
    const char **name;
    size_t count;
    struct html_slots slots;
};

struct html_frame {
    uint32_t function, file, line, parent; /* HTML_NONE: unknown; parent: there is none */
};

/* All zero: empty. Names are the report's. */
struct html_frames {
    struct html_names functions, files;
    struct html_frame *frame;
    size_t count;
    struct html_slots slots;
};

/* The index of a name, new or not; HTML_NONE of null, or without memory. */
uint32_t html_name(struct html_names *n, const char *text);
/* The index of the innermost frame of a stack; HTML_NONE of an empty one, or without memory. */
uint32_t html_frame(struct html_frames *t, const struct report_frame *frame, uint32_t frames);
void html_frames_free(struct html_frames *t);

/* As members of an object. sources: with the texts of the files that can be read. */
void html_put_frames(struct json_put *j, const struct html_frames *t, bool sources);

#endif
