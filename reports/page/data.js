/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* The data block, whose layout reports/html/html_data.h describes. */
const data = JSON.parse(document.getElementById('data').textContent);

/* null is NaN, and the texts "inf" and "-inf" are infinities, because JSON has neither. */
const real = (value) => value === null || value === undefined ? NaN :
    value === 'inf'                                           ? Infinity :
    value === '-inf'                                          ? -Infinity :
                                                                value;

const STATUS = {};
data.statuses.forEach((name, index) => {
    STATUS[name] = index;
});
const GATE = ['fail', 'crash', 'timeout', 'error', 'missing'].map((name) => STATUS[name]);

/* The colour of a status, which only repeats its sign. */
const LOOK = {
    pass: 'pass',
    fail: 'fail',
    vacuous: 'none',
    unsupported: 'none',
    crash: 'fail',
    timeout: 'fail',
    error: 'fail',
    expected_fail: 'warn',
    unexpected_pass: 'warn',
    flake: 'warn',
    missing: 'fail'
};

const caseRow = new Int32Array(data.cases.name.length);
const rowFirst = [];
data.cases.in.reduce((at, count, row) => {
                 rowFirst.push(at);
                 caseRow.fill(row, at, at + count);
                 return at + count;
             }, 0);

for (const backend of data.backends) {
    const letters = backend.records.status;
    let next = 0;
    backend.status = new Int8Array(letters.length).fill(-1);
    backend.index = new Int32Array(letters.length).fill(-1);
    for (let c = 0; c < letters.length; c++) {
        if (letters[c] !== '.') {
            backend.status[c] = letters.charCodeAt(c) - 97;
            backend.index[c] = next++;
        }
    }
    backend.told = new Map(backend.told.map((told) => [told.case, told]));
}

const statusName = (status) => data.statuses[status].replace('_', ' ');

/* The sign and the colour of a cell; wrong elements that the profile excuses have a sign of their own. */
const inRange = (cell) => cell.range > 0 && (cell.verdict === STATUS.pass || cell.verdict === STATUS.vacuous);
const signOf = (cell) => inRange(cell) ? data.range[0] : data.signs[cell.verdict];
const lookOf = (cell) => inRange(cell) ? 'warn' : LOOK[data.statuses[cell.verdict]] || 'warn';
const sum = (counts) => counts.reduce((all, one) => all + one, 0);
const mixed = (cell) => cell.count[cell.verdict] < sum(cell.count);

const rowName = (row) => data.rows[row][0] + '/' + data.rows[row][1];
const caseName = (c) => Array.isArray(data.cases.name[c]) ? data.cases.name[c][0] : data.cases.name[c];
const caseId = (c) => Array.isArray(data.cases.name[c]) ? data.cases.name[c][0] :
                                                          data.rows[caseRow[c]].join('/') + '/' + data.cases.name[c];
const textOf = (number) => number === undefined || number < 0 ? '' : data.texts[number];

/* The number of case c in this column of the records. */
const measured = (backend, c, column) => real(backend.records[column][backend.index[c]]);
const histogram = (backend, c) => backend.records.ulp[backend.index[c]] || [];
const judged = (status) => ['pass', 'fail', 'vacuous', 'expected_fail', 'unexpected_pass', 'flake'].includes(
    data.statuses[status]);

/* error / bound for ordering: infinite for a failure without a number, −1 for a case that was not judged. */
function excess(backend, c) {
    const nu = measured(backend, c, 'max_nu');
    const status = backend.status[c];
    if (!judged(status)) return -1;
    return isNaN(nu) ? (status === STATUS.fail || status === STATUS.expected_fail ? Infinity : 0) : nu;
}

const replay = (backend, c) => (backend.told.get(c) || {}).repro ||
    'assay repro ' + caseId(c) + ' --backend ' + backend.name + ' --seed ' + (backend.seed || '?');

/* The statistic of the envelope in words. */
const statistic = (name) =>
    new Map([['Q', 'one element'], ['T', 'root mean square'], ['G', 'common scale error']]).get(name) || name;

/* Three digits; – where nothing was measured. */
function digits(value) {
    if (isNaN(value)) return '–';
    if (value === 0) return '0';
    if (!isFinite(value)) return value > 0 ? '∞' : '−∞';
    const size = Math.abs(value);
    if (size >= 0.001 && size < 999.5) return String(Number(value.toPrecision(3)));
    return value.toExponential(1).replace('e+', 'e').replace('e0', '');
}
const seen = (value) => value === Infinity ? 'none' : digits(value);
