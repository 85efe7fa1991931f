import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright';
import type { BrowserWorkbench } from '../../support/browser/browser-workbench.ts';
import { startBrowserWorkbench } from '../../support/browser/browser-workbench.ts';
import type { Bench, Finding } from '../bench.ts';

const EVENTS = 1_000_000;
const EVENTS_AT_ONCE = 100_000;
const TAGS = 50_000;
/** Tags that change once a second. */
const CHANGING = 5_000;
const BATCHES = 10;
const SCROLL_MS = 6_000;
/** Pages load the code of other views when they are idle. */
const IDLE_MS = 5_000;
/** How long memory is observed. The goal is for ten minutes: `TAGWRIGHT_BENCH_MINUTES=10 npm run bench -- memory`. */
const MINUTES = Number(process.env['TAGWRIGHT_BENCH_MINUTES'] ?? 1);
const MB = 1_000_000;

const pathOf = (n: number) => `Bench.Area${String(n % 20).padStart(2, '0')}.Tag${String(n).padStart(5, '0')}.Value`;

/** The paths, in the order of the table. */
const PATHS = Array.from({ length: TAGS }, (_, n) => pathOf(n)).toSorted();

async function withTags(work: (workbench: BrowserWorkbench, page: Page) => Promise<Finding>): Promise<Finding> {
  const workbench = await startBrowserWorkbench({ ownBrowser: true });
  try {
    const client = await workbench.client();
    const definitions = PATHS.map((path) => ({ path, kind: 'storage', type: 'Double', settings: { initial: 0 } }));
    const { refused } = await client.tags.import({ format: 'json', text: JSON.stringify(definitions) });
    if (refused.length > 0) throw new Error(`the tags were refused: ${refused[0]?.reason}`);
    const { page } = await workbench.open();
    await page.keyboard.press('Control+2');
    await page.getByRole('row', { name: PATHS[0] ?? '' }).waitFor();
    return await work(workbench, page);
  } finally {
    await workbench.close();
  }
}

/**
 * Scrolls a table from top to end and back in wheel-like steps, with a jump in every tenth frame. Returns the times
 * between frames, in ms.
 */
async function framesWhileScrolling(page: Page, label: string): Promise<number[]> {
  return page.getByRole('grid', { name: label, exact: true }).evaluate(
    (grid, ms) =>
      new Promise<number[]>((resolve) => {
        const frames: number[] = [];
        const began = performance.now();
        let before = began;
        const step = (now: number) => {
          frames.push(now - before);
          before = now;
          if (now - began > ms) {
            resolve(frames.slice(2));
            return;
          }
          const height = grid.scrollHeight - grid.clientHeight;
          // Half of the frames scroll by a few rows; a tenth jump by the golden ratio of the height.
          if (frames.length % 10 === 0) grid.scrollTop = (frames.length * 0.618 * height) % height;
          else grid.scrollTop += 130;
          requestAnimationFrame(step);
        };
        requestAnimationFrame(step);
      }),
    SCROLL_MS,
  );
}

function ofFrames(frames: readonly number[]): Finding {
  const sorted = frames.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
  const rate = (1_000 * frames.length) / frames.reduce((sum, ms) => sum + ms, 0);
  const detail = `${rate.toFixed(0)} frames a second, median ${at(0.5).toFixed(0)} ms, 99 % ${at(0.99).toFixed(0)} ms, ${frames.length} frames`;
  return { figure: at(1), detail };
}

/** Writes 5,000 tags per second, in ten batches. The tags visible at the top of the table are in the first batch. */
async function changeTags(workbench: BrowserWorkbench, signal: AbortSignal): Promise<number> {
  const client = await workbench.client();
  const size = CHANGING / BATCHES;
  let written = 0;
  for (let batch = 0, next = Date.now(); !signal.aborted; batch = (batch + 1) % BATCHES, next += 1_000 / BATCHES) {
    const paths = PATHS.slice(batch * size, (batch + 1) * size);
    const value = Date.now();
    await client.tags.set({ items: paths.map((tag) => ({ tag, value })) });
    written += paths.length;
    await delay(Math.max(0, next - Date.now()));
  }
  return written;
}

/** The age of each value of the first row when it is shown, in ms. */
async function watchLags(page: Page): Promise<() => Promise<number[]>> {
  const row = page.getByRole('row', { name: PATHS[0] ?? '' });
  await row.evaluate((element) => {
    const lags: number[] = [];
    let shown = '';
    const look = () => {
      const text = element.querySelectorAll('[role="gridcell"]')[1]?.textContent ?? '';
      if (text !== shown && Number(text) > 0) lags.push(Date.now() - Number(text));
      shown = text;
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
    Object.assign(window, { lags });
  });
  return () => page.evaluate(() => [...(Reflect.get(window, 'lags') ?? [])].map(Number));
}

/** The live bytes of the page's heap after a garbage collection. */
async function heapOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  return usedSize;
}

/** The inspector with a million events: when it shows the first rows, in ms, and its frames while scrolling. */
async function inspect(): Promise<{ opened: number; rows: string; frames: number[] }> {
  const workbench = await startBrowserWorkbench({ ownBrowser: true });
  try {
    const client = await workbench.client();
    for (let made = 0; made < EVENTS; made += EVENTS_AT_ONCE) {
      await client.events.createTest({ count: EVENTS_AT_ONCE });
    }
    // A view without the editor, which would still be loading.
    const { page } = await workbench.open({ view: 'tags' });
    await page.getByRole('grid', { name: 'Tags', exact: true }).getByRole('row').nth(5).waitFor();
    await delay(IDLE_MS);
    const began = performance.now();
    await page.keyboard.press('Control+4');
    const grid = page.getByRole('grid', { name: 'Events' });
    await grid.getByText('active').first().waitFor();
    const opened = performance.now() - began;
    const frames = await framesWhileScrolling(page, 'Events');
    return { opened, rows: (await grid.getAttribute('aria-rowcount')) ?? '', frames };
  } finally {
    await workbench.close();
  }
}

let inspection: ReturnType<typeof inspect> | null = null;
const inspected = () => (inspection ??= inspect());

export const benches: Bench[] = [
  {
    area: 'inspector',
    name: 'the first rows of 1,000,000 events, from the key that opens the view',
    unit: 'ms',
    goal: { atMost: 200 },
    async run() {
      const { opened, rows } = await inspected();
      return { figure: opened, detail: `${rows} rows; in a window that showed another view for 5 s` };
    },
  },
  {
    area: 'scrolling',
    name: 'the longest frame in the inspector with 1,000,000 events',
    unit: 'ms',
    goal: { atMost: 33 },
    run: async () => ofFrames((await inspected()).frames),
  },
  {
    area: 'scrolling',
    name: 'the longest frame in the table of 50,000 tags',
    unit: 'ms',
    goal: { atMost: 50 },
    run: () => withTags(async (_workbench, page) => ofFrames(await framesWhileScrolling(page, 'Tags'))),
  },
  {
    area: 'live tags',
    name: 'a value is shown after it was written, with 5,000 changes a second: the slowest of 95 %',
    unit: 'ms',
    goal: { atMost: 500 },
    run: () =>
      withTags(async (workbench, page) => {
        const end = new AbortController();
        const began = performance.now();
        const writing = changeTags(workbench, end.signal);
        const lagsOf = await watchLags(page);
        await delay(30_000);
        end.abort();
        const written = await writing;
        const rate = (1_000 * written) / (performance.now() - began);
        const lags = (await lagsOf()).toSorted((a, b) => a - b);
        const figure = lags[Math.floor((lags.length - 1) * 0.95)] ?? Number.POSITIVE_INFINITY;
        return { figure, detail: `${rate.toFixed(0)} changes a second, ${lags.length} times shown, 30 s` };
      }),
  },
  {
    area: 'memory',
    name: 'what the page keeps more of after minutes of 5,000 changes a second',
    unit: 'MB',
    goal: { atMost: 5 },
    run: () =>
      withTags(async (workbench, page) => {
        const end = new AbortController();
        const writing = changeTags(workbench, end.signal);
        // By then, everything that is loaded once is loaded.
        await delay(20_000);
        const before = await heapOf(page);
        await delay(MINUTES * 60_000);
        const after = await heapOf(page);
        end.abort();
        await writing;
        const detail = `${(before / MB).toFixed(1)} MB, then ${(after / MB).toFixed(1)} MB, ${MINUTES} min apart`;
        return { figure: Math.max(0, after - before) / MB, detail };
      }),
  },
];
