import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkedConsumer, type ConsumerAddress } from '../../../support/hub/checked-consumer.ts';
import { ROOT } from '../../../support/product/product.ts';
import { IS_LONG } from '../../../support/run/scale.ts';

const PYTHON = ['python3', 'python'].find((name) => spawnSync(name, ['--version']).status === 0);
const MANUAL = readFileSync(join(ROOT, 'docs', 'events', 'events-api.md'), 'utf8');
const PROGRAM = /```python\n([^]*?)```/.exec(MANUAL)?.[1] ?? '';

/** What integrators get wrong most often. `reset` is for streams; the others take longer with its pauses. */
const SITUATIONS = IS_LONG
  ? [
      'list',
      'paging',
      '429',
      '500',
      '503',
      'cut',
      'lost-response',
      'duplicates',
      'reordering',
      'restart',
      'key',
      'outage',
    ]
  : ['429', 'cut', 'duplicates'];

/** The program as it is in the manual, with another address and a key. */
async function consume({ url, apiKey, signal }: ConsumerAddress): Promise<void> {
  const text = PROGRAM.replace('http://127.0.0.1:4860', url).replace(
    'HEADERS = {}',
    `HEADERS = {"X-API-Key": "${apiKey}"}`,
  );
  const child = spawn(PYTHON ?? '', ['-u', '-c', text], { stdio: 'ignore' });
  signal.addEventListener('abort', () => child.kill('SIGKILL'));
  await once(child, 'exit');
}

describe('the program in Python of the manual', () => {
  test.runIf(PYTHON !== undefined)(
    'loses nothing, processes nothing twice, and keeps to Retry-After',
    async () => {
      const report = await checkedConsumer(consume, { only: SITUATIONS, seconds: 30 });
      expect(report.situations.filter(({ state }) => state === 'failed')).toEqual([]);
      expect(report).toMatchObject({ state: 'passed', lost: 0, twice: 0, hammered: 0 });
    },
    600_000,
  );
});
