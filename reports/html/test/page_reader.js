// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The assay authors
//
// node page_reader.js PAGE: what the page's own script reads from its data, one line per record; the whole
// script must at least compile.
const fs = require('fs');
const vm = require('vm');
const page = fs.readFileSync(process.argv[2], 'utf8');
const block = page.split('<script type="application/json" id="data">')[1].split('</script>')[0];
const script = page.split('<script>')[1].split('</script>')[0];
new vm.Script(script);
const document = {
    getElementById : () => ({textContent : block})
};
const reader = fs.readFileSync('reports/page/data.js', 'utf8');
const context = vm.createContext({document, print : (text) => process.stdout.write(text + '\n')});
const number = (value) => isFinite(value) || isNaN(value) ? String(value).toLowerCase()
                          : value > 0                     ? 'inf'
                                                          : '-inf';
context.number = number;
vm.runInContext(reader + `
for (const backend of data.backends)
    for (let c = 0; c < backend.status.length; c++)
        if (backend.index[c] >= 0)
            print([backend.name, caseId(c), data.statuses[backend.status[c]], number(measured(backend, c, 'max_nu'))].join(' / '));
`,
                context);
