import { expect, test } from 'vitest';
import { maskArguments } from '../../../../src-main/outbound/recorded-call.ts';
import { FailureService } from '../../../../src-main/scripting/failures/failure-service.ts';
import { TEST_SCRIPT_HOST } from '../../../support/product/build-script-host.ts';
import { capsuleOf, getOf, reportOf, value } from '../../../unit/scripting/capsules/capsule-of.ts';

const CONTEXT = { tagName: '', tagScopeDiagram: null, tagScopeLocation: null };
const BODY = "return TagValueManager.Get(['A.B.C']).Value[0].Quality";

/** A service whose recorded runs read one tag; their capsules have so many more characters. */
function serviceOf(length: number): FailureService {
  const { hash: _, ...content } = capsuleOf([{ ...getOf(value('A.B.C', 1)), call: 1 }], {
    script: { name: null, version: null, body: [BODY] },
    report: reportOf({ result: 'Good', console: [{ level: 'log', text: 'x'.repeat(length), at: 0 }] }),
  });
  return new FailureService({
    capsules: {
      content: () =>
        Promise.resolve({ report: content.report, content, length: JSON.stringify(content).length, problem: null }),
    },
    maskArguments,
    version: '0.1.0',
    hosts: { hostFile: TEST_SCRIPT_HOST, nodeBinary: process.execPath },
    rules: () => ({ jitless: false, requireOsSandbox: false }),
  });
}

async function tried(service: FailureService): Promise<string> {
  for await (const step of service.try({ body: BODY, context: CONTEXT }, new AbortController().signal)) {
    if (step.kind === 'matrix') return step.key;
  }
  throw new Error('there is no matrix');
}

test('a cancelled matrix ends its stream', async () => {
  const end = new AbortController();
  const steps: string[] = [];
  const cancelled = async () => {
    for await (const { kind } of serviceOf(0).try({ body: BODY, context: CONTEXT }, end.signal)) {
      steps.push(kind);
      end.abort();
    }
  };
  await expect(cancelled()).rejects.toMatchObject({ code: 'CANCELLED' });
  expect(steps).toEqual(['progress']);
});

const cellOf = (service: FailureService, key: string) =>
  service.cell({ key, call: 1, name: 'A.B.C', failure: 'bad-quality', title: 'bad' });

test('the newest three runs are kept for their outcomes', async () => {
  const service = serviceOf(0);
  const keys = [await tried(service), await tried(service), await tried(service), await tried(service)];
  await expect(cellOf(service, keys[0] ?? '')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  for (const key of keys.slice(1)) {
    expect(await cellOf(service, key)).toMatchObject({
      report: { status: 'ok', result: 'BadNotConnected' },
      test: { name: 'bad', tags: [{ tag: 'A.B.C', quality: 'BadNotConnected' }] },
    });
  }
});

test('of runs that are too large together, the newest is kept', async () => {
  const service = serviceOf(9 * 1_048_576);
  const [before, newest] = [await tried(service), await tried(service)];
  await expect(cellOf(service, before)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect(await cellOf(service, newest)).toMatchObject({ report: { status: 'ok' } });
});
