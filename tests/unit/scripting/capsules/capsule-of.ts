import type { Capsule, RecordedCall } from '#domain/run/capsule';
import type { NestedRun, RunReport } from '#domain/run/run';
import type { TagValue } from '#domain/tag/tag';

export const value = (path: string, read: TagValue['value']): TagValue => ({
  path,
  value: read,
  quality: 'Good',
  type: 'Int',
});

export const reportOf = (changes: Partial<RunReport> = {}): RunReport => ({
  status: 'ok',
  result: null,
  error: null,
  console: [],
  reads: [],
  writes: [],
  apiCalls: [],
  timing: { startedAt: '2026-01-02T03:04:05.678Z', queuedMs: 0, scriptMs: 1, hostCallMs: 0, totalMs: 1 },
  dryRun: true,
  dropped: { console: 0, reads: 0, writes: 0 },
  ...changes,
});

/** A nested run that wrote tags. */
export function nestedOf(call: number, tag: string, written: string[], through: string[] = []): NestedRun {
  const { result: _, dryRun: __, ...report } = reportOf();
  const place = { call: 1, line: 1, at: 0, diagram: '', location: '' };
  const writes = written.map((path, at) => ({
    seq: at + 1,
    ...place,
    path,
    before: null,
    value: 1,
    type: 'Int' as const,
  }));
  return { ...report, parent: null, call, line: 1, at: call, tag, through, access: 'read', writes };
}

/** A capsule of a run with these calls. */
export function capsuleOf(calls: RecordedCall[], changes: Partial<Capsule> = {}): Capsule {
  return {
    format: 'tagwright-capsule',
    version: 1,
    hash: `sha256:${'0'.repeat(64)}`,
    product: '0.1.0',
    script: { name: null, version: null, body: ['return 1'] },
    context: { tagName: '', tagScopeDiagram: null, tagScopeLocation: null },
    limits: { scriptMs: 1_000, totalMs: 5_000, memoryMb: 64, consoleEntries: 100, resultBytes: 1_000_000 },
    environment: { timeZone: 'UTC', locale: 'en-US', clock: { start: 0, steps: [] }, seed: '0'.repeat(64) },
    masked: { places: [], more: 0 },
    tags: [],
    calls,
    report: reportOf(),
    ...changes,
  };
}

let count = 0;
const place = () => ({ call: ++count, line: 1, clock: 0, diagram: '', location: '' });

export const getOf = (...values: TagValue[]): RecordedCall => ({ kind: 'get', ...place(), values });

export const setOf = (tag: string, written: number): RecordedCall => ({
  kind: 'set',
  ...place(),
  items: [{ tag, value: written }],
  written: [value(tag, written)],
});
