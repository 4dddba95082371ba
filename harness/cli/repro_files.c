/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/cli/repro_files.h"
#include "harness/backends.h"
#include "harness/cli/commands.h"
#include "harness/cli/files.h"
#include "harness/cli/nearest.h"
#include "harness/cli/npy.h"
#include "harness/cli/repro_inputs.h"
#include "harness/verdict/case.h"
#include "harness/verdict/judge.h"
#include "reports/report.h"

#include <jansson.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* What was read from the files; the ad-hoc case builds its program from it. */
struct drift {
    const struct repro_files *files;
    const struct op *op;
    struct attributes attributes;
    struct repro_inputs inputs;
    const char *backend;
    bool first;       /* this backend writes truth and bound, under its profile */
    double condition; /* greatest E_compute/(u·|truth|) */
    double unit;      /* u of the dtype */
};

/* --- reading */

static bool read_attribute(const char *text, struct drift *drift, struct error *error)
{
    const char *equals = strchr(text, '=');
    struct attributes *attributes = &drift->attributes;
    if (!equals || equals == text || attributes->count == ATTRIBUTES_MAX) {
        return error_set(error, "--attr %s: give NAME=VALUE", text);
    }
    char name[64], known[256] = "";
    snprintf(name, sizeof name, "%.*s", (int)(equals - text), text);
    struct attribute *attribute = &attributes->item[attributes->count];
    for (int a = 0; a < ATTRIBUTES_MAX && drift->op->attributes[a].name; a++) {
        if (strcmp(drift->op->attributes[a].name, name) == 0) {
            attribute->name = drift->op->attributes[a].name;
        }
        size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, " %s", drift->op->attributes[a].name);
    }
    if (!attribute->name) {
        return error_set(error, "--attr %s: %s has no attribute \"%s\"%s%s", text, drift->op->name, name,
                         known[0] ? "; it has" : "", known);
    }
    char *end;
    attribute->integer = strtoll(equals + 1, &end, 10);
    attribute->type = ATTRIBUTE_INTEGER;
    if (*end == ',') {
        attribute->type = ATTRIBUTE_INTEGERS;
        attribute->integers = (struct shape){.rank = 1, .dim = {attribute->integer}};
        while (*end == ',' && attribute->integers.rank < RANK_MAX) {
            attribute->integers.dim[attribute->integers.rank++] = strtoll(end + 1, &end, 10);
        }
    } else if (*end) {
        attribute->real = strtod(equals + 1, &end);
        attribute->type = ATTRIBUTE_REAL;
    }
    attributes->count++;
    return (end != equals + 1 && !*end) || error_set(error, "--attr %s: the value is no number", text);
}

static bool read_all(struct drift *drift, struct error *error)
{
    const struct repro_files *files = drift->files;
    drift->op = op_find(files->op);
    if (!drift->op) {
        struct nearest nearest = {.word = files->op};
        for (int i = 0; i < op_count(); i++) {
            nearest_offer(&nearest, op_at(i)->name);
        }
        return error_set(error, "unknown operator \"%s\"%s%s", files->op,
                         nearest.best ? "; did you mean " : "", nearest.best ? nearest.best : "");
    }
    enum dtype dtype = DTYPE_COUNT;
    if (files->dtype && !dtype_from_name(files->dtype, &dtype)) {
        return error_set(error, "--dtype %s: no dtype of that name; float32, float16, …", files->dtype);
    }
    bool good = true;
    for (int a = 0; good && a < files->attributes.count; a++) {
        good = read_attribute(files->attributes.text[a], drift, error);
    }
    return good &&
           repro_inputs_read(&drift->inputs, drift->op, &files->inputs, dtype, &drift->attributes, error);
}

static const struct tensor *leading_input(const struct drift *drift)
{
    return &drift->inputs.input[op_leading_input(drift->op)];
}

static bool build(const struct suite_case *c, uint64_t seed, struct program *program, struct error *error)
{
    const struct drift *drift = c->row;
    struct view view[OPERANDS_MAX];
    (void)seed;
    for (int i = 0; i < drift->inputs.inputs; i++) {
        const struct tensor *tensor = &drift->inputs.input[i];
        view[i] = program_input(program, tensor->dtype, &tensor->shape);
        if (tensor->data) {
            memcpy(program->storage[view[i].storage].data, tensor->data, tensor_bytes(tensor));
        }
    }
    struct op_operands operands;
    struct op_signature signature;
    struct tensor value[OPERANDS_MAX];
    bool good = program_operands(program, drift->op, &drift->attributes, drift->inputs.inputs, view, value,
                                 &operands) &&
                drift->op->signature(drift->op, &operands, &signature, error) &&
                program_step(program, drift->op, &drift->attributes, drift->inputs.inputs, view) != NULL;
    for (int i = 0; i < OPERANDS_MAX; i++) {
        tensor_destroy(&value[i]);
    }
    return good;
}

/* --- after the verdict */

static void write_values(const struct drift *drift, const char *name, int tensors, int judged,
                         const struct shape *shape, const double *values)
{
    char path[1024], number[16] = "";
    struct error error;
    if (tensors > 1) {
        snprintf(number, sizeof number, "-%d", judged);
    }
    snprintf(path, sizeof path, "%s/%s%s.npy", drift->files->output_dir, name, number);
    for (char *c = path + strlen(drift->files->output_dir) + 1; *c; c++) {
        *c = *c == '/' || *c == ':' || *c == ' ' ? '_' : *c;
    }
    if (!npy_write(path, 1, shape, values, &error)) {
        fprintf(stderr, "assay: %s\n", error.text);
    }
}

/* Real dtypes only: a complex truth has no float64 array of its own. */
static void write_tensor(struct drift *drift, const struct bound_query *query, const struct view *view,
                         const struct images *images, int tensors)
{
    const struct truth_output *output = &query->truth->output[query->output];
    size_t count = (size_t)output->elements, size = dtype_info(output->dtype)->size;
    double *values[4] = {calloc(count + 1, sizeof(double)), calloc(count + 1, sizeof(double)),
                         calloc(count + 1, sizeof(double)), calloc(count + 1, sizeof(double))};
    char got[128];
    snprintf(got, sizeof got, "got-%s", drift->backend);
    for (int64_t i = 0; i < output->elements && values[0] && values[1] && values[2] && values[3]; i++) {
        struct bound_query one = *query;
        struct accept accept;
        one.element = i;
        op_accept(&one, &accept);
        const struct value *truth = &output->value[i];
        values[0][i] = value_approximately(truth);
        values[1][i] = ldexp(truth->lo, truth->exponent);
        values[2][i] = accept.set[0].radius;
        const unsigned char *bytes =
            images->image[view->storage] + BACKEND_GUARD + (size_t)view_element(view, i) * size;
        values[3][i] = dtype_load(output->dtype, bytes);
    }
    static const char *const names[] = {"truth", "truth_tail", "bound"};
    for (int n = 0; n < 4; n++) {
        if (values[n] && (n == 3 || drift->first)) {
            write_values(drift, n == 3 ? got : names[n], tensors, query->output, &output->shape, values[n]);
        }
    }
    for (int n = 0; n < 4; n++) {
        free(values[n]);
    }
}

static void inspect(void *user, const struct program *program, const struct program_truth *truth,
                    const struct images *images, const struct profile *profile)
{
    struct drift *drift = user;
    const struct step *step = &program->step[0];
    struct view judged[TRUTH_OUTPUTS_MAX];
    int tensors = step_judged(step, judged);
    for (int o = 0; truth->truth[0] && o < tensors; o++) {
        const struct truth_output *output = &truth->truth[0]->output[o];
        struct profile own = profile_of_operator(profile, step->op->name);
        struct bound_query query = {.op = step->op,
                                    .profile = &own,
                                    .attributes = &step->attributes,
                                    .truth = truth->truth[0],
                                    .output = o};
        drift->unit = profile_unit_roundoff(profile, output->dtype);
        for (query.element = 0; drift->unit > 0 && query.element < output->elements; query.element++) {
            int components = dtype_info(output->dtype)->components;
            double magnitude = fabs(value_approximately(&output->value[query.element * components]));
            double error = step->op->bound ? step->op->bound(&query) : 0;
            if (magnitude > 0 && isfinite(magnitude) && error > 0) {
                drift->condition = fmax(drift->condition, error / (drift->unit * magnitude));
            }
        }
        if (drift->files->output_dir && dtype_info(output->dtype)->components == 1) {
            write_tensor(drift, &query, &judged[o], images, tensors);
        }
    }
}

/* A first diagnosis in plain words. nu·u is the unit roundoff under which the result would be in bound. */
static void diagnose(const struct drift *drift, const struct record *record, char *text, size_t size)
{
    double effective = record->max_nu * drift->unit;
    if (record->status == STATUS_VACUOUS) {
        snprintf(text, size,
                 "ill-conditioned: no computation in this dtype can resolve the result (bound/scale %.2g)",
                 record->median_rho);
    } else if (record->status != STATUS_PASS && record->status != STATUS_FAIL) {
        snprintf(text, size, "no answer: %s", record->reason ? record->reason : status_name(record->status));
    } else if (record->status == STATUS_PASS && record->max_ulp <= 1) {
        snprintf(text, size, "right to the last place");
    } else if (record->status == STATUS_PASS && isinf(drift->condition)) {
        snprintf(text, size,
                 "no defect: ill-conditioned beyond this dtype (rounding alone may change the result to "
                 "anything that "
                 "the bound admits)");
    } else if (record->status == STATUS_PASS) {
        snprintf(text, size,
                 "no defect: the conditioning explains the error (%.3g ulp; rounding is amplified up to %.3g "
                 "times)",
                 record->max_ulp, drift->condition);
    } else if (record->over_bound == 0 || isinf(record->max_nu)) {
        snprintf(text, size, "defect: %s", record->reason ? record->reason : "");
    } else if (effective <= 0x1p-10) {
        snprintf(text, size,
                 "outside the bound %.3g times: consistent with arithmetic of 11 bits (float16, TF32)",
                 record->max_nu);
    } else if (effective <= 0x1p-7) {
        snprintf(text, size, "outside the bound %.3g times: consistent with arithmetic of 8 bits (bfloat16)",
                 record->max_nu);
    } else {
        snprintf(text, size, "defect: the error is %.3g times what rounding explains", record->max_nu);
    }
}

static json_t *number(double x)
{
    return isfinite(x) ? json_real(x) : json_string(isnan(x) ? "nan" : x > 0 ? "inf" : "-inf");
}

static json_t *text_or_null(const char *text)
{
    return text ? json_string(text) : json_null();
}

/* In the child: the whole road, then one JSON object on `to`. */
static void answer(struct drift *drift, const struct plan_options *options, FILE *to)
{
    struct error error = {.text = ""};
    struct backend_options backend_options = {.validate = options->validate};
    const struct backend_class *class = backends_find(drift->backend, &backend_options.selector, &error);
    struct backend *backend = class ? class->open(&backend_options, &error) : NULL;
    if (!backend) {
        json_t *refusal = json_pack("{s:s}", "refused", error.text);
        json_dumpf(refusal, to, JSON_COMPACT);
        json_decref(refusal);
        return;
    }
    struct backend_info info;
    struct suite_case c = {.op = drift->op,
                           .dtype = leading_input(drift)->dtype,
                           .name = "files",
                           .file = drift->files->inputs.text[0],
                           .covers = "",
                           .build = build,
                           .row = drift};
    struct case_options case_options = {
        .seed = options->seed, .repeat = 2, .inspect = inspect, .user = drift};
    struct record record;
    char diagnosis[512];
    class->info(backend, &info);
    case_run(&c, drift->op->name, class, backend, &case_options, &record);
    diagnose(drift, &record, diagnosis, sizeof diagnosis);
    json_t *worst =
        json_pack("{s:I, s:o, s:o, s:o, s:o}", "index", (json_int_t)record.worst.index, "where",
                  text_or_null(record.worst.where), "inputs", text_or_null(record.worst.inputs), "truth",
                  text_or_null(record.worst.truth), "got", text_or_null(record.worst.got));
    json_t *json = json_pack(
        "{s:s, s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:s, s:i, s:o, s:o}", "name", drift->backend,
        "device", info.device, "status", status_name(record.status), "reason", text_or_null(record.reason),
        "max_ulp", number(record.max_ulp), "mean_ulp", number(record.mean_ulp), "bias_ulp",
        number(record.bias_ulp), "max_nu", number(record.max_nu), "nmse", number(record.nmse), "bit_exact",
        number(record.bit_exact), "worst", worst, "diagnosis", diagnosis, "truth_bits", record.truth_bits,
        "conditioning", number(drift->condition), "inputs_digest", text_or_null(record.inputs_digest));
    json_dumpf(json, to, JSON_COMPACT | JSON_REAL_PRECISION(17));
    json_decref(json);
    record_clear(&record);
    class->close(&backend);
}

/* Runs one backend in a child; its object, or one that says how the child died. */
static json_t *ask(struct drift *drift, const struct plan_options *options)
{
    int ends[2], status = 0;
    fflush(NULL);
    pid_t pid = pipe(ends) == 0 ? fork() : -1;
    if (pid < 0) {
        return json_pack("{s:s, s:s}", "name", drift->backend, "refused", "no process for it");
    }
    if (pid == 0) {
        close(ends[0]);
        FILE *to = fdopen(ends[1], "w");
        answer(drift, options, to);
        fflush(to);
        _exit(0);
    }
    close(ends[1]);
    FILE *from = fdopen(ends[0], "r");
    json_error_t fault;
    json_t *json = json_loadf(from, JSON_DISABLE_EOF_CHECK, &fault);
    fclose(from);
    waitpid(pid, &status, 0);
    if (!json) {
        char text[128];
        snprintf(text, sizeof text, "the process died: %s",
                 WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) : "exit");
        json = json_pack("{s:s, s:s, s:s}", "name", drift->backend, "status", "crash", "diagnosis", text);
    }
    return json;
}

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "-";
}

static void print_text(const struct drift *drift, const json_t *backends)
{
    size_t i;
    json_t *backend;
    char shape[160];
    shape_print(&leading_input(drift)->shape, shape, sizeof shape);
    printf("%s of %s %s\n", drift->op->name, dtype_info(leading_input(drift)->dtype)->name, shape);
    json_array_foreach(backends, i, backend)
    {
        const json_t *worst = json_object_get(backend, "worst");
        printf("%s: %s\n  diagnosis        %s\n", text_of(backend, "name"), text_of(backend, "status"),
               text_of(backend, "diagnosis"));
        if (json_is_string(json_object_get(worst, "truth"))) {
            printf("  worst element    %s\n  truth            %s\n  got              %s\n",
                   text_of(worst, "where"), text_of(worst, "truth"), text_of(worst, "got"));
        }
        static const char *const keys[] = {"max_ulp", "max_nu", "conditioning"};
        static const char *const names[] = {"max ulp", "max err/bound", "amplification"};
        for (int k = 0; k < 3; k++) {
            const json_t *value = json_object_get(backend, keys[k]);
            if (json_is_real(value)) {
                printf("  %-16s %.6g\n", names[k], json_real_value(value));
            }
        }
    }
}

static int conclude(const struct drift *drift, json_t *backends)
{
    int status = EXIT_HOLDS;
    size_t i;
    json_t *backend;
    const json_t *first = NULL;
    json_array_foreach(backends, i, backend)
    {
        const char *refused = json_string_value(json_object_get(backend, "refused"));
        enum status verdict = STATUS_ERROR;
        if (refused) {
            return options_fault("%s", refused), EXIT_NOTHING_RUN;
        }
        status_from_name(text_of(backend, "status"), &verdict);
        status = status_fails_gate(verdict, false) ? EXIT_GATE : status;
        first = first ? first : backend;
    }
    if (strcmp(drift->files->format, "json") != 0) {
        print_text(drift, backends);
        return status;
    }
    json_t *whole =
        json_pack("{s:s, s:s, s:O?, s:O?, s:O?, s:O?, s:O}", "op", drift->op->name, "dtype",
                  dtype_info(leading_input(drift)->dtype)->name, "inputs_digest",
                  json_object_get(first, "inputs_digest"), "truth_bits", json_object_get(first, "truth_bits"),
                  "conditioning", json_object_get(first, "conditioning"), "diagnosis",
                  json_object_get(first, "diagnosis"), "backends", backends);
    json_dumpf(whole, stdout, JSON_INDENT(1) | JSON_REAL_PRECISION(17));
    putchar('\n');
    json_decref(whole);
    return status;
}

int repro_files(const struct plan_options *options, const struct repro_files *files)
{
    struct drift drift = {.files = files};
    struct error error = {.text = ""};
    int status = EXIT_USAGE;
    if (strcmp(files->format, "text") != 0 && strcmp(files->format, "json") != 0) {
        return options_fault("--format %s: text or json", files->format);
    }
    char inside[1100];
    snprintf(inside, sizeof inside, "%s/x", files->output_dir ? files->output_dir : ".");
    if (!read_all(&drift, &error)) {
        options_fault("%s", error.text);
    } else if (!files_make_parents(inside)) {
        options_fault("--output-dir %s: cannot be made", files->output_dir);
    } else {
        json_t *backends = json_array();
        for (int b = 0; b < options->backends.count; b++) {
            drift.backend = options->backends.text[b];
            drift.first = b == 0;
            json_array_append_new(backends, ask(&drift, options));
        }
        status = conclude(&drift, backends);
        json_decref(backends);
    }
    repro_inputs_clear(&drift.inputs);
    return status;
}
