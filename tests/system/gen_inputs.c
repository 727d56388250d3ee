/* Writes the input files of the sample launches: gen_inputs DIRECTORY. Deterministic, so that the files committed in
 * traces/samples/data can be made again: cc -o /tmp/gen tests/system/gen_inputs.c && /tmp/gen traces/samples/data
 *
 * Floats are normal numbers in [-4, 4); halves include subnormals, the largest finite ones and signed zeros, but no
 * infinity nor NaN, so that only rounding and overflow decide the sums.
 */
#include <stdint.h>
#include <stdio.h>

static uint32_t next_random(uint64_t *state)
{
    /* xorshift64*, upper half */
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return (uint32_t)((*state * UINT64_C(0x2545f4914f6cdd1d)) >> 32);
}

static void put_bytes(uint8_t *dst, uint32_t v, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        dst[i] = (uint8_t)(v >> (8 * i));
}

/* sign, exponent -14..1 and a full mantissa */
static uint32_t random_f32(uint64_t *state)
{
    uint32_t r = next_random(state);
    uint32_t exponent = 127 + 1 - (next_random(state) & 15);
    return (r & 0x80000000u) | exponent << 23 | (r & 0x7fffffu);
}

static uint32_t random_f16(uint64_t *state)
{
    static const uint16_t edges[] = {0x0000, 0x8000, 0x0001, 0x8001, 0x03ff, 0x83ff, 0x0400, 0x8400,
                                     0x7bff, 0xfbff, 0x7bfe, 0x3c00, 0xbc00, 0x3c01, 0x6c00, 0x1400};
    uint32_t r = next_random(state);
    if ((r >> 16 & 3) == 0)
        return edges[r & 15];
    uint32_t exponent = (r >> 10 & 31) % 31; /* 31 would be infinity or NaN */
    return (r & 0x83ffu) | exponent << 10;
}

enum kind { F32, F16, U32, U8 };

static int write_file(const char *dir, const char *name, enum kind kind, unsigned count, uint64_t seed)
{
    static uint8_t buf[65536];
    static const unsigned width[] = {[F32] = 4, [F16] = 2, [U32] = 4, [U8] = 1};
    char path[4096];
    for (unsigned i = 0; i < count; i++) {
        uint32_t v;
        switch (kind) {
        case F32:
            v = random_f32(&seed);
            break;
        case F16:
            v = random_f16(&seed);
            break;
        case U32:
            v = next_random(&seed);
            break;
        default:
            /* uneven on purpose: small values are frequent */
            v = next_random(&seed);
            v = (v & 255) & (v >> 8 & 255);
            break;
        }
        put_bytes(buf + i * width[kind], v, width[kind]);
    }
    snprintf(path, sizeof path, "%s/%s", dir, name);
    FILE *f = fopen(path, "wb");
    if (!f) {
        perror(path);
        return 1;
    }
    size_t done = fwrite(buf, width[kind], count, f);
    if (fclose(f) != 0 || done != count) {
        perror(path);
        return 1;
    }
    return 0;
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: gen_inputs DIRECTORY\n");
        return 2;
    }
    return write_file(argv[1], "f32_a.bin", F32, 2048, 0x1001) | write_file(argv[1], "f32_b.bin", F32, 2048, 0x1002) |
           write_file(argv[1], "u32.bin", U32, 6144, 0x1003) | write_file(argv[1], "bytes.bin", U8, 10000, 0x1004) |
           write_file(argv[1], "f16_a.bin", F16, 1024, 0x1005) | write_file(argv[1], "f16_b.bin", F16, 1024, 0x1006);
}
