/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* The matrix with its filter: a row per operator, a column per dtype, a sign per backend, folded by family. */
const filter = {
    text: '',
    backend: -1,
    status: -1,
    family: '',
    changed: false
};
const folded = new Set();
const chips = new Map(); /* the link of each cell that is shown, by its fragment */

function readFilter() {
    const values = controlValues();
    filter.text = values.text.toLowerCase();
    filter.backend = values.backend === '' ? -1 : data.backends.findIndex((backend) => backend.name === values.backend);
    filter.status = values.status === '' ? -1 : STATUS[values.status];
    filter.family = values.family;
    filter.changed = values.changed !== '';
    state.filter = values;
}

const filtered = () =>
    filter.text !== '' || filter.backend >= 0 || filter.status >= 0 || filter.family !== '' || filter.changed;
const asked = (backend) => filter.backend < 0 || data.backends[filter.backend] === backend;
const takes = (backend, c) => backend.status[c] >= 0 && (filter.status < 0 || backend.status[c] === filter.status);
const namedRow = (row) => filter.family === '' || data.rows[row][0] === filter.family;
const namedCase = (c) => filter.text === '' || caseId(c).toLowerCase().includes(filter.text);

/* True if a case of the row passes the filter. */
function rowIsShown(row) {
    if (!namedRow(row)) return false;
    if (!filtered()) return true;
    const end = rowFirst[row] + data.cases.in[row];
    const backends = data.backends.filter((backend) => asked(backend) && (!filter.changed || changed(backend, row)));
    for (let c = rowFirst[row]; c < end; c++) {
        if (namedCase(c) && backends.some((backend) => takes(backend, c))) return true;
    }
    return false;
}

const cellOf = (backend, row) => backend.cells[row];
function cellExcess(cell) {
    if (!cell) return -1;
    const nu = real(cell.max_nu);
    return isNaN(nu) ? (cell.verdict === STATUS.fail ? Infinity : -1) : nu;
}
const cellSeverity = (cell) => cell ? data.severity[cell.verdict] : -1;

/* The operators in the order of the rows: their family, name, and row by dtype. */
const operators = [];
data.rows.forEach(([family, name, dtype], row) => {
    const last = operators[operators.length - 1];
    if (!last || last.family !== family || last.name !== name)
        operators.push({family, name, rows: new Map(), place: operators.length});
    operators[operators.length - 1].rows.set(dtype, row);
});

/* The dtypes in the order that the rows of an operator have. */
function dtypesInOrder() {
    const known = ['float16', 'bfloat16', 'float32', 'float64', 'complex64', 'int8', 'uint8', 'int32', 'int64', 'bool'];
    const rank = (dtype) => (known.indexOf(dtype) + known.length + 1) % (known.length + 1);
    return [...new Set(data.rows.map((row) => row[2]))].sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
}

/* The operators that the filter lets through. Their rows are all shown, so that none seems unmeasured. */
const shownOperators = () => operators.filter((operator) => [...operator.rows.values()].some(rowIsShown));

/* Groups operators by family; with an order by verdict or error the worst family and operator come first. */
function groupedByFamily(list) {
    const by = {worst: cellSeverity, nu: cellExcess}[byId('order').value];
    const key = (operator) => Math.max(...[...operator.rows.values()].flatMap(
        (row) => data.backends.filter(asked).map((backend) => by(cellOf(backend, row)))));
    const groups = new Map();
    for (const operator of list) {
        if (!groups.has(operator.family))
            groups.set(operator.family, {family: operator.family, operators: [], key: -1});
        const group = groups.get(operator.family);
        group.operators.push(operator);
        operator.key = by ? key(operator) : 0;
        group.key = Math.max(group.key, operator.key);
    }
    for (const group of groups.values()) group.operators.sort((a, b) => inOrder(b.key, a.key) || a.place - b.place);
    return [...groups.values()].sort((a, b) => inOrder(b.key, a.key));
}

function shareText(part, all) {
    const percent = 100 * part / all;
    return part === all ? '100 %' : percent > 99.9 ? '>99.9 %' : digits(percent) + ' %';
}

/* What a cell says in words, for those who point at it or hear it. */
function cellWords(backend, row) {
    const cell = cellOf(backend, row);
    const counts = cell.count.map((count, status) => [count, status]).filter(([count]) => count);
    const words = counts.map(([count, status]) => count + ' ' + statusName(status)).join(', ');
    return rowName(row) + ' ' + data.rows[row][2] + ' on ' + backend.name + ': ' + statusName(cell.verdict) + ' (' +
        words + '), error/bound ' + digits(real(cell.max_nu)) + (cell.range ? ', ' + cell.range + ' range' : '') +
        (cell.implausible ? ', ' + cell.implausible + ' implausible' : '') + changeWords(backend, row);
}

function chip(backend, row, show) {
    const cell = cellOf(backend, row);
    const number = data.backends.length > 1 && show !== 'signs' ?
        make('small', {class: 'which', 'aria-hidden': 'true'}, String(data.backends.indexOf(backend) + 1)) :
        null;
    if (!cell)
        return make(
            'span',
            {class: 'chip empty', title: rowName(row) + ' ' + data.rows[row][2] + ' on ' + backend.name + ': no case'},
            number, ' ');
    const sign = make('span', {class: mixed(cell) ? 'mixed' : null, 'aria-hidden': 'true'}, signOf(cell));
    const all = sum(cell.count);
    const passing = cell.count[STATUS.pass];
    const extra = show === 'nu' ? digits(real(cell.max_nu)) :
        show === 'counts'       ? (passing === all ? String(all) : passing + '/' + all) :
                                  '';
    const hash = '#' + fragment(state.filter, cellKey(row), backend.name);
    const words = cellWords(backend, row);
    const look = lookOf(cell) + (changed(backend, row) ? ' changed' : '');
    const link = make(
        'a', {href: hash, class: 'chip ' + look, title: words, 'aria-label': words}, number, sign,
        extra ? ' ' + extra : null,
        show !== 'signs' && mixed(cell) && show === 'nu' ? make('small', {}, ' ' + passing + '/' + all) : null);
    chips.set(hash, link);
    return link;
}

/* Up to eight signs stand in one line, more in lines of eight. */
const chipsLook = (backends, show) => 'chips ' + show +
    (show !== 'signs'         ? '' :
         backends.length <= 8 ? ' few' :
                                ' many');

function operatorRow(operator, dtypes, backends, show) {
    const cells = dtypes.map((dtype) => {
        const row = operator.rows.get(dtype);
        if (row === undefined) return make('td', {role: 'cell', class: 'blank'});
        return make(
            'td', {role: 'cell'}, narrow(dtype),
            make('span', {class: chipsLook(backends, show)}, ...backends.map((backend) => chip(backend, row, show))));
    });
    return tableRow(rowHead(operator.name), ...cells);
}

/* The heading of a family: a button that folds it, and the share of passing cases of each backend. */
function familyHead(group, columns, backends) {
    const {family} = group;
    const shares = backends.map((backend) => {
        const counts =
            data.rows.map((names, row) => names[0] === family && cellOf(backend, row)).filter((cell) => cell);
        const all = counts.reduce((so, cell) => so + sum(cell.count), 0);
        const passing = counts.reduce((so, cell) => so + cell.count[STATUS.pass], 0);
        const name = backends.length > 1 ? backend.name + ' ' : '';
        const text = all ? name + shareText(passing, all) : name + '–';
        return make('span', {class: 'share', title: passing + ' of ' + all + ' cases pass'}, text);
    });
    const button = make(
        'button', {type: 'button', class: 'link', 'aria-expanded': folded.has(family) ? 'false' : 'true'},
        make('span', {'aria-hidden': 'true'}, folded.has(family) ? '▸ ' : '▾ '), family);
    pressed(button, () => {
        if (!folded.delete(family)) folded.add(family);
        showMatrix();
        const again = byId('matrix-table').querySelector('tbody[data-family="' + CSS.escape(family) + '"] button');
        if (again) again.focus();
    });
    const count = group.operators.length;
    return tableRow(make(
        'th', {scope: 'rowgroup', role: 'rowheader', colspan: columns, class: 'family'}, button,
        ' ' + count + (count === 1 ? ' operator' : ' operators') + ' · pass: ', ...shares));
}

function showMatrix() {
    const backends = data.backends.filter(asked);
    const dtypes = dtypesInOrder();
    const show = byId('show').value;
    const table = byId('matrix-table');
    const head = table.tHead.rows[0];
    while (head.cells.length > 1) head.deleteCell(1);
    const numbers = () => backends.length > 1 && show === 'signs' ?
        make(
            'span', {class: chipsLook(backends, show) + ' numbers', 'aria-hidden': 'true'},
            ...backends.map((backend) => make('span', {class: 'chip'}, String(data.backends.indexOf(backend) + 1)))) :
        null;
    for (const dtype of dtypes) head.append(make('th', {scope: 'col', role: 'columnheader'}, dtype, numbers()));
    const list = shownOperators();
    const groups = groupedByFamily(list);
    chips.clear();
    [...table.tBodies].forEach((body) => body.remove());
    for (const group of groups) {
        const body = make('tbody', {role: 'rowgroup', 'data-family': group.family});
        body.append(familyHead(group, dtypes.length + 1, backends));
        if (!folded.has(group.family))
            body.append(...group.operators.map((operator) => operatorRow(operator, dtypes, backends, show)));
        table.append(body);
    }
    const open = groups.some((group) => !folded.has(group.family));
    byId('fold').textContent = open ? 'Fold all families' : 'Unfold all families';
    const text = (count, all, what) => count.toLocaleString('en') + ' of ' + all.toLocaleString('en') + ' ' + what;
    byId('shown').textContent = text(list.length, operators.length, 'operators') + (notice ? '. ' + notice : '');
    fitMatrix();
}

/* The headings stay in view where the table fits; else it scrolls on its own. */
function fitMatrix() {
    const box = byId('matrix-wide');
    box.classList.remove('fits');
    box.classList.toggle('fits', box.scrollWidth <= box.clientWidth + 1);
}

const families = () => [...new Set(operators.map((operator) => operator.family))];

function foldAll() {
    const open = families().some((family) => !folded.has(family));
    folded.clear();
    if (open) families().forEach((family) => folded.add(family));
    showMatrix();
}

/* A table of very many cells begins folded, because a browser takes seconds to draw it. */
function foldIfLarge() {
    if (data.rows.length * data.backends.length > 8000) families().forEach((family) => folded.add(family));
}

function offerFilters() {
    const offer = (id, value, text) => byId(id).append(make('option', {value}, text));
    data.backends.forEach((backend) => offer('backend', backend.name, backend.name));
    const used = data.statuses.filter((name, status) => data.backends.some((backend) => backend.summary.count[status]));
    used.forEach((name) => offer('status', name, name.replace('_', ' ')));
    families().forEach((family) => offer('family', family, family));
    byId('changed-field').hidden = !data.before;
}
