import type { Growth } from './scale.bench.ts';

const WIDTH = 380;
const HEIGHT = 300;
const LEFT = 56;
/** Two panels in a row, so that their text is not small in a page. */
const IN_ROW = 2;
const TOP = 36;
const PLOT = { width: 190, height: 220 };
/** Text of adjacent lines does not overlap. */
const LINE_HEIGHT = 13;
const COLORS = 8;

/**
 * A picture with a panel for each kind, both axes logarithmic: work that grows with the number is parallel to the dashed
 * line. Readable on light and dark pages: it follows the color scheme of the reader.
 */
export function growthPlot(all: readonly Growth[]): string {
  const panels = all.map(
    (growth, index) =>
      `<g transform="translate(${(index % IN_ROW) * WIDTH} ${Math.floor(index / IN_ROW) * HEIGHT})">${panelOf(growth)}</g>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH * IN_ROW} ${HEIGHT * Math.ceil(all.length / IN_ROW)}" role="img">
<title>What tags, scripts, rules and events cost as their number doubles</title>
<style>
text { font: 11px system-ui, sans-serif; fill: #1f2328 }
.title { font-size: 13px; font-weight: 600 }
.minor { fill: #59636e }
.grid { stroke: #d1d9e0; stroke-width: 1 }
.work { stroke: #59636e; stroke-width: 1; stroke-dasharray: 3 3; fill: none }
.line { fill: none; stroke-width: 2; stroke-linejoin: round }
${Array.from({ length: COLORS }, (_, n) => `.c${n} { stroke: ${LIGHT[n]} } text.c${n} { stroke: none; fill: ${LIGHT[n]} }`).join('\n')}
@media (prefers-color-scheme: dark) {
text { fill: #f0f6fc }
.minor { fill: #9198a1 }
.grid { stroke: #3d444d }
.work { stroke: #9198a1 }
${Array.from({ length: COLORS }, (_, n) => `.c${n} { stroke: ${DARK[n]} } text.c${n} { stroke: none; fill: ${DARK[n]} }`).join('\n')}
}
</style>
${panels.join('\n')}
</svg>
`;
}

const LIGHT = ['#0550ae', '#9a3412', '#116329', '#8250df', '#a40e26', '#0e7490', '#7d4e00', '#57606a'];
const DARK = ['#79c0ff', '#ffa657', '#7ee787', '#d2a8ff', '#ff9492', '#67e8f9', '#e3b341', '#b1bac4'];

function panelOf({ kind, counts, costs }: Growth): string {
  const lines = [...costs].filter(([name]) => name !== 'memory');
  const values = lines.flatMap(([, all]) => all).filter((value) => value > 0);
  const [low, high] = [Math.floor(Math.log10(Math.min(...values))), Math.ceil(Math.log10(Math.max(...values)))];
  const x = (index: number) => LEFT + (index / Math.max(1, counts.length - 1)) * PLOT.width;
  const y = (value: number) => TOP + PLOT.height * (1 - (Math.log10(Math.max(value, 10 ** low)) - low) / (high - low));
  const pathOf = (points: readonly number[]) =>
    points.map((value, index) => `${index === 0 ? 'M' : 'L'}${x(index).toFixed(1)} ${y(value).toFixed(1)}`).join('');
  const grid = Array.from({ length: high - low + 1 }, (_, n) => low + n).map((power) => {
    const at = y(10 ** power).toFixed(1);
    return (
      `<path class="grid" d="M${LEFT} ${at}H${LEFT + PLOT.width}"/>` +
      `<text class="minor" x="${LEFT - 6}" y="${at}" text-anchor="end" dominant-baseline="middle">${power < 3 ? `${10 ** power} ms` : `${10 ** (power - 3)} s`}</text>`
    );
  });
  const ticks = counts
    .map((count, index) => ({ count, index }))
    .filter(({ index }) => index % 2 === 0)
    .map(
      ({ count, index }) =>
        `<text class="minor" x="${x(index)}" y="${TOP + PLOT.height + 16}" text-anchor="middle">${count.toLocaleString('en')}</text>`,
    );
  const middle = 10 ** ((low + high) / 2);
  const reference = counts.map(
    (count) => (middle / Math.sqrt((counts.at(-1) ?? 1) / (counts[0] ?? 1))) * (count / (counts[0] ?? 1)),
  );
  const ends = placed(lines.map(([name, all]) => ({ name, at: y(all.at(-1) ?? 1) })));
  const drawn = lines.map(
    ([name, all], index) =>
      `<path class="line c${index % COLORS}" d="${pathOf(all)}"/>` +
      `<text class="c${index % COLORS}" x="${LEFT + PLOT.width + 8}" y="${ends.get(name)?.toFixed(1)}" dominant-baseline="middle">${name}</text>`,
  );
  return `<text class="title" x="${LEFT}" y="18">${kind}</text>${grid.join('')}${ticks.join('')}<path class="work" d="${pathOf(reference)}"/>${drawn.join('')}`;
}

/** Labels in their order, moved down where they would overlap. */
function placed(labels: readonly { name: string; at: number }[]): Map<string, number> {
  const found = new Map<string, number>();
  let last = Number.NEGATIVE_INFINITY;
  for (const { name, at } of labels.toSorted((a, b) => a.at - b.at)) {
    last = Math.max(at, last + LINE_HEIGHT);
    found.set(name, last);
  }
  return found;
}
