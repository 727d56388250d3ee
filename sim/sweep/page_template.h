/* The page of a sweep as it is before its data is put into it: made of sim/sweep/html when gcnsim is built. */
#ifndef GCNSIM_SWEEP_PAGE_TEMPLATE_H
#define GCNSIM_SWEEP_PAGE_TEMPLATE_H

struct sweep_template {
    const char *before, *after; /* the data */
};
extern const struct sweep_template sweep_page_template;

#endif
