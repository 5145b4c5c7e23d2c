/* Loads the library and calls each of the functions named on the command line with zeros for all arguments: none may
   crash, and those with a callback ("+name") refuse to start without one.

   The call goes through a type that is not the function's own. On the 64-bit calling conventions of Linux, zeros in all
   argument registers and on the stack are zeros for any list of parameters. */
#define _POSIX_C_SOURCE 200809L
#include <dlfcn.h>

#include "check.h"

typedef uint32_t (*function_t)(void *, void *, void *, void *, void *, void *, void *, void *, void *, void *, void *,
                               void *);

int main(int argc, char **argv) {
    void *library = dlopen(argv[1], RTLD_NOW);
    int i;
    CHECK(library != NULL);
    for (i = 2; i < argc; i++) {
        const char *name = argv[i] + (argv[i][0] == '+');
        function_t function;
        uint32_t result;
        void *symbol = dlsym(library, name);
        if (symbol == NULL) {
            fprintf(stderr, "%s is not there\n", name);
            return 1;
        }
        memcpy(&function, &symbol, sizeof function);
        result = function(NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
        if (argv[i][0] == '+' && result != VCX_INVALID_OPTION) {
            fprintf(stderr, "%s without a callback gives %u\n", name, result);
            return 1;
        }
    }
    return 0;
}
