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

function refresh() {
    readFilter();
    scope = null;
    showMatrix();
    showCases();
}

let waiting = 0;
offerFilters();
offerSorting();
showSummary();
showCurves();
showFindings();
showLogbook();
refresh();
document.querySelectorAll('table').forEach(stacked);
byId('filter').addEventListener('submit', (event) => event.preventDefault());
byId('filter').addEventListener('input', () => {
    clearTimeout(waiting);
    waiting = setTimeout(refresh, 120);
});
byId('filter').addEventListener('reset', () => setTimeout(refresh));
pressed(byId('back'), closeCell);
performance.mark('drawn');
