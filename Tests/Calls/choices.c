/* Arguments at random: mostly what would be right somewhere, changed a little. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calls.h"

enum { POSITIONS = 8, TEXT = 1 << 15, BYTES = 1 << 16, KEPT = 512, HANDLES = 256, SETTINGS = 16, HUGE_TEXT = 1 << 20 };

static char **seeds;
static int seed_count;
static char *settings[SETTINGS];
static int settings_count;
static char *kept[KEPT];
static pthread_mutex_t kept_lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic uint32_t handles[HANDLES];
static _Atomic int32_t searches[HANDLES];
static char *huge_text;
static pthread_once_t huge_once = PTHREAD_ONCE_INIT;

struct choice new_choice(uint64_t seed) {
    struct choice choice = {(seed + 1) * 0x9e3779b97f4a7c15u | 1, malloc(POSITIONS * TEXT), malloc(BYTES)};
    return choice;
}

void free_choice(struct choice *choice) {
    free(choice->texts);
    free(choice->bytes);
}

uint32_t choose(struct choice *choice, uint32_t count) {
    choice->state ^= choice->state << 13;
    choice->state ^= choice->state >> 7;
    choice->state ^= choice->state << 17;
    return (uint32_t)(choice->state >> 11) % count;
}

bool chance(struct choice *choice, uint32_t one_in) { return choose(choice, one_in) == 0; }

/* Texts ---------------------------------------------------------------------------------------- */

/* Replaces `count` bytes at `start` with those of `piece`. Returns the new length. */
static size_t replace(char *text, size_t length, size_t start, size_t count, const char *piece, size_t size) {
    if (count > length - start) count = length - start;
    if (length - count + size >= TEXT) return length;
    memmove(text + start + size, text + start + count, length - start - count);
    memcpy(text + start, piece, size);
    return length - count + size;
}

static const char *choose_seed(struct choice *choice) { return seeds[choose(choice, (uint32_t)seed_count)]; }

static void mutate(struct choice *choice, char *text) {
    static const char *const words[] = {
        "9223372036854775807", "-9223372036854775808", "18446744073709551616", "1e308", "null", "true", "\"\"", "[]",
        "{}", "\\u0000", "\xc3\xa9", "e\xcc\x81", "\"", ",", ":", "\\", "\xff",
    };
    size_t length = strlen(text);
    for (uint32_t left = 1 + choose(choice, 4); left && length; left--) {
        size_t start = choose(choice, (uint32_t)length), count = 1 + choose(choice, 40);
        char byte = (char)(1 + choose(choice, 255));
        const char *word = words[choose(choice, sizeof words / sizeof *words)];
        const char *seed = choose_seed(choice);
        size_t from = choose(choice, (uint32_t)strlen(seed) + 1), size = strnlen(seed + from, 200);
        switch (choose(choice, 5)) {
            case 0: length = replace(text, length, start, 1, &byte, 1); break;
            case 1: length = replace(text, length, start, count, "", 0); break;
            case 2: length = replace(text, length, start, 0, word, strlen(word)); break;
            case 3: length = replace(text, length, start, size, seed + from, size); break;
            /* The text between two quotation marks, or between any two bytes, goes. */
            default: {
                char *quote = memchr(text + start, '"', length - start);
                size_t first = quote ? (size_t)(quote - text) + 1 : start;
                char *next = memchr(text + first, '"', length - first);
                if (next) length = replace(text, length, first, (size_t)(next - text) - first, "", 0);
            }
        }
        text[length] = 0;
    }
}

static void stay_below_the_folder(char *text) {
    if (*text == '/') *text = '_';
    for (char *place = text; (place = strstr(place, "\"/")); place++) place[1] = '_';
}

static void copy(char *text, const char *source) { snprintf(text, TEXT, "%s", source); }

static void nest(struct choice *choice, char *text) {
    int depth = (int)choose(choice, 2100);
    for (int level = 0; level < depth; level++) text = stpcpy(text, "{\"a\":");
    text = stpcpy(text, "1");
    memset(text, '}', (size_t)depth);
    text[depth] = 0;
}

static void make_huge_text(void) {
    huge_text = malloc(HUGE_TEXT + 1);
    memset(huge_text, 'A', HUGE_TEXT);
    huge_text[HUGE_TEXT] = 0;
}

static void choose_kept(struct choice *choice, char *text) {
    pthread_mutex_lock(&kept_lock);
    const char *found = kept[choose(choice, KEPT)];
    copy(text, found ? found : "");
    pthread_mutex_unlock(&kept_lock);
}

static bool takes_settings(const char *function) {
    return strstr(function, "init") || strstr(function, "provision") || strstr(function, "import") ||
        strstr(function, "agent_open");
}

/* A text that is right where names, tags or queries are expected. */
static void choose_common(struct choice *choice, char *text) {
    static const char *const texts[] = {
        "", "a", "{}", "[]", "type", "export", "\xff\xfe\x80", "{\"~a\":\"1\",\"b\":\"2\"}",
        "{\"$or\":[{\"b\":\"2\"},{\"~a\":{\"$like\":\"1%\"}}]}",
    };
    uint32_t which = choose(choice, sizeof texts / sizeof *texts + 2);
    if (which < sizeof texts / sizeof *texts) copy(text, texts[which]);
    else snprintf(text, TEXT, "id%u", choose(choice, 20));
}

char *choose_text(struct choice *choice, int position, const char *function) {
    char *text = choice->texts + position % POSITIONS * TEXT;
    uint32_t kind = choose(choice, 24);
    if (kind == 0) return NULL;
    if (kind == 1 && chance(choice, 20)) {
        pthread_once(&huge_once, make_huge_text);
        return huge_text;
    }
    if (takes_settings(function) && !chance(choice, 8)) {
        copy(text, choose_settings(choice));
        if (chance(choice, 3)) mutate(choice, text);
    } else if (kind == 2 && chance(choice, 10)) {
        nest(choice, text);
    } else if (kind < 10) {
        choose_common(choice, text);
    } else {
        if (kind < 13) choose_kept(choice, text);
        else copy(text, choose_seed(choice));
        if (!chance(choice, 3)) mutate(choice, text);
    }
    stay_below_the_folder(text);
    return text;
}

void read_text(const char *text) {
    static _Thread_local volatile size_t sum;
    if (text) sum += strlen(text);
}

void keep_text(uint32_t command, uint32_t error, const char *text) {
    if (error || !text || strlen(text) >= TEXT) return read_text(text);
    char *copied = strdup(text);
    pthread_mutex_lock(&kept_lock);
    char **place = &kept[command * 2654435761u >> 23];
    free(*place);
    *place = copied;
    pthread_mutex_unlock(&kept_lock);
}

/* Bytes and numbers ---------------------------------------------------------------------------- */

const uint8_t *choose_bytes(struct choice *choice, uint32_t *length) {
    uint32_t kind = choose(choice, 6);
    *length = kind == 1 ? 0 : kind == 2 ? 64 : 1 + choose(choice, BYTES);
    if (kind == 0) return NULL;
    if (kind == 3) {
        const char *seed = choose_seed(choice);
        *length = (uint32_t)strnlen(seed, BYTES);
        memcpy(choice->bytes, seed, *length);
    } else {
        for (uint32_t i = 0; i < *length; i += 97) choice->bytes[i] = (uint8_t)choose(choice, 256);
    }
    return choice->bytes;
}

void read_bytes(const uint8_t *bytes, uint32_t length) {
    static _Thread_local volatile uint8_t sum;
    for (uint32_t i = 0; i < length; i++) sum ^= bytes[i];
}

uint32_t choose_number(struct choice *choice) {
    switch (choose(choice, 12)) {
        case 0: return 0;
        case 1: return UINT32_MAX;
        case 2: return INT32_MAX;
        case 3: return choose(choice, UINT32_MAX);
        default: return handles[choose(choice, HANDLES)];
    }
}

int32_t choose_search(struct choice *choice) {
    switch (choose(choice, 8)) {
        case 0: return -1;
        case 1: return INT32_MIN;
        default: return searches[choose(choice, HANDLES)];
    }
}

uint64_t choose_long(struct choice *choice) {
    return chance(choice, 3) ? UINT64_MAX >> choose(choice, 64) : choose(choice, 50);
}

bool choose_flag(struct choice *choice) { return chance(choice, 10); }

void keep_handle(uint32_t error, uint32_t handle) {
    if (!error && handle) handles[handle % HANDLES] = handle;
}

void keep_search(uint32_t error, int32_t search) {
    if (!error) searches[(uint32_t)search % HANDLES] = search;
}

/* Seeds ---------------------------------------------------------------------------------------- */

void read_seeds(const char *path) {
    FILE *file = fopen(path, "r");
    if (!file) exit(2);
    char *line = NULL;
    size_t size = 0;
    ssize_t length;
    while ((length = getline(&line, &size, file)) > 0) {
        line[strcspn(line, "\n")] = 0;
        seeds = realloc(seeds, (size_t)(seed_count + 1) * sizeof *seeds);
        seeds[seed_count++] = strdup(line);
    }
    free(line);
    fclose(file);
    if (!seed_count) exit(2);
}

void add_settings(const char *text) {
    if (settings_count < SETTINGS) settings[settings_count++] = strdup(text);
}

const char *choose_settings(struct choice *choice) { return settings[choose(choice, (uint32_t)settings_count)]; }

void call_something(struct choice *choice) {
    const struct function *function;
    do {
        function = &functions[choose(choice, (uint32_t)function_count)];
    } while (!chance(choice, (uint32_t)function->rarity));
    function->call(choice);
}
