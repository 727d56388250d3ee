/* What the parts of the client share (client.c): checks, places, and a kernel that is loaded with its arguments. */
#ifndef TESTS_UNIT_API_RELEASED_CLIENT_H
#define TESTS_UNIT_API_RELEASED_CLIENT_H

#include <gcnsim.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern struct gcnsim_error error;
extern const char *samples, *folder;

#define CHECK(x)                                                                                                       \
    do {                                                                                                               \
        if (!(x)) {                                                                                                    \
            fprintf(stderr, "client.c:%d: %s: %s\n", __LINE__, #x, error.text);                                        \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)
#define OK(call) CHECK((call) == GCNSIM_OK)

/* A text of the library's, which is released: it has that part. */
#define text_with(text, part)                                                                                          \
    do {                                                                                                               \
        CHECK((text) && strstr(text, part));                                                                           \
        gcnsim_free(text);                                                                                             \
    } while (0)

/* The path of a file in a folder, good for three more calls. */
const char *in(const char *where, const char *name);
double stat_of(const struct gcnsim_result *r, const char *name);

struct loaded {
    struct gcnsim *sim;
    struct gcnsim_module *module;
    struct gcnsim_args *args;
    struct gcnsim_dispatch d;
};
/* The vector addition, on a profile with other figures. */
void load(struct loaded *l, const char *const sets[], size_t count);
void unload(struct loaded *l);

/* the parts: of client_launch.c, client_raw.c */
void launch_with_everything(void);
void endings(void);
void sequences(void);
void sampled(void);
void raw_launches(void);
void explanations(void);
void comparisons(void);
void differences(void);

#endif
