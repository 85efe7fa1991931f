import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import type { RuleText } from '#domain/rule/rule';
import { createLog } from '../../../../src-main/platform/log.ts';
import { openWorkbench } from '../../../../src-main/workbench.ts';
import { builtProduct, ROOT } from '../../../support/product/product.ts';
import { temporaryFolder } from '../../../support/temp-folder.ts';

const CALCULATION = 'Bottling.Line1.Filler.BottlesPerHour.Value';
const SCRIPT = 'Bottling.Line1.Filler.MeanFillVolume.Value';
const DB = 'Bottling.Line1.Orders.BottlesOpen.Value';

beforeAll(() => builtProduct());

const RULE: RuleText = {
  name: 'Other kinds',
  description: '',
  enabled: true,
  triggersEvents: true,
  tags: [CALCULATION, SCRIPT, DB],
  sampling: { kind: 'interval', everyMs: 250 },
  window: { kind: 'count', samples: 3 },
  outputs: [
    { name: 'per_hour', reducer: 'avg', tag: CALCULATION },
    { name: 'fill', reducer: 'avg', tag: SCRIPT },
    { name: 'open', reducer: 'last', tag: DB },
  ],
  condition: 'per_hour > 0 && fill > 0 && open > 0',
};

test.for(['interval', 'onChange'] as const)(
  'calculations, script tags and DB tags are sources of a rule, sampled %s',
  async (kind) => {
    const lines: string[] = [];
    const log = createLog({ write: (line) => void lines.push(line) });
    const directory = join(temporaryFolder(), 'plant');
    const workbench = await openWorkbench({
      directory,
      root: ROOT,
      createSample: true,
      oneShot: false,
      eventsPort: 0,
      log,
    });
    onTestFinished(() => workbench.close());
    const { services } = workbench;
    const sampling: RuleText['sampling'] = kind === 'interval' ? RULE.sampling : { kind };
    const { id } = await services.rules.save({ ...RULE, sampling });
    const fired = () => {
      const { columns, rows } = services.rules.rows({ id });
      const names = columns.map(({ name }) => name);
      return rows.map((row) => Object.fromEntries(names.map((name, place) => [name, row[place]])));
    };
    await expect.poll(() => fired().length).toBeGreaterThan(0);
    const row = fired().at(-1);
    expect(row).toMatchObject({ fired_by: 'window', bad_samples: 0 });
    expect(Number(row?.['per_hour'])).toBeGreaterThan(10_000);
    expect(Number(row?.['fill'])).toBeCloseTo(500, -1);
    const [open] = await services.tags.get({ paths: [DB] });
    expect(row?.['open']).toBe(open?.value);
    // Samples of a fired window are stored for previews a little later.
    const preview = () => services.rules.preview({ ...RULE, sampling, id });
    await expect.poll(async () => (await preview()).windows[0]?.outcome).toBe('fires');
    expect((await preview()).unknownTags).toEqual([]);
    expect(lines.filter((line) => line.includes('failed'))).toEqual([]);
  },
);
