/* Makes the seeds of the fuzz targets that read bytes no file of the repository holds as such, and packs corpora.
 *   gen_seeds decode DIR              every opcode of every target, as tests/golden/encodings.h walks them
 *   gen_seeds metadata DIR FILE...    the metadata notes of code objects
 *   gen_seeds loader DIR              objects with relocations of every type, of every version; one in a host program
 * and in other files gen_seeds path DIR                small code objects of every target, of instructions at random
 *   gen_seeds streams DIR             bytes that programs are drawn from
 *   gen_seeds unpack DIR FILE         the inputs of a corpus file (corpus.h), one file each
 *   gen_seeds pack DIR                the files of a folder as a corpus file on stdout, the smallest first
 * DIR is there, and empty but for pack.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#include "isa/isa.h"
#include "tests/fuzz/corpus.h"
#include "tests/fuzz/path_input.h"
#include "tests/fuzz/path_mutate.h"

enum { PATH_BYTES = 4096, PIECE_BYTES = 480, MAX_FILE = 1 << 20 };

static void write_seed(const char *dir, const char *name, unsigned number, const uint8_t *bytes, size_t size)
{
    char path[PATH_BYTES];

    snprintf(path, sizeof path, "%s/%s-%u", dir, name, number);
    FILE *f = fopen(path, "wb");
    if (!f || fwrite(bytes, 1, size, f) != size || fclose(f) != 0) {
        perror(path);
        exit(1);
    }
}

struct input {
    uint8_t *bytes;
    size_t size;
};

static struct input read_input(const char *path)
{
    struct input in = {malloc(CORPUS_MAX_INPUT), 0};
    FILE *f = fopen(path, "rb");

    if (!f || !in.bytes) {
        perror(path);
        exit(1);
    }
    in.size = fread(in.bytes, 1, CORPUS_MAX_INPUT, f);
    in.bytes = realloc(in.bytes, in.size ? in.size : 1);
    fclose(f);
    return in;
}

/* Pieces of twenty encodings, after the byte that picks the target (fuzz_decode.c). */
static void decode_seeds(const char *dir)
{
    uint8_t piece[1 + PIECE_BYTES], one[ENCODING_BYTES];

    for (unsigned at = 0; isa_target_name(at); at++) {
        unsigned number = 0;
        size_t size = 1;
        struct encodings g;

        piece[0] = (uint8_t)at;
        encodings_start(&g, isa_target_name(at), 1);
        do {
            unsigned n = encodings_walk(&g, one);
            if (size + n > sizeof piece) {
                write_seed(dir, isa_target_name(at), number++, piece, size);
                size = 1;
            }
            memcpy(piece + size, one, n);
            size += n;
        } while (g.at_format || g.at_opcode);
        write_seed(dir, isa_target_name(at), number, piece, size);
    }
}

static uint32_t word(const uint8_t *p)
{
    return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

/* The notes of an ELF file: name size, description size, type, "AMDGPU" padded to 8, description. */
static void metadata_seeds(const char *dir, const char *path, unsigned *number)
{
    enum { NT_AMDGPU_METADATA = 32, HEADER = 12, NAME = 8 };
    static uint8_t bytes[MAX_FILE];
    FILE *f = fopen(path, "rb");

    if (!f) {
        perror(path);
        exit(1);
    }
    size_t size = fread(bytes, 1, sizeof bytes, f);
    fclose(f);
    for (size_t at = 0; at + HEADER + NAME <= size; at += 4) {
        const uint8_t *note = bytes + at;
        if (word(note) == sizeof "AMDGPU" && word(note + 8) == NT_AMDGPU_METADATA &&
            memcmp(note + HEADER, "AMDGPU\0", NAME) == 0 && word(note + 4) <= size - at - HEADER - NAME)
            write_seed(dir, "note", (*number)++, note + HEADER + NAME, word(note + 4));
    }
}

/* For each target some kernels of a few instructions, in waves of 32 where there are such. */
static void path_seeds(const char *dir)
{
    enum { SEEDS = 3, INSTRUCTIONS = 24 };
    static uint8_t object[OBJECT_MAX_BYTES + PATH_TRAILER_BYTES];
    struct mutation m = {.rng = 1};

    for (unsigned at = 0; isa_target_name(at); at++) {
        const char *name = isa_target_name(at);
        const struct isa_target *isa = object_isa(name);
        for (unsigned number = 0; isa && number < SEEDS; number++) {
            uint8_t code[INSTRUCTIONS * ENCODING_BYTES], end[4];
            bool newer = isa_has(isa, FEAT_WAVE32);
            size_t n = 0;
            for (unsigned i = 0; i < INSTRUCTIONS - 1; i++)
                n += mutation_instruction(&m, isa, code + n);
            /* s_endpgm moved with gfx11 */
            memcpy(end, isa_has(isa, FEAT_M0_125) ? "\0\0\xb0\xbf" : "\0\0\x81\xbf", 4);
            memcpy(code + n, end, 4);
            n = object_build(object, name, newer && number % 2, code, n + 4);
            struct path_launch p = path_defaults();
            p.workgroup[0] = number ? 32 : 100;
            p.grid[0] = p.workgroup[0];
            p.flags = (uint16_t)(PATH_CHECK | (number == 2 ? PATH_RAW | PATH_TICK : 0));
            p.profile = 1;
            p.value_seed = number;
            memcpy(object + n, &p, sizeof p);
            write_seed(dir, name, number, object, n + sizeof p);
        }
    }
}

/* The bytes as one member of an archive. */
static size_t build_archive(uint8_t *out, const char *magic, const uint8_t *bytes, size_t size)
{
    int n = snprintf((char *)out, 128, "%s%-16s%-12s%-6s%-6s%-8s%-10zu`\n", magic, "a.o/", "0", "0", "0", "644", size);

    memcpy(out + n, bytes, size);
    return (size_t)n + size;
}

/* Objects in files of other kinds, and compressed; those of other OS ABIs, with what PAL's note and Mesa's section
 * hold. */
static void container_seeds(const char *dir, const uint8_t *object, size_t n)
{
    /* {"amdpal.pipelines": [{".hardware_stages": {".cs": {".entry_point": "k"}}, ".registers": {0x2e12: 0, 0x2e13:
     * 4}}]} */
    static const uint8_t pal[] = "\x81\xb0"
                                 "amdpal.pipelines\x91\x82\xb0"
                                 ".hardware_stages\x81\xa3.cs\x81\xac"
                                 ".entry_point\xa1k\xaa"
                                 ".registers\x82\xcd\x2e\x12\x00\xcd\x2e\x13\x04";
    static uint8_t out[2 * OBJECT_MAX_BYTES];
    struct object_view view;

    write_seed(dir, "archive", 0, out, build_archive(out, "!<arch>\n", object, n));
    write_seed(dir, "archive", 1, out, build_archive(out, "!<thin>\n", object, 0));
    memset(out, 'x', 100);
    memcpy(out + 100, object, n);
    write_seed(dir, "dump", 0, out, n + 100);
    z_stream z = {.next_in = (Bytef *)(uintptr_t)object, .avail_in = (uInt)n, .next_out = out, .avail_out = sizeof out};
    if (deflateInit2(&z, 6, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK &&
        deflate(&z, Z_FINISH) == Z_STREAM_END)
        write_seed(dir, "gzip", 0, out, z.total_out);
    deflateEnd(&z);
    write_seed(dir, "zstd", 0, out, ZSTD_compress(out, sizeof out, object, n, 3));
    memcpy(out, object, n);
    if (object_look(&view, out, n, 0))
        n = object_put_note(out, n, sizeof out, &view, pal, sizeof pal - 1);
    for (uint8_t os = 65; os <= 66; os++) {
        out[7] = os;
        out[8] = 0;
        memset(out + 49, 0, 1); /* flags that v4 has alone */
        write_seed(dir, "os", os, out, n);
    }
}

/* Relocations of every type in the code, plain and packed; code object versions; a program that holds an object. */
static void loader_seeds(const char *dir)
{
    enum { END = 0xbfb00000, TYPES = 16, TEXT = 0x1000 };
    static uint8_t object[OBJECT_MAX_BYTES], host[OBJECT_MAX_BYTES];
    uint8_t code[64], entry[3 * 8];
    size_t n;

    for (size_t i = 0; i < sizeof code; i += 4)
        memcpy(code + i, &(uint32_t){END}, 4);
    for (uint64_t type = 0; type < TYPES; type++) {
        uint64_t fields[3] = {TEXT + 8, UINT64_C(1) << 32 | type, 16};
        memcpy(entry, fields, sizeof entry);
        n = object_build(object, "gfx942", false, code, sizeof code);
        /* section 4 is the descriptor's: nothing reads it */
        n = object_put_relocs(object, n, sizeof object, 4, false, entry, sizeof entry);
        write_seed(dir, "reloc", (unsigned)type, object, n);
    }
    uint64_t packed[2] = {TEXT + 8, 7};
    memcpy(entry, packed, sizeof packed);
    n = object_build(object, "gfx942", false, code, sizeof code);
    n = object_put_relocs(object, n, sizeof object, 4, true, entry, sizeof packed);
    write_seed(dir, "packed", 0, object, n);
    n = object_build(object, "gfx906", false, code, sizeof code);
    for (uint8_t version = 1; version <= 4; version++) {
        object[8] = version;
        write_seed(dir, "version", version, object, n);
    }
    container_seeds(dir, object, n);
    for (unsigned i = 0; i < 2; i++) {
        struct input bundle =
            read_input(i ? "tests/fuzz/corpus/loader/bundle.ccob" : "tests/fuzz/corpus/loader/plain.bundle");
        n = object_build_host(host, sizeof host, bundle.bytes, bundle.size);
        write_seed(dir, "host", i, host, n);
        free(bundle.bytes);
    }
}

/* Any bytes make a program, and a generator goes on where they end (stream.h): these choose what it is about. */
static void stream_seeds(const char *dir)
{
    enum { SEEDS = 96, BYTES = 24 };
    uint64_t state = 1;

    for (unsigned number = 0; number < SEEDS; number++) {
        uint8_t bytes[BYTES];
        for (unsigned i = 0; i < BYTES; i++) {
            state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            bytes[i] = (uint8_t)(state >> 56);
        }
        write_seed(dir, "stream", number, bytes, sizeof bytes);
    }
}

/* ---- corpora ---- */

static void unpack_one(void *ctx, const uint8_t *bytes, size_t size, unsigned line)
{
    write_seed(ctx, "line", line, bytes, size);
}

static int unpack(char *dir, const char *path)
{
    FILE *f = fopen(path, "r");

    if (!f) {
        perror(path);
        return 1;
    }
    unsigned bad = corpus_read(f, unpack_one, dir);
    fclose(f);
    if (bad)
        fprintf(stderr, "%s:%u: not an input in hexadecimal\n", path, bad);
    return bad != 0;
}

static int by_size(const void *a, const void *b)
{
    const struct input *x = a, *y = b;

    return x->size != y->size ? (x->size < y->size ? -1 : 1) : memcmp(x->bytes, y->bytes, x->size);
}

static int pack(const char *dir)
{
    struct dirent **entries;
    int n = scandir(dir, &entries, NULL, NULL), count = 0;
    struct input *in = calloc(n > 0 ? (size_t)n : 1, sizeof *in);

    if (n < 0 || !in) {
        perror(dir);
        return 1;
    }
    for (int i = 0; i < n; i++) {
        char path[PATH_BYTES];
        snprintf(path, sizeof path, "%s/%s", dir, entries[i]->d_name);
        if (entries[i]->d_name[0] != '.')
            in[count++] = read_input(path);
        free(entries[i]);
    }
    free(entries);
    qsort(in, (size_t)count, sizeof *in, by_size);
    for (int i = 0; i < count; i++) {
        corpus_write(stdout, in[i].bytes, in[i].size);
        free(in[i].bytes);
    }
    free(in);
    return 0;
}

int main(int argc, char **argv)
{
    unsigned number = 0;

    if (argc == 3 && strcmp(argv[1], "decode") == 0) {
        decode_seeds(argv[2]);
        return 0;
    }
    if (argc == 3 && strcmp(argv[1], "path") == 0) {
        path_seeds(argv[2]);
        return 0;
    }
    if (argc == 3 && strcmp(argv[1], "loader") == 0) {
        loader_seeds(argv[2]);
        return 0;
    }
    if (argc == 3 && strcmp(argv[1], "streams") == 0) {
        stream_seeds(argv[2]);
        return 0;
    }
    if (argc == 4 && strcmp(argv[1], "unpack") == 0)
        return unpack(argv[2], argv[3]);
    if (argc == 3 && strcmp(argv[1], "pack") == 0)
        return pack(argv[2]);
    if (argc > 3 && strcmp(argv[1], "metadata") == 0) {
        for (int i = 3; i < argc; i++)
            metadata_seeds(argv[2], argv[i], &number);
        return number ? 0 : 1;
    }
    fprintf(stderr, "usage: gen_seeds decode|loader|path|streams|pack DIR | gen_seeds metadata DIR FILE... | gen_seeds "
                    "unpack DIR FILE\n");
    return 2;
}
