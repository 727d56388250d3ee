/* Makes the seeds of the fuzz targets that read bytes no file of the repository holds as such.
 *   gen_seeds decode DIR              every opcode of every target, as tests/golden/encodings.h walks them
 *   gen_seeds metadata DIR FILE...    the metadata notes of code objects
 * DIR is there and empty.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/isa.h"
#include "tests/golden/encodings.h"

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

/* Pieces of twenty encodings, behind the byte that picks the target (fuzz_decode.c). */
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

int main(int argc, char **argv)
{
    unsigned number = 0;

    if (argc == 3 && strcmp(argv[1], "decode") == 0) {
        decode_seeds(argv[2]);
        return 0;
    }
    if (argc > 3 && strcmp(argv[1], "metadata") == 0) {
        for (int i = 3; i < argc; i++)
            metadata_seeds(argv[2], argv[i], &number);
        return number ? 0 : 1;
    }
    fprintf(stderr, "usage: gen_seeds decode DIR | gen_seeds metadata DIR FILE...\n");
    return 2;
}
