/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REPORTS_JUNIT_TEST_JUNIT_DOCUMENT_H
#define ASSAY_REPORTS_JUNIT_TEST_JUNIT_DOCUMENT_H

/* JUnit XML of results as a document that the schema accepts, and what XPath finds in it. */

#include "reports/report.h"
#include "reports/test/fixture.h"

#include <criterion/criterion.h>
#include <libxml/parser.h>
#include <libxml/xmlschemas.h>
#include <libxml/xpath.h>

#define SCHEMA "reports/junit/test/junit-10.xsd"

static inline char *junit(const struct results *results, unsigned gate)
{
    struct error error = {0};
    bool ok;
    char *xml;
    PRINT(xml, ok = report_junit(to, results, gate, &error));
    cr_assert(ok, "%s", error.text);
    return xml;
}

static inline xmlDocPtr valid(const char *xml)
{
    xmlSchemaParserCtxtPtr parser = xmlSchemaNewParserCtxt(SCHEMA);
    xmlSchemaPtr schema = xmlSchemaParse(parser);
    cr_assert(schema, "%s is not there: run from the repository's root", SCHEMA);
    xmlSchemaValidCtxtPtr context = xmlSchemaNewValidCtxt(schema);
    xmlDocPtr document = xmlReadMemory(xml, (int)strlen(xml), "junit.xml", NULL, XML_PARSE_NONET);
    cr_assert(document, "not well-formed:\n%s", xml);
    cr_assert_eq(xmlSchemaValidateDoc(context, document), 0, "not valid:\n%s", xml);
    xmlSchemaFreeValidCtxt(context);
    xmlSchemaFree(schema);
    xmlSchemaFreeParserCtxt(parser);
    return document;
}

static inline xmlDocPtr document_of(const struct results *results, unsigned gate)
{
    char *xml = junit(results, gate);
    xmlDocPtr document = valid(xml);
    free(xml);
    return document;
}

/* The string value of an XPath expression; the caller frees it. */
static inline char *ask(xmlDocPtr document, const char *path)
{
    xmlXPathContextPtr context = xmlXPathNewContext(document);
    xmlXPathObjectPtr found = xmlXPathEvalExpression(BAD_CAST path, context);
    cr_assert(found, "%s", path);
    char *value = (char *)xmlXPathCastToString(found);
    xmlXPathFreeObject(found);
    xmlXPathFreeContext(context);
    return value;
}

static inline void says(xmlDocPtr document, const char *path, const char *expected)
{
    char *value = ask(document, path);
    cr_assert_str_eq(value, expected, "%s is\n%s\nnot\n%s", path, value, expected);
    xmlFree(value);
}

#define CASE(class, name) "//testcase[@classname='" class "' and @name='" name "']"

#endif
