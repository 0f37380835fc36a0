/* Diamant, rule set `standard`, as a plain scalar C program: the practical speed limit in the
 * benchmark. It plays the same games as the kernel of simlab: same streams, same draws, same rules
 * (simlab/core/rng.py, simlab/core/deck.py, simlab/games/diamant/rules.py).
 *
 *     cc -O3 -march=native -std=c11 -Wall -Wextra -o diamant diamant.c
 *     ./diamant N FIRST SEED        plays games FIRST to FIRST + N - 1 and prints a line of JSON
 *
 * Written as one would write it; diamant_tuned.c is the same made as fast as it can be. Unlike the
 * kernel it knows one rule set, keeps nothing that neither these strategies nor the
 * results ask for (order of the path, risk, past exits), has no bars and checks no action.
 */
#define PROGRAM "diamant"
#include "common.h"

enum { PLAYERS = 5, MOST_PLAYERS = 8, EXPEDITIONS = 5, CHUNK = 20000 };
enum { TREASURES = 15, FIRST_RELIC = 30, CARDS = 35, COPIES = 3 };
enum { STAY = 0, LEAVE = 1 };

#define BIT(n) (UINT64_C(1) << (n))
#define TREASURE_MASK (BIT(TREASURES) - 1)

static const uint8_t VALUE[TREASURES] = {1, 2, 3, 4, 5, 5, 7, 7, 9, 11, 11, 13, 14, 15, 17};
static const uint8_t BOX[CARDS] = {
    0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16, 17,
    18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34,
};

/* ---- records ---- */

struct strategy {
    enum { NEVER_LEAVE, LEAVE_FIRST, FIXED_DEPTH, THRESHOLD, TRAP_COUNT, RANDOM } kind;
    int64_t value; /* the parameter; of RANDOM the chance to leave, in units of 2^-53 */
};

struct result {
    int32_t score, leftovers, relic_gems;
    int16_t cards;
    int8_t relics, accidents, alone;
};

struct seat {
    uint64_t rng;
    int32_t carried;
    struct result total; /* its score is the chest */
};

struct deck {
    uint64_t state;
    uint32_t next; /* cards drawn */
    uint8_t order[CARDS];
};

struct game {
    struct deck deck;
    uint64_t gone;    /* card numbers out of the game */
    uint64_t on_path; /* card numbers on the path */
    uint32_t left;    /* cards left in the deck that are in the game */
    uint32_t depth;   /* cards on the path */
    uint32_t leftover, relics, recovered;
    uint32_t traps;  /* trap types on the path, a mask */
    uint32_t inside; /* seats in the cave, a mask */
    uint32_t inside_count;
    struct seat seats[MOST_PLAYERS];
};

/* ---- strategies ---- */

static inline uint32_t decide(const struct strategy *strategy, const struct game *game,
                              struct seat *me)
{
    switch (strategy->kind) {
    case LEAVE_FIRST:
        return LEAVE;
    case FIXED_DEPTH:
        return game->depth >= strategy->value ? LEAVE : STAY;
    case THRESHOLD:
        return me->carried >= strategy->value ? LEAVE : STAY;
    case TRAP_COUNT:
        return __builtin_popcount(game->traps) >= strategy->value ? LEAVE : STAY;
    case RANDOM:
        return (int64_t)(next_u64(&me->rng) >> 11) < strategy->value ? LEAVE : STAY;
    case NEVER_LEAVE:
        break;
    }
    return STAY;
}

/* ---- rules ---- */

static inline void shuffle(struct deck *deck, uint64_t key, uint64_t number)
{
    deck->state = stream(key, number);
    deck->next = 0;
    memcpy(deck->order, BOX, sizeof BOX);
}

static inline uint32_t draw(struct deck *deck)
{
    uint32_t i = deck->next++;
    uint32_t j = i + below(&deck->state, CARDS - i);
    uint8_t card = deck->order[j];
    deck->order[j] = deck->order[i];
    deck->order[i] = card;
    return card;
}

static inline void enter(struct game *game, uint64_t key, uint64_t expedition, uint32_t players)
{
    shuffle(&game->deck, key, expedition);
    game->on_path = 0;
    game->depth = game->leftover = game->relics = game->traps = 0;
    game->inside = (1u << players) - 1;
    game->inside_count = players;
}

static inline void share_out(struct game *game, uint32_t value)
{
    uint32_t share = value / game->inside_count;
    game->leftover += value - share * game->inside_count;
    for (uint32_t rest = game->inside; rest != 0; rest &= rest - 1)
        game->seats[__builtin_ctz(rest)].carried += (int32_t)share;
}

static inline void accident(struct game *game)
{
    for (uint32_t rest = game->inside; rest != 0; rest &= rest - 1) {
        struct seat *seat = &game->seats[__builtin_ctz(rest)];
        seat->carried = 0;
        seat->total.accidents++;
        seat->total.cards += (int16_t)(game->depth - 1);
    }
    game->inside = game->inside_count = 0;
}

/* Reveal the next card; return whether it was an accident. */
static inline bool turn_up(struct game *game)
{
    uint32_t card;
    do
        card = draw(&game->deck);
    while ((game->gone >> card) & 1);
    game->on_path |= BIT(card);
    game->depth++;
    game->left--;
    if (card < TREASURES) {
        share_out(game, VALUE[card]);
    } else if (card < FIRST_RELIC) {
        uint32_t trap = 1u << ((card - TREASURES) / COPIES);
        if (game->traps & trap) {
            accident(game);
            return true;
        }
        game->traps |= trap;
    } else {
        game->relics++;
    }
    return false;
}

/* Ask everybody inside, one by one; return who leaves. */
static inline uint32_t ask(struct game *game, const struct strategy *line_up)
{
    uint32_t leaving = 0;
    for (uint32_t rest = game->inside; rest != 0; rest &= rest - 1) {
        uint32_t seat = (uint32_t)__builtin_ctz(rest);
        leaving |= decide(&line_up[seat], game, &game->seats[seat]) << seat;
    }
    return leaving;
}

/* A lone leaver takes the relics on the path: the first three of the game pay 5, the others 10. */
static inline uint32_t take_relics(struct game *game)
{
    uint32_t early = game->recovered < 3 ? 3 - game->recovered : 0;
    if (early > game->relics)
        early = game->relics;
    uint32_t pay = 5 * early + 10 * (game->relics - early);
    game->recovered += game->relics;
    game->relics = 0;
    return pay;
}

/* One batch leaves: shares the leftovers, a lone one takes the relics. */
static inline void out(struct game *game, uint32_t leavers)
{
    uint32_t count = (uint32_t)__builtin_popcount(leavers);
    uint32_t bonus = game->leftover, relics = 0, pay = 0;
    if (count == 1) {
        relics = game->relics;
        pay = take_relics(game);
    } else {
        bonus /= count;
    }
    game->leftover -= bonus * count;
    for (uint32_t rest = leavers; rest != 0; rest &= rest - 1) {
        struct seat *seat = &game->seats[__builtin_ctz(rest)];
        seat->total.score += seat->carried + (int32_t)(bonus + pay);
        seat->carried = 0;
        seat->total.leftovers += (int32_t)bonus;
        seat->total.relic_gems += (int32_t)pay;
        seat->total.cards += (int16_t)game->depth;
        seat->total.relics += (int8_t)relics;
        seat->total.alone += count == 1;
    }
    game->inside &= ~leavers;
    game->inside_count -= count;
}

/* Treasures go back; traps and relics that were turned up leave the game. */
static inline void close(struct game *game)
{
    game->gone |= game->on_path & ~TREASURE_MASK;
    game->left += (uint32_t)__builtin_popcountll(game->on_path & TREASURE_MASK);
}

static inline void explore(struct game *game, const struct strategy *line_up)
{
    while (!turn_up(game)) {
        uint32_t leaving = ask(game, line_up);
        if (leaving != 0)
            out(game, leaving);
        if (game->left == 0 && game->inside != 0) /* those who stayed come home together */
            out(game, game->inside);
        if (game->inside == 0)
            break;
    }
}

/* Play games first to first + games - 1 into results[games][players]. */
/* noipa: compiled for any line-up and number of players, not for those of main. */
__attribute__((noipa)) static void play(uint64_t first, uint64_t games, uint64_t seed,
                                           uint32_t players, const struct strategy *line_up,
                                           struct result *results)
{
    uint64_t chances = scramble(seed + GAMMA);
    uint64_t owns = scramble((seed ^ STRATEGIES) + GAMMA);
    for (uint64_t g = 0; g < games; g++) {
        uint64_t chance = numbered(chances, first + g), own = numbered(owns, first + g);
        struct game game;
        memset(game.seats, 0, players * sizeof game.seats[0]);
        for (uint32_t seat = 0; seat < players; seat++)
            game.seats[seat].rng = stream(own, seat);
        game.gone = 0;
        game.left = CARDS;
        game.recovered = 0;
        for (uint32_t expedition = 0; expedition < EXPEDITIONS; expedition++) {
            enter(&game, chance, expedition, players);
            explore(&game, line_up);
            close(&game);
        }
        for (uint32_t seat = 0; seat < players; seat++)
            results[g * players + seat] = game.seats[seat].total;
    }
}

/* ---- command line ---- */

int main(int argc, char **argv)
{
    static const volatile struct strategy seated[PLAYERS] = {
        {THRESHOLD, 10}, {THRESHOLD, 15}, {THRESHOLD, 20}, {TRAP_COUNT, 2}, {TRAP_COUNT, 3},
    };
    if (argc != 4) {
        fprintf(stderr, "usage: diamant N FIRST SEED\n");
        return 2;
    }
    uint64_t games = whole_number(argv[1]);
    uint64_t first = whole_number(argv[2]);
    uint64_t seed = whole_number(argv[3]);

    struct strategy line_up[PLAYERS]; /* read through volatile: unknown to the compiler */
    for (int seat = 0; seat < PLAYERS; seat++) {
        line_up[seat].kind = seated[seat].kind;
        line_up[seat].value = seated[seat].value;
    }
    struct result *results = calloc((size_t)CHUNK * PLAYERS, sizeof *results);
    if (results == NULL) {
        fprintf(stderr, "diamant: out of memory\n");
        return 1;
    }

    double seconds = 0;
    int64_t scores[PLAYERS] = {0}, cards = 0, relics = 0, accidents = 0;
    for (uint64_t done = 0; done < games; done += CHUNK) {
        uint64_t now = games - done < CHUNK ? games - done : CHUNK;
        double start = cpu_seconds();
        play(first + done, now, seed, PLAYERS, line_up, results);
        seconds += cpu_seconds() - start;
        for (uint64_t i = 0; i < now * PLAYERS; i++) {
            scores[i % PLAYERS] += results[i].score;
            cards += results[i].cards;
            relics += results[i].relics;
            accidents += results[i].accidents;
        }
    }
    free(results);

    printf("{\"games\": %" PRIu64 ", \"seconds\": %.6f, \"games_per_second\": %.1f, \"scores\": [",
           games, seconds, seconds > 0 ? (double)games / seconds : 0.0);
    for (int seat = 0; seat < PLAYERS; seat++)
        printf("%s%" PRId64, seat > 0 ? ", " : "", scores[seat]);
    printf("], \"cards\": %" PRId64 ", \"relics\": %" PRId64 ", \"accidents\": %" PRId64 "}\n", cards,
           relics, accidents);
    return 0;
}
