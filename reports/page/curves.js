/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Histograms of errors and the curves of procedures, as SVG. */
const WIDTH = 320;
const HEIGHT = 170;
const EDGE = {
    left: 8,
    right: 10,
    top: 22,
    bottom: 22
};
const CURVE_TOP = 34; /* below a line of text and the label of the highest point */

/* Upper ends of the buckets in ulp: bucket 0 is exact, bucket k goes up to 2^(k − 2), the last one beyond. */
const BUCKETS = ['0', '½', '1', '2', '4', '8', '16', '32', '64', '128', '256', '512', '1k', '2k', '4k', '>4k'];

function share(count, all) {
    const percent = 100 * count / all;
    return count === 0                ? '' :
        percent < 0.1                 ? '<0.1' :
        percent > 99.9 && count < all ? '>99.9' :
                                        String(Number(percent.toPrecision(2)));
}

function histogramFigure(counts, elements, title) {
    const all = counts.reduce((sum, count) => sum + count, 0);
    const most = Math.max(...counts);
    const shown = counts.length;
    const step = (WIDTH - EDGE.left - EDGE.right) / Math.max(8, shown);
    const words = counts.map((count, k) => count ? BUCKETS[k] + ': ' + count : null).filter((word) => word).join(', ');
    const svg = draw(
        'svg', {viewBox: '0 0 ' + WIDTH + ' ' + HEIGHT, role: 'img', 'aria-label': title + ', in ulp up to: ' + words});
    const floor = HEIGHT - EDGE.bottom;
    let before = {right: -1, y: 0};
    counts.forEach((count, k) => {
        const height = count ? Math.max(1, (floor - EDGE.top) * count / most) : 0;
        const x = EDGE.left + k * step;
        svg.append(draw('rect', {class: 'bar', x: x + 1, y: floor - height, width: step - 2, height}));
        const label = (y, text) =>
            draw('text', {x: within(x + step / 2, text, 9).middle, y, 'text-anchor': 'middle', class: 'small'}, text);
        /* A label that would touch the one before it stands higher. */
        const word = share(count, all);
        const at = within(x + step / 2, word, 9);
        const above = floor - height - 4;
        const y = word && at.left < before.right && Math.abs(above - before.y) < 9 ? Math.max(9, before.y - 9) : above;
        if (word) before = {right: at.right, y};
        svg.append(label(y, word), label(HEIGHT - 6, BUCKETS[k]));
    });
    svg.append(draw('line', {class: 'axis', x1: EDGE.left, x2: WIDTH - EDGE.right, y1: floor, y2: floor}));
    const special = elements - all;
    const note = title + ': percent of elements by error, up to so many ulp' +
        (special > 0 ? '; ' + special.toLocaleString('en') + ' special values have none' : '');
    return make('figure', {}, svg, make('figcaption', {}, note));
}

/* Where a label around x stands so that all of it is inside the picture; 0.62 em is the width of most letters. */
function within(x, text, size) {
    const half = 0.31 * size * text.length;
    const middle = Math.min(Math.max(x, half + 1), WIDTH - half - 1);
    return {middle, left: middle - half, right: middle + half};
}

function amount(value, unit) {
    if (!isFinite(value)) return digits(value);
    if (unit === 'bytes') {
        const steps = [['GiB', 2 ** 30], ['MiB', 2 ** 20], ['KiB', 2 ** 10]];
        const step = steps.find(([, size]) => Math.abs(value) >= size);
        return step ? Number((value / step[1]).toPrecision(4)) + ' ' + step[0] : value + ' B';
    }
    if (unit === 'ns') {
        const step = [['s', 1e9], ['ms', 1e6], ['µs', 1e3]].find(([, size]) => Math.abs(value) >= size);
        return step ? Number((value / step[1]).toPrecision(3)) + ' ' + step[0] : Number(value.toPrecision(3)) + ' ns';
    }
    return digits(value) + ' ' + unit;
}

/* Costs over batches get two axes in powers of two; levels over epochs get linear axes, from 0 where they do
 * not move. */
function scales(series, family) {
    const known = (list) => list.map(real).filter((value) => isFinite(value));
    const x = known(series.x);
    const y = known(series.y).concat(known(series.limit || []));
    const logX = family === 'scaling' && Math.min(...x) > 0;
    const logY = logX && Math.min(...y) > 0;
    const on = (values, log, from, to) => {
        const by = log ? Math.log2 : (value) => value;
        let low = by(Math.min(...values));
        let high = by(Math.max(...values));
        if (!log && low > 0 && (high - low) < 0.02 * high) low = 0;
        if (!(high > low)) high = low + 1;
        return (value) => from + (to - from) * (by(value) - low) / (high - low);
    };
    return {
        x: on(x, logX, EDGE.left + 4, WIDTH - EDGE.right),
        y: on(y, logY, HEIGHT - EDGE.bottom - 4, CURVE_TOP + 4),
        log: logX && logY
    };
}

function path(points) {
    let text = '';
    let pen = 'M';
    for (const [x, y] of points) {
        if (isFinite(x) && isFinite(y)) {
            text += pen + x.toFixed(1) + ' ' + y.toFixed(1);
            pen = 'L';
        } else {
            pen = 'M';
        }
    }
    return text;
}

/* The path of a cost that grows with the greatest allowed exponent, from the first fitted point on. */
function slopeOf(series, scale) {
    if (!scale.log || !series.octaves || !series.exponent_limit) return '';
    const last = series.x.length - 1;
    const from = series.x.findIndex((x) => x >= series.x[last] / 2 ** series.octaves * 0.95);
    const end = series.y[from] * (series.x[last] / series.x[from]) ** series.exponent_limit;
    return path(
        [[scale.x(series.x[from]), scale.y(series.y[from])], [scale.x(series.x[last]), Math.max(2, scale.y(end))]]);
}

function curveText(series, backend) {
    const y = series.y.map(real);
    const last = y[y.length - 1];
    let text = series.name + ' on ' + backend.name + ': ' + amount(y[0], series.unit) + ' first, ' +
        amount(last, series.unit) + ' last';
    if (series.octaves)
        text += '; grows as batch^' + digits(real(series.exponent)) + ' over the last ' + series.octaves + ' octaves';
    if (series.octaves && series.exponent_limit) text += ', limit batch^' + digits(series.exponent_limit);
    if (series.factor) text += '; ' + digits(series.factor) + ' times what operands and results take';
    return text;
}

/* The threshold as a number, if it is the same at every point. */
function thresholdText(series) {
    const limits = (series.limit || []).map(real);
    const one = limits.length && limits.every((limit) => limit === limits[0]);
    return one ? ', threshold ' + amount(limits[0], series.unit) : '';
}

function chart(series, backend) {
    if (series.x.length < 2) return make('figure', {}, make('figcaption', {}, curveText(series, backend)));
    const family = data.rows[caseRow[series.case]][0];
    const scale = scales(series, family);
    const svg =
        draw('svg', {viewBox: '0 0 ' + WIDTH + ' ' + HEIGHT, role: 'img', 'aria-label': curveText(series, backend)});
    const floor = HEIGHT - EDGE.bottom;
    const place = (values) => series.x.map((x, i) => [scale.x(real(x)), scale.y(real(values[i]))]);
    const points = place(series.y);
    const top = Math.max(...series.y.map(real).filter((value) => isFinite(value)));
    svg.append(draw('line', {class: 'axis', x1: EDGE.left, x2: WIDTH - EDGE.right, y1: floor, y2: floor}));
    svg.append(draw('text', {x: EDGE.left, y: 13}, 'most ' + amount(top, series.unit) + thresholdText(series)));
    const slope = slopeOf(series, scale);
    if (slope) svg.append(draw('path', {class: 'slope', d: slope}));
    svg.append(draw('path', {class: 'curve', d: path(points)}));
    points.forEach(([x, y]) => {
        if (isFinite(x) && isFinite(y)) svg.append(draw('circle', {class: 'point', cx: x, cy: y, r: 2.5}));
    });
    if (series.limit) {
        const limits = place(series.limit);
        svg.append(draw('path', {class: 'limit', d: path(limits)}));
        limits.forEach(([x, y]) => {
            if (isFinite(y)) svg.append(draw('line', {class: 'tick', x1: x - 3, x2: x + 3, y1: y, y2: y}));
        });
        /* Above the threshold without a fault: a repeated measurement did not confirm it. */
        let free = -Infinity;
        points.forEach(([x, y], i) => {
            if (!(real(series.y[i]) > real(series.limit[i]))) return;
            const word = (series.breaks ? '✗ ' : '△ ') + series.x[i];
            const at = within(x, word, 11);
            if (at.left < free) return; /* no room beside the label before it */
            free = at.right + 2;
            svg.append(draw('text', {class: 'over', x: at.middle, y: y - 5, 'text-anchor': 'middle'}, word));
        });
    }
    const label = family === 'memory' ? 'epoch ' : 'batch ';
    svg.append(draw('text', {x: EDGE.left, y: HEIGHT - 6}, label + series.x[0]));
    svg.append(draw(
        'text', {x: WIDTH - EDGE.right, y: HEIGHT - 6, 'text-anchor': 'end'}, String(series.x[series.x.length - 1])));
    const verdict = series.rule ?
        mark(series.breaks ? STATUS.fail : STATUS.pass, series.breaks ? ': breaks its rule' : ': keeps to its rule') :
        null;
    const axes = scale.log ? '; both axes are logarithmic' : '';
    const rule = series.rule ?
        make(
            'span', {class: 'soft'},
            series.rule + ' (dashed: the threshold' + (slope ? ', dotted: the steepest growth allowed' : '') + axes +
                ')') :
        make('span', {class: 'soft'}, 'the record has no threshold, so the curve is not judged' + axes);
    return make(
        'figure', {}, make('figcaption', {}, curveText(series, backend)), svg, make('p', {}, verdict, ' ', rule));
}

function showCurves() {
    const byCase = new Map();
    for (const backend of data.backends) {
        for (const series of backend.series) {
            if (!series.x.length) continue;
            if (!byCase.has(series.case)) byCase.set(series.case, []);
            byCase.get(series.case).push({backend, series});
        }
    }
    const list = byId('curves-list');
    if (!byCase.size)
        byId('curves-about').textContent = 'No procedure measured a curve at this level; the level standard has them.';
    for (const [c, all] of byCase) {
        const backends = data.backends.filter((backend) => all.some((one) => one.backend === backend));
        const summary = make('summary', {}, caseId(c) + ' ');
        for (const backend of backends) summary.append(mark(backend.status[c], ' ' + backend.name), ' ');
        const box = make('details', {}, summary);
        box.addEventListener('toggle', () => {
            if (box.open && box.children.length === 1)
                box.append(make('div', {class: 'charts'}, ...all.map(({backend, series}) => chart(series, backend))));
        });
        box.open = all.some(({backend}) => GATE.includes(backend.status[c]));
        list.append(box);
    }
}
