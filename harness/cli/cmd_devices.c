/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/backends/backends.h"
#include "harness/cli/commands.h"
#include "harness/options/options.h"
#include "reports/text.h"

#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static const char about[] =
    "Lists the backends and devices that can run here, with driver, dtypes, float\n"
    "controls, limits and memory, and says why a device cannot be used. A single\n"
    "device or command, and any backend with --validate, is also opened, and the last\n"
    "line says whether it starts.\n"
    "\n"
    "Exit status: 3 if no device can be used.";

static const char examples[] =
    "  assay devices\n"
    "  assay devices vulkan\n"
    "  assay devices torch:cuda            does PyTorch start and have the device?\n"
    "  assay devices vulkan:llvmpipe --validate    does the validation layer load?";

enum { OPEN_SECONDS = 60 };

/* Ends the process when a program never greets or a driver never returns. */
static void give_up(int number)
{
    static const char text[] = "assay: the backend did not open within 60 s\n";
    (void)number;
    (void)!write(STDERR_FILENO, text, sizeof text - 1);
    _exit(EXIT_NOTHING_RUN);
}

/* Prints text from drivers and programs, with control characters made visible. */
static void tell(const char *before, const char *text)
{
    fputs(before, stdout);
    text_put_line(stdout, text);
}

/* Opens the backend to find out whether it is usable: for a class without a listing of its own, or for one
 * device. Returns 1 if it is. */
static int list_by_opening(const struct backend_class *class, const struct backend_options *options)
{
    struct error error = {.text = ""};
    signal(SIGALRM, give_up);
    fflush(stdout);
    alarm(OPEN_SECONDS);
    struct backend *backend = class->open(options, &error);
    alarm(0);
    if (!backend) {
        tell("  not usable: ", error.text);
        putchar('\n');
        return 0;
    }
    struct backend_info info = {.name = ""};
    class->info(backend, &info);
    tell("  usable: ", info.device);
    tell(info.driver[0] ? ", " : "", info.driver);
    tell(info.api[0] ? ", " : "", info.api);
    puts(options->validate ? ", with the validation layer" : "");
    class->close(&backend);
    return 1;
}

static int list_class(const struct backend_class *class, const char *selector, bool validate)
{
    struct backend_options options = {.selector = selector, .validate = validate};
    printf("%s: %s\n", class->name, class->help);
    fflush(stdout);
    int usable = class->list ? class->list(&options) : list_by_opening(class, &options);
    /* If one device or the validation layer is requested, the answer is whether the backend opens with it.
     */
    bool layer = validate && class->validation_messages;
    if (validate && !layer) {
        printf("  it has no validation layer\n");
    }
    return class->list && (selector || layer) ? list_by_opening(class, &options) : usable;
}

int cmd_devices(int argc, char **argv)
{
    struct texts words = {.count = 0};
    bool validate = false;
    const struct option_row rows[] = {
        {0, "validate", OPTION_FLAG, &validate, NULL, "with the validation layer", 0, 0},
        {.name = NULL},
    };
    const struct command_help help = {.usage = "assay devices [BACKEND…] [--validate]",
                                      .about = about,
                                      .examples = examples,
                                      .option = rows};
    enum options_outcome outcome = options_parse(&help, argc, argv, &words);
    int status = outcome == OPTIONS_HELP ? EXIT_HOLDS : EXIT_USAGE;
    if (outcome == OPTIONS_OK) {
        struct error error = {.text = ""};
        int usable = 0;
        bool known = true;
        for (int w = 0; w < words.count && known; w++) {
            const char *selector;
            const struct backend_class *class = backends_find(words.text[w], &selector, &error);
            known =
                class && (!validate || class->validation_messages ||
                          error_set(&error, "--validate: backend %s has no validation layer; leave it out",
                                    class->name));
        }
        for (int w = 0; w < words.count && known; w++) {
            const char *selector;
            const struct backend_class *class = backends_find(words.text[w], &selector, &error);
            usable += list_class(class, selector, validate);
        }
        for (int i = 0; words.count == 0 && backends_at(i); i++) {
            usable += list_class(backends_at(i), NULL, validate);
        }
        status = !known ? options_fault("%s", error.text) : usable ? EXIT_HOLDS : EXIT_NOTHING_RUN;
    }
    texts_destroy(&words);
    return status;
}
