/* SANITIZED: 1 under AddressSanitizer, else 0. */
#ifndef GCNSIM_TESTS_SANITIZED_H
#define GCNSIM_TESTS_SANITIZED_H

#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

#endif
