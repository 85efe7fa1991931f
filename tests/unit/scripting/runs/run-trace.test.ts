import { expect, test } from 'vitest';
import { DEFAULT_SCOPE } from '#domain/tag/scope';
import { MAX_PATH_LENGTH } from '#domain/tag/tag-path';
import { RunTrace, traceRoom } from '../../../../src-main/scripting/runs/run-trace.ts';

test('cuts paths to the maximum length of a path', () => {
  const trace = new RunTrace(traceRoom(0));
  const path = 'x'.repeat(30_000_000);
  trace.read([{ path, value: null, quality: 'BadNodeIdUnknown', type: 'Unknown' }], DEFAULT_SCOPE);
  const [read] = trace.report(0).reads;
  expect(read?.path).toBe(`${'x'.repeat(MAX_PATH_LENGTH - 1)}…`);
});
