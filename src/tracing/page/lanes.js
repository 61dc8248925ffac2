// Where spans go in the flame graph: a band for each service, rows in a band.
// A span inside another (by its parent) is right below it; spans that overlap
// in time do not share a row.

export function layOut(spans, services) {
  const bands = [];
  const bandOf = new Map();
  for (const service of services) {
    const band = { service, rows: 0, top: 0, spans: [] };
    bandOf.set(service, band);
    bands.push(band);
  }
  for (const span of spans) bandOf.get(span.service).spans.push(span);
  const used = bands.filter((band) => band.spans.length > 0);
  const rowOf = new Map();
  let top = 0;
  for (const band of used) {
    placeBand(band, rowOf);
    band.top = top;
    top += band.rows;
  }
  return { bands: used, rowOf, rows: top };
}

function placeBand(band, rowOf) {
  const ends = [];
  const ordered = [...band.spans].sort((a, b) => a.start - b.start || b.end - a.end);
  for (const span of ordered) {
    let row = 0;
    if (span.parent && rowOf.has(span.parent) && span.parent.service === span.service)
      row = rowOf.get(span.parent) + 1;
    while (row < ends.length && ends[row] > span.start) row++;
    while (ends.length <= row) ends.push(-Infinity);
    ends[row] = Math.max(span.end, span.start + 1);
    rowOf.set(span, row);
  }
  band.rows = Math.max(1, ends.length);
}
