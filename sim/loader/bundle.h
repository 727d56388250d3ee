/* Clang offload bundles: several code objects, one for each target, in one container.
 *
 * Two containers are read: the plain one ("__CLANG_OFFLOAD_BUNDLE__") and the compressed one ("CCOB", header versions
 * 1, 2 and 3, zstd or zlib). The .hip_fatbin section of a host executable holds one container after another, padded
 * with zeros, and is read the same way.
 *
 * Leaves out: checking the hash in a CCOB header (the size and the checks of zstd and zlib are used), and the text form
 * of bundles.
 *
 * Source: ClangOffloadBundler documentation and clang/lib/Driver/OffloadBundler.cpp's file layouts.
 */
#ifndef GCNSIM_LOADER_BUNDLE_H
#define GCNSIM_LOADER_BUNDLE_H

#include "sim/util/budget.h"
#include "sim/util/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What all compressed containers of a file may hold: a header may state any size, and all of it is decompressed, piece
 * by piece, to be checked. */
#define CO_MAX_UNCOMPRESSED_BYTES (UINT64_C(1) << 30)

bool co_is_bundle(const uint8_t *bytes, size_t size);

/* The code objects of a file: the entries of its bundles for amdgcn that are not empty, and ELF files that stand in it
 * without one, numbered from 0 in their order. */
struct co_bundle;

struct co_bundle_entry {
    char id[128];
    bool compressed, bare; /* bare: an ELF file in no bundle; id is made of its header */
    bool searched;         /* contents.c has found it by its first bytes */
    size_t container;      /* offset of its container in the file; bare: of itself */
    size_t member;         /* offset of the header of the archive's member that it is in; 0: none */
    uint64_t offset, size; /* in the container, or in the container's decompressed bytes; size > 0 */
};

/* A table without entries. Memory is counted in `budget` (null: not) and held until co_bundle_close(). */
int co_bundle_new(struct co_bundle **out, struct budget *budget, struct err *e);
void co_bundle_close(struct co_bundle *b); /* null is fine */

/* Fill it. `like` says where what is found stands: `searched`, `member`. The bytes, which are the file's, are looked at
 * in these calls alone. */

/* Reads the tables of the containers one after another in b[from..end). */
int co_bundle_read(struct co_bundle *es, const uint8_t *b, size_t from, size_t end, const struct co_bundle_entry *like,
                   struct err *e);
/* Reads that of the one container at `at`; *used is its length. When it is none, what it cost is added to *wasted, in
 * bytes read, and the table is as before. */
int co_bundle_try(struct co_bundle *es, const uint8_t *b, size_t at, size_t end, const struct co_bundle_entry *like,
                  size_t *used, uint64_t *wasted, struct err *e);
/* Adds the amdgcn ELF file b[at..at + size). */
int co_bundle_add(struct co_bundle *es, const uint8_t *b, size_t at, size_t size, const struct co_bundle_entry *like,
                  struct err *e);
/* Numbers the entries, for the calls below. */
int co_bundle_finish(struct co_bundle *b, struct err *e);

unsigned co_bundle_count(const struct co_bundle *b);
const struct co_bundle_entry *co_bundle_entry(const struct co_bundle *b, unsigned index); /* index < count */

/* Numbers of the code objects for `want_target` (see code_object_open), one of each container that has one: those that
 * a device of that target would be given. Where the target leaves a feature open and no entry does, xnack- goes before
 * xnack+ and sramecc+ before sramecc-, which devices have unless they are set up otherwise. A container that has the
 * same entry several times gives all of them. Null means any target as long as all code objects are for one processor.
 * The list is the bundle's, until the next call. Without any, the error lists the entries. */
int co_bundle_fit(struct co_bundle *b, const char *want_target, const unsigned **list, unsigned *count, struct err *e);

/* The error of a choice that is left open between the code objects of a list: they are listed with their numbers.
 * `how` they can be told apart: "by index". */
int co_bundle_ambiguous(const struct co_bundle *b, const char *want_target, const unsigned *list, unsigned count,
                        const char *how, struct err *e);

/* Whether the entry can serve want_target, well or not. An error says what it is for. */
int co_bundle_check(const struct co_bundle *b, unsigned index, const char *want_target, struct err *e);

/* The bytes of a compressed entry: *out is malloc'ed, c->size long, and that much is taken from the budget. */
int co_bundle_inflate(uint8_t **out, const struct co_bundle_entry *c, const uint8_t *bytes, size_t size,
                      struct budget *budget, struct err *e);

#endif
