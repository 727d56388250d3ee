/* SHA-256 as text, by Nettle. */
#include "sim/util/sha256.h"

#include <nettle/sha2.h>
#include <nettle/version.h>
#include <stdint.h>

void sha256_text(const void *bytes, size_t size, char out[SHA256_TEXT])
{
    static const char digits[] = "0123456789abcdef";
    uint8_t digest[SHA256_DIGEST_SIZE];
    struct sha256_ctx ctx;

    sha256_init(&ctx);
    sha256_update(&ctx, size, bytes);
#if NETTLE_VERSION_MAJOR >= 4
    sha256_digest(&ctx, digest);
#else
    sha256_digest(&ctx, sizeof digest, digest);
#endif
    for (size_t k = 0; k < sizeof digest; k++) {
        out[2 * k] = digits[digest[k] >> 4];
        out[2 * k + 1] = digits[digest[k] & 15];
    }
    out[SHA256_TEXT - 1] = 0;
}
