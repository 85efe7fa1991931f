import type { ConformanceReport, SituationReport } from '#domain/event/conformance';
import { situationCount } from '#domain/event/conformance';
import { grouped } from '#domain/text/grouped';
import { nameOf, STATE_TEXTS, summaryOf, titleOf } from './report-texts.ts';

const STYLE = `
:root { color-scheme: light dark; --text: #1b1f24; --page: #fff; --soft: #f3f5f7; --line: #d5dae0; --dim: #57606a;
  --passed: #1a7037; --failed: #b4231f; --unmet: #805700; --skipped: #57606a; }
@media (prefers-color-scheme: dark) { :root { --text: #e6e9ed; --page: #16191d; --soft: #20252b; --line: #3a424b;
  --dim: #a0aab5; --passed: #5cc07c; --failed: #ff8a80; --unmet: #e3b341; --skipped: #a0aab5; } }
* { box-sizing: border-box; }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--text); background: var(--page); max-width: 64rem;
  margin: 0 auto; padding: 1.5rem; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; line-height: 1.3; margin: 0 0 0.3rem; }
p { margin: 0.2rem 0; }
.dim { color: var(--dim); }
.counts { display: flex; flex-wrap: wrap; gap: 0.75rem; margin: 1.2rem 0; padding: 0; list-style: none; }
.counts li { background: var(--soft); border-radius: 6px; padding: 0.6rem 1rem; min-width: 8rem; }
.counts b { display: block; font-size: 1.5rem; line-height: 1.2; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: 0.55rem 0.8rem 0.55rem 0; border-bottom: 1px solid var(--line); }
th { font-weight: 600; white-space: nowrap; }
td.n { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
th.n { text-align: right; }
code { font-family: ui-monospace, Consolas, monospace; font-size: 0.9em; }
ul { margin: 0.3rem 0 0; padding-left: 1.1rem; }
.passed, .failed, .unmet, .skipped { font-weight: 600; white-space: nowrap; }
.passed { color: var(--passed); }
.failed { color: var(--failed); }
.unmet { color: var(--unmet); }
.skipped { color: var(--skipped); }
@media (max-width: 40rem) { .n { display: none; } }
@media print { body { max-width: none; padding: 0; } tr { break-inside: avoid; } }
`;

/** The report as one page without scripts or external content. */
export function checkPage(report: ConformanceReport): string {
  const { startedAt, seed, version, consumers, others, lost, twice, hammered, situations } = report;
  const names = (of: readonly string[]) => of.map((name) => `<code>${text(name)}</code>`).join(', ');
  const counts: [number, string][] = [
    [situationCount(report, 'passed'), 'situations passed'],
    [situationCount(report, 'failed'), 'failed'],
    [lost, 'events lost'],
    [twice, 'acknowledged twice'],
    [hammered, 'hammering requests'],
  ];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${text(nameOf(report))}: conformance run</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${text(titleOf(report))}</h1>
<p>${text(summaryOf(report))}</p>
<p class="dim">Conformance run of a consumer of the events API, ${startedAt.slice(0, 19).replace('T', ' ')} UTC, seed ${seed}, Tagwright ${text(version)}</p>
${consumers.length > 0 ? `<p class="dim">Requests came from ${names(consumers)}</p>` : ''}
${others.length > 0 ? `<p class="dim">Not checked: ${names(others)}</p>` : ''}
<ul class="counts">${counts.map(([count, what]) => `<li><b>${grouped(count)}</b>${what}</li>`).join('')}</ul>
<table>
<thead><tr><th>Situation</th><th>Result</th><th class="n">Events</th><th class="n">Requests</th><th class="n">Faults</th><th class="n">Time</th></tr></thead>
<tbody>
${situations.map(rowOf).join('\n')}
</tbody>
</table>
</main>
</body>
</html>
`;
}

function rowOf(one: SituationReport): string {
  const { name, title, expected, state, ms, events, acknowledged, requests, faults, findings, notes } = one;
  const items = [
    ...findings.map(({ kind, message }) => `<li><span class="failed">${kind}</span>: ${text(message)}</li>`),
    ...notes.map((note) => `<li>${text(note)}</li>`),
  ];
  const figures =
    state === 'skipped'
      ? ['', '', '', '']
      : [`${acknowledged}/${events}`, requests, faults, `${(ms / 1_000).toFixed(1)} s`];
  return `<tr id="${text(name)}"><td><b>${text(title)}</b> <code class="dim">${text(name)}</code><br><span class="dim">${text(expected)}</span>${
    items.length > 0 ? `<ul>${items.join('')}</ul>` : ''
  }</td><td><span class="${state}">${STATE_TEXTS[state]}</span></td>${figures.map((figure) => `<td class="n">${figure}</td>`).join('')}</tr>`;
}

/** Text for HTML. Names of clients are hostile. */
const text = (value: string): string =>
  value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
