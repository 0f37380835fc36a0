/* What all programs of the practical speed limit share: the random streams of simlab
 * (simlab/core/rng.py), the clock and the command line. PROGRAM is the program's name.
 */
#define _POSIX_C_SOURCE 199309L
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- random streams ---- */

#define GAMMA UINT64_C(0x9E3779B97F4A7C15)
#define BY_NUMBER UINT64_C(0xD1342543DE82EF95)
#define BY_STREAM UINT64_C(0xA24BAED4963EE407)
#define STRATEGIES UINT64_C(0x5851F42D4C957F2D)

static inline uint64_t scramble(uint64_t z)
{
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

static inline uint64_t numbered(uint64_t key, uint64_t number)
{
    return scramble(key + (number + 1) * BY_NUMBER);
}

static inline uint64_t stream(uint64_t key, uint64_t number)
{
    return key + (number + 1) * BY_STREAM;
}

static inline uint64_t next_u64(uint64_t *state)
{
    *state += GAMMA;
    return scramble(*state);
}

static inline uint32_t below(uint64_t *state, uint32_t n)
{
    return (uint32_t)(((next_u64(state) >> 32) * n) >> 32);
}

/* ---- command line ---- */

static inline double cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static inline uint64_t whole_number(const char *text)
{
    char *end;
    errno = 0;
    uint64_t number = strtoull(text, &end, 10);
    if (end == text || *end != '\0' || *text == '-' || errno != 0) {
        fprintf(stderr, PROGRAM ": not a whole number of 0 or more: %s\n", text);
        exit(2);
    }
    return number;
}
