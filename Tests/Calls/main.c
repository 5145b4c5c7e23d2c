/* Calls all functions of the library with random arguments on many threads for a while.
 *
 *     calls SECONDS SEED THREADS SEEDS ENDPOINT DID VERKEY
 *
 * Fails unless each accepted call has called back exactly once, and no refused one has. Works in the working directory.
 */
#include <dirent.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "calls.h"

enum { WALLETS = 3, MOST_THREADS = 64, PATIENCE = 180 };

static double end;

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static bool is_over(void) { return now() >= end; }

static void *call_at_random(void *seed) {
    struct choice choice = new_choice((uintptr_t)seed);
    while (!is_over()) {
        call_something(&choice);
        if (is_crowded()) usleep(2000);
    }
    free_choice(&choice);
    return NULL;
}

static void on_done(vcx_command_handle_t command, vcx_error_t error) { called_back(command, error); }

static void on_text(vcx_command_handle_t command, vcx_error_t error, const char *text) {
    read_text(text);
    called_back(command, error);
}

/* Opens a wallet again after a shutdown; now and then it provisions anew, for a shutdown can delete a wallet. */
static void *keep_open(void *seed) {
    struct choice choice = new_choice((uintptr_t)seed);
    for (int turn = 1; !is_over(); turn++) {
        const char *settings = choose_settings(&choice);
        uint32_t command = begin_call();
        if (turn % 20)
            end_call(command, vcx_init_with_config(command, settings, on_done), true, "vcx_init_with_config");
        else
            end_call(command, vcx_agent_provision_async(command, settings, on_text), true, "vcx_agent_provision_async");
        usleep(100000);
    }
    free_choice(&choice);
    return NULL;
}

static void provision(int number, char **agency) {
    char settings[2048];
    snprintf(
        settings, sizeof settings,
        "{\"agency_endpoint\":\"%s\",\"agency_did\":\"%s\",\"agency_verkey\":\"%s\",\"wallet_name\":\"w%d\","
        "\"wallet_key\":\"8dvfYSt5d1taSd6yJdpjq4emkwsPDDLYxkNFysFD2cZY\",\"wallet_key_derivation\":\"RAW\","
        "\"institution_name\":\"Faber\",\"storage_config\":{\"path\":\"wallets\"}}",
        agency[0], agency[1], agency[2], number);
    const char *provisioned = vcx_provision_agent(settings);
    if (!provisioned) {
        const char *error = NULL;
        vcx_get_current_error(&error);
        fprintf(stderr, "no agent: %s\n", error ? error : "");
        exit(2);
    }
    add_settings(provisioned);
}

static int entries(const char *path) {
    DIR *folder = opendir(path);
    int count = 0;
    while (folder && readdir(folder)) count++;
    if (folder) closedir(folder);
    return count;
}

static void print_state(const char *when) {
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file && fscanf(file, "%*d %ld", &pages) != 1) pages = 0;
    if (file) fclose(file);
    printf(
        "%s: %ld MB, %d descriptors, %d threads\n", when, pages * sysconf(_SC_PAGESIZE) >> 20,
        entries("/proc/self/fd"), entries("/proc/self/task"));
}

int main(int count, char **arguments) {
    if (count != 8) return 2;
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (!dlsym(RTLD_DEFAULT, "only_loopback")) {
        fprintf(stderr, "loopback.so is not preloaded\n");
        return 2;
    }
    uintptr_t seed = (uintptr_t)atol(arguments[2]) * 1000;
    int threads = atoi(arguments[3]) < MOST_THREADS ? atoi(arguments[3]) : MOST_THREADS;
    read_seeds(arguments[4]);
    for (int i = 0; i < WALLETS; i++) provision(i, arguments + 5);
    print_state("before");

    end = now() + atof(arguments[1]);
    pthread_t callers[MOST_THREADS], opener;
    for (int i = 0; i < threads; i++) pthread_create(&callers[i], NULL, call_at_random, (void *)(seed + (uintptr_t)i));
    pthread_create(&opener, NULL, keep_open, (void *)(seed + MOST_THREADS));
    for (int i = 0; i < threads; i++) pthread_join(callers[i], NULL);
    pthread_join(opener, NULL);
    for (int second = 0; open_calls() && second < PATIENCE; second++) sleep(1);
    vcx_shutdown(false);
    print_state("after");
    return print_account() ? 0 : 1;
}
