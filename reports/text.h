/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REPORTS_TEXT_H
#define ASSAY_REPORTS_TEXT_H

/* Formatting shared by all reports, so that a number reads the same everywhere. */

#include "reports/records/record.h"

enum { TEXT_NUMBER = 32 };

/* True if the texts are equal; NULL equals "". */
bool text_same(const char *a, const char *b);

/* Three significant digits without padding: "0.71", "12.5", "3.2e+3", "0", "inf"; "-" for NaN. Returns `out`.
 */
const char *text_number(double value, char out[TEXT_NUMBER]);

/* The shortest decimal that reads back as the same double; "nan", "inf", "-inf". Returns `out`. */
const char *text_exact(double value, char out[TEXT_NUMBER]);

/* The resolution of a case, or a median of several: "1.2e-7"; "none" for infinity, where no relative scale
 * error would be detected; "–" where it is unknown. Returns `out`. */
const char *text_resolution(double value, char out[TEXT_NUMBER]);

/* The statistic of the envelope in words: "Q" is "one element", "T" "root mean square", "G" "common scale
 * error". Any other name is returned as it is, NULL as "". */
const char *text_statistic(const char *name);

/* Prints "implausible: 12.4 times the limit of independent rounding (root mean square)", with the step in a
 * chain of observed steps, without a newline; nothing where the record has no such finding. */
void text_implausible(FILE *to, const struct record *record);

/* Prints "max 0.5 ulp, bias 0.01 ulp, max err/bound 0.71, sees 1.2e-7, 64 elements, device 0.05 ms" without a
 * newline. */
void text_metrics(FILE *to, const struct record *record);

/* True if output to this stream is coloured. --color always or never decides. Otherwise, in this order: a
 * non-empty NO_COLOR disables colour (no-color.org); a CLICOLOR_FORCE that is neither empty nor 0 enables it,
 * even for a file (bixense.com/clicolors); else colour is used on a terminal that is not dumb. */
enum colour { COLOUR_AUTO, COLOUR_ALWAYS, COLOUR_NEVER };
void text_colour_when(enum colour when);
/* The columns of the terminal behind the stream, at least 40; 0 where it is none: a file, a pipe. */
int text_columns(FILE *to);

bool text_colour(FILE *to); /* NULL stands for a file */

/* As utf8_visible, with spaces for newlines and tabs: for attributes, cells and lists. The caller frees it.
 */
char *text_one_line(const char *text);

/* Prints text_one_line(text), so that a text from a backend or a file neither moves the cursor nor begins a
 * line. */
void text_put_line(FILE *to, const char *text);

/* True if the backend answered and the judge compared; otherwise the numbers of the record mean nothing. */
bool record_judged(const struct record *record);

/* error / bound for ordering: infinite for a failure without a number (a special value, a changed gap byte),
 * −1 for a record that was not judged. */
double record_nu(const struct record *record);

#endif
