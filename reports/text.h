/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REPORTS_TEXT_H
#define ASSAY_REPORTS_TEXT_H

/* Small pieces of wording that all reports share, so that a number reads the same everywhere. */

#include "reports/records/record.h"

enum { TEXT_NUMBER = 32 };

/* Equal, where NULL is as good as "". */
bool text_same(const char *a, const char *b);

/* Three significant digits without padding: "0.71", "12.5", "3.2e+3", "0", "inf"; "-" for NaN. Returns `out`.
 */
const char *text_number(double value, char out[TEXT_NUMBER]);

/* The shortest decimal that reads back as the same double; "nan", "inf", "-inf". Returns `out`. */
const char *text_exact(double value, char out[TEXT_NUMBER]);

/* The resolution of a case, or a median of several: "1.2e-7"; "none" for infinity, where no error of scale
 * would be seen; "–" where it is not known. Returns `out`. */
const char *text_resolution(double value, char out[TEXT_NUMBER]);

/* "implausible: 12.4 times the limit of independent rounding, by T": one line, no newline; nothing where the
 * record has no such finding. */
void text_implausible(FILE *to, const struct record *record);

/* "max 0.5 ulp, bias 0.01 ulp, max err/bound 0.71, sees 1.2e-7, 64 elements, device 0.05 ms": one line, no
 * newline. */
void text_metrics(FILE *to, const struct record *record);

/* Whether escape codes for colour belong there. --color decides where it says always or never. Else, in this
 * order: NO_COLOR, set and not empty, takes them away (no-color.org); CLICOLOR_FORCE, set and neither empty
 * nor 0, gives them even to a file (bixense.com/clicolors); they are for a person, at a terminal that is not
 * dumb. */
enum colour { COLOUR_AUTO, COLOUR_ALWAYS, COLOUR_NEVER };
void text_colour_when(enum colour when);
bool text_colour(FILE *to); /* NULL: a file, no terminal */

/* utf8_visible with spaces for newlines and tabs: for attributes, cells and lists. The caller frees it. */
char *text_one_line(const char *text);

/* Writes it: what a backend or a file has said moves no cursor and begins no line. */
void text_put_line(FILE *to, const char *text);

/* Whether the backend answered and the judge compared: only then do a record's numbers say anything. */
bool record_judged(const struct record *record);

/* ν for ordering: what failed without a number (a special value, a changed gap byte) is as wrong as can be.
 */
double record_nu(const struct record *record);

#endif
