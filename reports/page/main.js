/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* The logbook of environments, and the start of the page. */
function logbookRow(name, values) {
    if (!values.some((value) => value)) return;
    byId('logbook-table')
        .tBodies[0]
        .append(tableRow(rowHead(name), ...values.map((value, k) => tableCell(data.backends[k].name, value || '–'))));
}

function showPairs(member, prefix) {
    const names = new Set(data.backends.flatMap((backend) => (backend[member] || []).map((pair) => pair[0])));
    for (const name of names) {
        logbookRow(prefix + name, data.backends.map((backend) => {
            const pair = (backend[member] || []).find((one) => one[0] === name);
            return pair ? pair[1] || '(empty)' : '';
        }));
    }
}

function showLogbook() {
    const head = byId('logbook-table').tHead.rows[0];
    data.backends.forEach((backend) => head.append(make('th', {scope: 'col'}, backend.name)));
    const names = {
        device: 'device',
        driver: 'driver',
        api: 'API',
        assay: 'assay',
        commit: 'commit',
        reference: 'digest of the reference',
        started: 'started',
        level: 'level',
        seed: 'seed',
        shard: 'shard',

        command: 'command',
        os: 'OS',
        cpu: 'CPU'
    };
    for (const [member, name] of Object.entries(names))
        logbookRow(name, data.backends.map((backend) => backend[member]));
    const memory = (bytes) => bytes ? amount(bytes, 'bytes') : '';
    logbookRow('memory', data.backends.map((backend) => memory(backend.memory)));
    logbookRow('device memory', data.backends.map((backend) => memory(backend.device_memory)));
    showPairs('profile', 'profile: ');
    showPairs('environment', 'environment: ');
}

let notice = ''; /* what the address names and this page does not have */

/* Shows what the controls say, and writes it to the address. */
function refresh() {
    notice = '';
    readFilter();
    if (filtered()) folded.clear(); /* so that nothing that the filter finds is hidden */
    state.cell = state.on = '';
    scope = null;
    showMatrix();
    showCases();
    writeAddress();
}

/* Shows what the address says. A fragment without "=" names a part of the page and changes nothing. */
function follow() {
    const text = location.hash.slice(1);
    if (text && !text.includes('=')) return;
    const values = parsed(text);
    const unknown = setControls(values);
    const before = fragment(state.filter);
    readFilter();
    if (filtered() && before !== fragment(state.filter)) folded.clear();
    const {cell = '', on = ''} = values;
    const row = cell ? rowOfKey(cell) : -1;
    const backend = data.backends.find((one) => one.name === on);
    const known = row >= 0 && backend && cellOf(backend, row);
    if (cell && !known) unknown.push('cell ' + cell + ' on ' + on);
    notice = unknown.length ? 'This page does not have what its address names: ' + unknown.join(', ') + '.' : '';
    const from = state.cell ? '#' + fragment(state.filter, state.cell, state.on) : '';
    state.cell = known ? cell : '';
    state.on = known ? on : '';
    if (!drawn || before !== fragment(state.filter) || notice) showMatrix();
    drawn = true;
    if (known)
        openCell(backend, row);
    else
        closeCell(from);
}

let drawn = false;
let waiting = 0;
showTitle();
foldIfLarge();
offerFilters();
offerSorting();
showBackends();
showSummary();
showLegend();
showChanges();
showCurves();
showFindings();
showLogbook();
if (location.hash && !location.hash.includes('=')) {
    setControls({});
    readFilter();
    showMatrix();
    showCases();
    drawn = true;
} else {
    follow();
}
document.querySelectorAll('table').forEach(stacked);
byId('filter').addEventListener('submit', (event) => event.preventDefault());
byId('filter').addEventListener('input', () => {
    clearTimeout(waiting);
    waiting = setTimeout(refresh, 120);
});
byId('filter').addEventListener('reset', () => setTimeout(() => {
                                             setControls({});
                                             refresh();
                                         }));
pressed(byId('back'), () => {
    location.hash = fragment(state.filter) || 'matrix';
});
pressed(byId('fold'), foldAll);
pressed(byId('copy-link'), () => copyText(address(), 'Link'));
pressed(byId('copy-markdown'), () => copyText(markdownText(shownOperators()), 'Markdown'));
pressed(byId('download-csv'), () => download('parity.csv', 'text/csv;charset=utf-8', csvText()));
window.addEventListener('hashchange', follow);
window.addEventListener('resize', fitMatrix);
performance.mark('drawn');
