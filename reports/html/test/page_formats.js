// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The assay authors
//
// node page_formats.js PAGE csv|markdown [FAMILY]: what the page's buttons give, the Markdown of one family or of all operators.
// node page_formats.js PAGE cells: for each cell the fragment that opens it and what the page reads from it again.
// node page_formats.js PAGE changes: the changed cells.
// node page_formats.js PAGE labels: the labels around points of a chart that would reach beyond the picture, then how many were tried.
const fs = require('fs');
const vm = require('vm');
const [, , page, what, family] = process.argv;
const script = fs.readFileSync(page, 'utf8');
const block = script.split('<script type="application/json" id="data">')[1].split('</script>')[0];
const document = {
    getElementById : () => ({textContent : block, value : ''})
};
const context = vm.createContext({document, family, print : (text) => process.stdout.write(text)});
const parts = [ 'data', 'dom', 'state', 'head', 'matrix', 'before', 'formats', 'cases', 'curves' ];
const source = parts.map((name) => fs.readFileSync('reports/page/' + name + '.js', 'utf8')).join('\n');
const ends = {
    csv : 'print(csvText());',
    markdown : 'print(markdownText(operators.filter((one) => !family || one.family === family)));',
    cells : `
for (const backend of data.backends)
    data.rows.forEach((names, row) => {
        if (!cellOf(backend, row)) return;
        const filter = {text: 'a&b=c d%', status: 'fail', order: 'nu'};
        const found = parsed(fragment(filter, cellKey(row), backend.name));
        const same = rowOfKey(found.cell) === row && found.on === backend.name && found.text === filter.text &&
            found.status === 'fail' && found.order === 'nu' && found.family === undefined;
        print((same ? 'same ' : 'other ') + fragment({}, cellKey(row), backend.name) + '\\n');
    });`,
    labels : `
let tried = 0;
for (const word of ['✗ 1', '✗ 10', '△ 65537', '<0.1', '>99.9', '>4k'])
    for (let x = 0; x <= WIDTH; x++, tried++) {
        const at = within(x, word, 11);
        if (at.left < 0 || at.right > WIDTH || at.middle < at.left || at.middle > at.right) print(word + ' at ' + x + '\\n');
        if (x > 100 && x < WIDTH - 100 && at.middle !== x) print(word + ' moved at ' + x + '\\n');
    }
print(tried + ' labels\\n');`,
    changes : `
for (const item of changedCells())
    print([item.names.join('/'), item.backend.name, countWords(item.then), countWords(item.now)].join(' | ') + '\\n');`
};
vm.runInContext(source + '\n' + ends[what], context);
