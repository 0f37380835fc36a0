/* Splendor, rule set `standard`, everybody playing `random`, as a plain scalar C program: the
 * practical speed limit in the benchmark. It plays the same games as the kernel of simlab: same
 * streams, same draws, same rules (simlab/core/rng.py, simlab/core/deck.py,
 * simlab/games/splendor/rules.py), and the same way to choose (simlab/games/splendor/view.py).
 *
 *     cc -O3 -march=native -std=c11 -Wall -Wextra -o splendor splendor.c
 *     ./splendor N FIRST SEED PLAYERS   plays games FIRST to FIRST + N - 1, prints a line of JSON
 *
 * Written as one would write it for speed: tokens, bonuses and costs are six counters in one word,
 * decks are shuffled as they are drawn, an action is a number that says where its card lies. Unlike
 * the kernel it knows one rule set and one strategy, keeps nothing that neither this strategy nor
 * the results ask for (where a card is, what others know of a hand, events), has no bars and checks
 * no action.
 */
#define PROGRAM "splendor"
#include "common.h"

enum { WHITE, BLUE, GREEN, RED, BLACK, COLOURS, GOLD = COLOURS };
enum { FEWEST_PLAYERS = 2, MOST_PLAYERS = 4, CHUNK = 20000 };
enum { LEVELS = 3, CARDS = 90, MOST_OF_LEVEL = 40, ROW = 4, MARKET = LEVELS * ROW };
enum { NOBLES = 10, MOST_NOBLES = MOST_PLAYERS + 1, FEWEST_BONUSES = 8, NOBLE_POINTS = 3 };
enum { HAND = 3, LIMIT = 10, GOLD_TOKENS = 5, TARGET = 15, MOST_TURNS = 200, NOTHING = -1 };
enum { FINISHED, TRUNCATED, STALEMATE };

/* What can be done: take (10 triples, 10 pairs, 5 singles, 5 times two alike), reserve from a deck
 * or from a place of the market, buy from there or from the hand. */
enum { DOUBLE = 25, BLIND = 30, RESERVE = BLIND + LEVELS, BUY = RESERVE + MARKET };
enum { BUY_OWN = BUY + MARKET, PASS = BUY_OWN + HAND, SEVERAL };

/* ---- six counters in one word, each from 0 to 127 ---- */

#define WORD(white, blue, green, red, black)                                                   \
    ((uint64_t)(white) | (uint64_t)(blue) << 8 | (uint64_t)(green) << 16 |                     \
     (uint64_t)(red) << 24 | (uint64_t)(black) << 32)
#define ONE(colour) (UINT64_C(1) << (8 * (colour)))
#define HIGH UINT64_C(0x808080808080)
#define ONES UINT64_C(0x010101010101)

/* a - b in every counter, not below 0 */
static inline uint64_t minus(uint64_t a, uint64_t b)
{
    uint64_t d = (a | HIGH) - b, kept = (d & HIGH) >> 7;
    return d & ((kept << 7) - kept);
}

/* whether a >= b in every counter */
static inline bool covers(uint64_t a, uint64_t b)
{
    return (((a | HIGH) - b) & HIGH) == HIGH;
}

static inline uint32_t total(uint64_t a)
{
    return (uint32_t)((a * ONES) >> 40) & 0xFF;
}

/* Which of the five colours have `number` or more, as a mask. */
static inline uint32_t having(uint64_t a, uint64_t number)
{
    uint64_t w = (((a | HIGH) - number * ONES) & HIGH) >> 7;
    return (uint32_t)(w | w >> 7 | w >> 14 | w >> 21 | w >> 28) & 31;
}

/* The n-th number of a set, from 0. */
static inline uint32_t nth(uint32_t mask, uint32_t n)
{
    for (; n > 0; n--)
        mask &= mask - 1;
    return (uint32_t)__builtin_ctz(mask);
}

/* ---- cards and nobles ---- */

struct card {
    uint64_t cost;
    uint8_t bonus, points, level;
};

static const struct card CARD[CARDS] = {
    {WORD(0, 3, 0, 0, 0), WHITE, 0, 0}, {WORD(0, 0, 0, 2, 1), WHITE, 0, 0},
    {WORD(0, 2, 0, 0, 2), WHITE, 0, 0}, {WORD(0, 1, 1, 1, 1), WHITE, 0, 0},
    {WORD(3, 1, 0, 0, 1), WHITE, 0, 0}, {WORD(0, 2, 2, 0, 1), WHITE, 0, 0},
    {WORD(0, 1, 2, 1, 1), WHITE, 0, 0}, {WORD(0, 0, 4, 0, 0), WHITE, 1, 0},
    {WORD(1, 0, 0, 0, 2), BLUE, 0, 0}, {WORD(0, 0, 0, 0, 3), BLUE, 0, 0},
    {WORD(1, 0, 1, 1, 1), BLUE, 0, 0}, {WORD(0, 0, 2, 0, 2), BLUE, 0, 0},
    {WORD(1, 0, 2, 2, 0), BLUE, 0, 0}, {WORD(1, 0, 1, 2, 1), BLUE, 0, 0},
    {WORD(0, 1, 3, 1, 0), BLUE, 0, 0}, {WORD(0, 0, 0, 4, 0), BLUE, 1, 0},
    {WORD(2, 1, 0, 0, 0), GREEN, 0, 0}, {WORD(0, 0, 0, 3, 0), GREEN, 0, 0},
    {WORD(1, 1, 0, 1, 1), GREEN, 0, 0}, {WORD(0, 2, 0, 2, 0), GREEN, 0, 0},
    {WORD(1, 3, 1, 0, 0), GREEN, 0, 0}, {WORD(1, 1, 0, 1, 2), GREEN, 0, 0},
    {WORD(0, 1, 0, 2, 2), GREEN, 0, 0}, {WORD(0, 0, 0, 0, 4), GREEN, 1, 0},
    {WORD(3, 0, 0, 0, 0), RED, 0, 0}, {WORD(0, 2, 1, 0, 0), RED, 0, 0},
    {WORD(2, 0, 0, 2, 0), RED, 0, 0}, {WORD(1, 1, 1, 0, 1), RED, 0, 0},
    {WORD(2, 1, 1, 0, 1), RED, 0, 0}, {WORD(2, 0, 1, 0, 2), RED, 0, 0},
    {WORD(1, 0, 0, 1, 3), RED, 0, 0}, {WORD(4, 0, 0, 0, 0), RED, 1, 0},
    {WORD(0, 0, 3, 0, 0), BLACK, 0, 0}, {WORD(0, 0, 2, 1, 0), BLACK, 0, 0},
    {WORD(2, 0, 2, 0, 0), BLACK, 0, 0}, {WORD(1, 1, 1, 1, 0), BLACK, 0, 0},
    {WORD(2, 2, 0, 1, 0), BLACK, 0, 0}, {WORD(1, 2, 1, 1, 0), BLACK, 0, 0},
    {WORD(0, 0, 1, 3, 1), BLACK, 0, 0}, {WORD(0, 4, 0, 0, 0), BLACK, 1, 0},
    {WORD(0, 0, 3, 2, 2), WHITE, 1, 1}, {WORD(2, 3, 0, 3, 0), WHITE, 1, 1},
    {WORD(0, 0, 0, 5, 0), WHITE, 2, 1}, {WORD(0, 0, 1, 4, 2), WHITE, 2, 1},
    {WORD(0, 0, 0, 5, 3), WHITE, 2, 1}, {WORD(6, 0, 0, 0, 0), WHITE, 3, 1},
    {WORD(0, 2, 2, 3, 0), BLUE, 1, 1}, {WORD(0, 2, 3, 0, 3), BLUE, 1, 1},
    {WORD(0, 5, 0, 0, 0), BLUE, 2, 1}, {WORD(2, 0, 0, 1, 4), BLUE, 2, 1},
    {WORD(5, 3, 0, 0, 0), BLUE, 2, 1}, {WORD(0, 6, 0, 0, 0), BLUE, 3, 1},
    {WORD(2, 3, 0, 0, 2), GREEN, 1, 1}, {WORD(3, 0, 2, 3, 0), GREEN, 1, 1},
    {WORD(0, 0, 5, 0, 0), GREEN, 2, 1}, {WORD(4, 2, 0, 0, 1), GREEN, 2, 1},
    {WORD(0, 5, 3, 0, 0), GREEN, 2, 1}, {WORD(0, 0, 6, 0, 0), GREEN, 3, 1},
    {WORD(2, 0, 0, 2, 3), RED, 1, 1}, {WORD(0, 3, 0, 2, 3), RED, 1, 1},
    {WORD(0, 0, 0, 0, 5), RED, 2, 1}, {WORD(1, 4, 2, 0, 0), RED, 2, 1},
    {WORD(3, 0, 0, 0, 5), RED, 2, 1}, {WORD(0, 0, 0, 6, 0), RED, 3, 1},
    {WORD(3, 2, 2, 0, 0), BLACK, 1, 1}, {WORD(3, 0, 3, 0, 2), BLACK, 1, 1},
    {WORD(5, 0, 0, 0, 0), BLACK, 2, 1}, {WORD(0, 1, 4, 2, 0), BLACK, 2, 1},
    {WORD(0, 0, 5, 3, 0), BLACK, 2, 1}, {WORD(0, 0, 0, 0, 6), BLACK, 3, 1},
    {WORD(0, 3, 3, 5, 3), WHITE, 3, 2}, {WORD(0, 0, 0, 0, 7), WHITE, 4, 2},
    {WORD(3, 0, 0, 3, 6), WHITE, 4, 2}, {WORD(3, 0, 0, 0, 7), WHITE, 5, 2},
    {WORD(3, 0, 3, 3, 5), BLUE, 3, 2}, {WORD(7, 0, 0, 0, 0), BLUE, 4, 2},
    {WORD(6, 3, 0, 0, 3), BLUE, 4, 2}, {WORD(7, 3, 0, 0, 0), BLUE, 5, 2},
    {WORD(5, 3, 0, 3, 3), GREEN, 3, 2}, {WORD(0, 7, 0, 0, 0), GREEN, 4, 2},
    {WORD(3, 6, 3, 0, 0), GREEN, 4, 2}, {WORD(0, 7, 3, 0, 0), GREEN, 5, 2},
    {WORD(3, 5, 3, 0, 3), RED, 3, 2}, {WORD(0, 0, 7, 0, 0), RED, 4, 2},
    {WORD(0, 3, 6, 3, 0), RED, 4, 2}, {WORD(0, 0, 7, 3, 0), RED, 5, 2},
    {WORD(3, 3, 5, 3, 0), BLACK, 3, 2}, {WORD(0, 0, 0, 7, 0), BLACK, 4, 2},
    {WORD(0, 0, 3, 6, 3), BLACK, 4, 2}, {WORD(0, 0, 0, 7, 3), BLACK, 5, 2},
};
static const uint8_t TOKENS[MOST_PLAYERS + 1] = {[2] = 4, 5, 7}; /* by number of players */
static const uint32_t FIRST[LEVELS + 1] = {0, 40, 70, CARDS};
static const uint64_t WISH[NOBLES] = {
    WORD(4, 4, 0, 0, 0), WORD(0, 4, 4, 0, 0), WORD(0, 0, 4, 4, 0), WORD(0, 0, 0, 4, 4),
    WORD(4, 0, 0, 0, 4), WORD(3, 3, 3, 0, 0), WORD(0, 3, 3, 3, 0), WORD(0, 0, 3, 3, 3),
    WORD(3, 0, 0, 3, 3), WORD(3, 3, 0, 0, 3),
};

/* What a take action takes; by the colours that the bank has, what takes different ones there are:
 * three, or all where fewer are left. */
static uint64_t taken[BLIND];
static struct { uint8_t count, action[10]; } different[1 << COLOURS];

static void number_takes(void)
{
    uint32_t action = 0;
    for (uint32_t a = 0; a < COLOURS; a++)
        for (uint32_t b = a + 1; b < COLOURS; b++)
            for (uint32_t c = b + 1; c < COLOURS; c++)
                taken[action++] = ONE(a) + ONE(b) + ONE(c);
    for (uint32_t a = 0; a < COLOURS; a++)
        for (uint32_t b = a + 1; b < COLOURS; b++)
            taken[action++] = ONE(a) + ONE(b);
    for (uint32_t a = 0; a < COLOURS; a++)
        taken[action++] = ONE(a);
    for (uint32_t a = 0; a < COLOURS; a++)
        taken[action++] = 2 * ONE(a);
    for (uint32_t colours = 1; colours < 1 << COLOURS; colours++) {
        uint32_t most = (uint32_t)__builtin_popcount(colours);
        for (action = 0; action < DOUBLE; action++)
            if (total(taken[action]) == (most < 3 ? most : 3) &&
                (having(taken[action], 1) & ~colours) == 0)
                different[colours].action[different[colours].count++] = (uint8_t)action;
    }
}

/* ---- records ---- */

struct result {
    int32_t score;
    int16_t tie, end_reason, card_points, noble_points, gold_used, returned, turns;
    int8_t nobles, cards[LEVELS], reserved_seen, reserved_blind;
};

struct seat {
    uint64_t rng;
    uint64_t tokens, bonuses; /* words of counters */
    uint32_t bought, reserved;
    int8_t hand[HAND]; /* card numbers, the oldest first; NOTHING behind them */
    struct result total;
};

struct deck {
    uint64_t state;
    uint32_t next, cards; /* cards drawn, and all there were */
    uint8_t order[MOST_OF_LEVEL];
};

struct game {
    uint64_t bank; /* a word of counters */
    struct deck decks[LEVELS];
    int8_t market[MARKET]; /* card numbers, NOTHING for an empty place */
    int8_t nobles[MOST_NOBLES]; /* noble numbers, NOTHING where none lies any more */
    uint32_t players, passes; /* passes in a row */
    bool last_round;
    struct seat seats[MOST_PLAYERS];
};

/* ---- rules ---- */

static inline void shuffle(struct deck *deck, uint64_t key, uint64_t number, uint32_t cards)
{
    deck->state = stream(key, number);
    deck->next = 0;
    deck->cards = cards;
    for (uint32_t i = 0; i < cards; i++)
        deck->order[i] = (uint8_t)i;
}

static inline uint32_t draw(struct deck *deck)
{
    uint32_t i = deck->next++;
    uint32_t j = i + below(&deck->state, deck->cards - i);
    uint8_t card = deck->order[j];
    deck->order[j] = deck->order[i];
    deck->order[i] = card;
    return card;
}

static inline bool has_cards(const struct game *game, uint32_t level)
{
    return game->decks[level].next < game->decks[level].cards;
}

static inline int8_t top_card(struct game *game, uint32_t level)
{
    return (int8_t)(FIRST[level] + draw(&game->decks[level]));
}

static inline void refill(struct game *game, uint32_t place)
{
    uint32_t level = place / ROW;
    game->market[place] = has_cards(game, level) ? top_card(game, level) : NOTHING;
}

static inline bool affordable(const struct seat *me, uint32_t card)
{
    uint64_t missing = minus(minus(CARD[card].cost, me->bonuses), me->tokens);
    return total(missing) <= (me->tokens >> (8 * GOLD));
}

/* The card that a buying action buys, or NOTHING. */
static inline int32_t offered(const struct game *game, const struct seat *me, uint32_t action)
{
    return action < BUY_OWN ? game->market[action - BUY] : me->hand[action - BUY_OWN];
}

/* Whether something can be done with a card; for reserving, the hand has room. */
static inline bool possible(const struct game *game, const struct seat *me, uint32_t action)
{
    if (action < RESERVE)
        return has_cards(game, action - BLIND);
    if (action < BUY)
        return game->market[action - RESERVE] != NOTHING;
    int32_t card = offered(game, me, action);
    return card != NOTHING && affordable(me, (uint32_t)card);
}

/* The only main action there is, PASS for none, or SEVERAL. */
static inline uint32_t only_action(const struct game *game, const struct seat *me)
{
    if (me->reserved < HAND && (has_cards(game, 0) || has_cards(game, 1) || has_cards(game, 2)))
        return SEVERAL; /* a deck that has cards has four more of its level in the market */
    uint32_t colours = having(game->bank, 1), found = PASS;
    uint32_t doubles = (uint32_t)__builtin_popcount(having(game->bank, 4));
    if (different[colours].count + doubles > 1)
        return SEVERAL;
    if (different[colours].count == 1)
        found = different[colours].action[0];
    for (uint32_t action = me->reserved < HAND ? RESERVE : BUY; action < PASS; action++) {
        if (!possible(game, me, action))
            continue;
        if (found != PASS)
            return SEVERAL;
        found = action;
    }
    return found;
}

static inline void take_card(struct seat *me, uint32_t card)
{
    me->bonuses += ONE(CARD[card].bonus);
    me->bought++;
    me->total.card_points += CARD[card].points;
    me->total.score += CARD[card].points;
    me->total.cards[CARD[card].level]++;
}

/* Own coloured tokens first, gold for what is missing. */
static inline void pay(struct game *game, struct seat *me, uint32_t card)
{
    uint64_t need = minus(CARD[card].cost, me->bonuses), missing = minus(need, me->tokens);
    uint32_t gold = total(missing);
    uint64_t paid = need - missing + gold * ONE(GOLD);
    me->tokens -= paid;
    game->bank += paid;
    me->total.gold_used += (int16_t)gold;
}

static inline void into_hand(struct game *game, struct seat *me, int8_t card)
{
    me->hand[me->reserved++] = card;
    if (game->bank >= ONE(GOLD)) {
        game->bank -= ONE(GOLD);
        me->tokens += ONE(GOLD);
    }
}

static inline void from_hand(struct seat *me, uint32_t place)
{
    for (; place + 1 < HAND; place++)
        me->hand[place] = me->hand[place + 1];
    me->hand[HAND - 1] = NOTHING;
    me->reserved--;
}

static inline void act(struct game *game, struct seat *me, uint32_t action)
{
    if (action < BLIND) {
        game->bank -= taken[action];
        me->tokens += taken[action];
    } else if (action < RESERVE) {
        into_hand(game, me, top_card(game, action - BLIND));
        me->total.reserved_blind++;
    } else if (action < BUY) {
        into_hand(game, me, game->market[action - RESERVE]);
        refill(game, action - RESERVE);
        me->total.reserved_seen++;
    } else {
        uint32_t card = (uint32_t)offered(game, me, action);
        pay(game, me, card);
        take_card(me, card);
        if (action < BUY_OWN)
            refill(game, action - BUY);
        else
            from_hand(me, action - BUY_OWN);
    }
}

static inline void give_back(struct game *game, struct seat *me, uint32_t token)
{
    me->tokens -= ONE(token);
    game->bank += ONE(token);
    me->total.returned++;
}

/* The nobles that would visit, as a mask of their numbers. */
static inline uint32_t guests(const struct game *game, const struct seat *me)
{
    uint32_t found = 0;
    if (me->bought < FEWEST_BONUSES)
        return 0;
    for (uint32_t i = 0; i <= game->players; i++)
        if (game->nobles[i] != NOTHING && covers(me->bonuses, WISH[game->nobles[i]]))
            found |= 1u << game->nobles[i];
    return found;
}

static inline void visit(struct game *game, struct seat *me, uint32_t noble)
{
    for (uint32_t i = 0; i <= game->players; i++)
        if (game->nobles[i] == (int8_t)noble)
            game->nobles[i] = NOTHING;
    me->total.score += NOBLE_POINTS;
    me->total.noble_points += NOBLE_POINTS;
    me->total.nobles++;
}

/* ---- the strategy ---- */

/* Takes are counted, what is done with cards is tried: a card is often out of reach. */
static inline uint32_t pick_action(const struct game *game, struct seat *me)
{
    uint32_t colours = having(game->bank, 1), fours = having(game->bank, 4);
    uint32_t unlike = different[colours].count;
    uint32_t takes = unlike + (uint32_t)__builtin_popcount(fours);
    uint32_t first = me->reserved < HAND ? BLIND : BUY;
    while (true) {
        uint32_t n = below(&me->rng, takes + PASS - first);
        if (n < unlike)
            return different[colours].action[n];
        if (n < takes)
            return DOUBLE + nth(fours, n - unlike);
        if (possible(game, me, first + n - takes))
            return first + n - takes;
    }
}

static inline uint32_t pick_token(struct seat *me)
{
    uint32_t left = below(&me->rng, total(me->tokens)), token = 0;
    uint64_t tokens = me->tokens;
    for (; left >= (tokens & 0xFF); tokens >>= 8, token++)
        left -= (uint32_t)(tokens & 0xFF);
    return token;
}

static inline uint32_t pick_noble(struct seat *me, uint32_t come)
{
    return nth(come, below(&me->rng, (uint32_t)__builtin_popcount(come)));
}

/* ---- the game ---- */

static inline void set_up(struct game *game, uint64_t chance, uint64_t own, uint32_t players)
{
    struct deck tiles;
    game->players = players;
    game->passes = 0;
    game->last_round = false;
    uint32_t each = TOKENS[players];
    game->bank = WORD(each, each, each, each, each) + GOLD_TOKENS * ONE(GOLD);
    for (uint32_t level = 0; level < LEVELS; level++)
        shuffle(&game->decks[level], chance, level, FIRST[level + 1] - FIRST[level]);
    for (uint32_t place = 0; place < MARKET; place++)
        refill(game, place);
    shuffle(&tiles, chance, LEVELS, NOBLES);
    for (uint32_t i = 0; i <= players; i++)
        game->nobles[i] = (int8_t)draw(&tiles);
    memset(game->seats, 0, players * sizeof game->seats[0]);
    for (uint32_t seat = 0; seat < players; seat++) {
        game->seats[seat].rng = stream(own, seat);
        memset(game->seats[seat].hand, NOTHING, HAND);
    }
}

/* Eleven tokens are always of several kinds (at most seven are alike), so one must be chosen. */
static inline void take_turn(struct game *game, struct seat *me)
{
    uint32_t action = only_action(game, me);
    if (action == SEVERAL)
        action = pick_action(game, me);
    if (action == PASS) {
        game->passes++;
    } else {
        game->passes = 0;
        act(game, me, action);
    }
    while (total(me->tokens) > LIMIT)
        give_back(game, me, pick_token(me));
    uint32_t come = guests(game, me);
    if (come != 0)
        visit(game, me, (come & (come - 1)) == 0 ? nth(come, 0) : pick_noble(me, come));
    me->total.turns++;
    if (me->total.score >= TARGET)
        game->last_round = true;
}

/* Return why the game ended. */
static inline int16_t play_game(struct game *game)
{
    for (uint32_t turn = 1; turn <= MOST_TURNS; turn++) {
        for (uint32_t seat = 0; seat < game->players; seat++) {
            take_turn(game, &game->seats[seat]);
            if (seat + 1 == game->players && game->last_round)
                return FINISHED;
            if (game->passes == game->players)
                return STALEMATE;
        }
    }
    return TRUNCATED;
}

/* Play games first to first + games - 1 into results[games][players]. */
/* noipa: compiled for any number of players. */
__attribute__((noipa)) static void play(uint64_t first, uint64_t games, uint64_t seed,
                                        uint32_t players, struct result *results)
{
    uint64_t chances = scramble(seed + GAMMA);
    uint64_t owns = scramble((seed ^ STRATEGIES) + GAMMA);
    struct game game;
    for (uint64_t g = 0; g < games; g++) {
        set_up(&game, numbered(chances, first + g), numbered(owns, first + g), players);
        int16_t reason = play_game(&game);
        for (uint32_t seat = 0; seat < players; seat++) {
            struct result *total = &results[g * players + seat];
            *total = game.seats[seat].total;
            total->tie = (int16_t)-game.seats[seat].bought;
            total->end_reason = reason;
        }
    }
}

/* ---- command line ---- */

/* What all seats of all games have together. */
struct sums {
    int64_t scores[MOST_PLAYERS];
    int64_t tie, end_reason, card_points, noble_points, nobles, cards[LEVELS];
    int64_t reserved_seen, reserved_blind, gold_used, returned, turns;
};

static void add(struct sums *sums, const struct result *row, uint32_t seat)
{
    sums->scores[seat] += row->score;
    sums->tie += row->tie;
    sums->end_reason += row->end_reason;
    sums->card_points += row->card_points;
    sums->noble_points += row->noble_points;
    sums->nobles += row->nobles;
    for (uint32_t level = 0; level < LEVELS; level++)
        sums->cards[level] += row->cards[level];
    sums->reserved_seen += row->reserved_seen;
    sums->reserved_blind += row->reserved_blind;
    sums->gold_used += row->gold_used;
    sums->returned += row->returned;
    sums->turns += row->turns;
}

#define SHOW(name, number) printf(", \"%s\": %" PRId64, name, number)

static void show(const struct sums *sums, uint64_t games, uint32_t players, double seconds)
{
    printf("{\"games\": %" PRIu64 ", \"seconds\": %.6f, \"games_per_second\": %.1f, \"scores\": [",
           games, seconds, seconds > 0 ? (double)games / seconds : 0.0);
    for (uint32_t seat = 0; seat < players; seat++)
        printf("%s%" PRId64, seat > 0 ? ", " : "", sums->scores[seat]);
    printf("]");
    SHOW("tie", sums->tie);
    SHOW("end_reason", sums->end_reason);
    SHOW("card_points", sums->card_points);
    SHOW("noble_points", sums->noble_points);
    SHOW("nobles", sums->nobles);
    SHOW("cards_1", sums->cards[0]);
    SHOW("cards_2", sums->cards[1]);
    SHOW("cards_3", sums->cards[2]);
    SHOW("reserved_seen", sums->reserved_seen);
    SHOW("reserved_blind", sums->reserved_blind);
    SHOW("gold_used", sums->gold_used);
    SHOW("returned", sums->returned);
    SHOW("turns", sums->turns);
    printf("}\n");
}

int main(int argc, char **argv)
{
    if (argc != 5) {
        fprintf(stderr, "usage: splendor N FIRST SEED PLAYERS\n");
        return 2;
    }
    uint64_t games = whole_number(argv[1]);
    uint64_t first = whole_number(argv[2]);
    uint64_t seed = whole_number(argv[3]);
    uint64_t players = whole_number(argv[4]);
    if (players < FEWEST_PLAYERS || players > MOST_PLAYERS) {
        fprintf(stderr, "splendor: 2 to 4 play, not %" PRIu64 "\n", players);
        return 2;
    }
    struct result *results = calloc((size_t)(CHUNK * players), sizeof *results);
    if (results == NULL) {
        fprintf(stderr, "splendor: out of memory\n");
        return 1;
    }
    number_takes();

    double seconds = 0;
    struct sums sums = {0};
    for (uint64_t done = 0; done < games; done += CHUNK) {
        uint64_t now = games - done < CHUNK ? games - done : CHUNK;
        double start = cpu_seconds();
        play(first + done, now, seed, (uint32_t)players, results);
        seconds += cpu_seconds() - start;
        for (uint64_t i = 0; i < now * players; i++)
            add(&sums, &results[i], (uint32_t)(i % players));
    }
    free(results);
    show(&sums, games, (uint32_t)players, seconds);
    return 0;
}
