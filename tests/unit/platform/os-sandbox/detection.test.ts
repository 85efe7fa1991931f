import { once } from 'node:events';
import { readdirSync, readlinkSync } from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { ConfinedChild } from '../../../../src-main/platform/os-sandbox/confined-child.ts';
import type { DetectedSandbox } from '../../../../src-main/platform/os-sandbox/layers.ts';
import { active, inactiveLayers, MEMORY, SCRIPT_LAYERS } from '../../../../src-main/platform/os-sandbox/layers.ts';
import { SystemSandbox } from '../../../../src-main/platform/os-sandbox/os-sandbox.ts';
import { Trial, versionTrial, type TrialProgram } from '../../../../src-main/platform/os-sandbox/trial.ts';
import { Wrapper } from '../../../../src-main/platform/os-sandbox/wrapper.ts';

const LINUX = process.platform === 'linux';
const { command } = versionTrial(process.execPath);
const program = (code: string): TrialProgram => ({ command: { ...command, args: ['-e', code] }, respondsOn: 1 });
const NONE: DetectedSandbox = { wrapper: Wrapper.none(), layers: inactiveLayers('a test') };
const SOME: DetectedSandbox = {
  wrapper: Wrapper.none(),
  layers: [...SCRIPT_LAYERS.map((name) => active(name, 'a test')), MEMORY],
};

describe('a trial', () => {
  test('ends a program that responds, and reports no problem', async () => {
    const wrapper = Wrapper.none();
    const ends: Promise<unknown>[] = [];
    const reason = await new Trial(program('console.log(1); setTimeout(() => {}, 60_000)')).run((given) => {
      const child = wrapper.spawn(given);
      ends.push(once(child.process, 'exit'));
      return child;
    });
    expect(reason).toBeNull();
    expect(await ends[0]).toEqual([null, 'SIGKILL']);
  });

  test('reports the message of a program that cannot load what hosts load', async () => {
    const failing = new Trial(program('console.error("cannot open isolated-vm"); process.exit(1)'));
    expect(await Wrapper.attempt(failing, {})).toEqual({ reason: 'cannot open isolated-vm' });
    expect(await Wrapper.attempt(new Trial(program('process.exit(7)')), {})).toEqual({ reason: 'exit code 7' });
    const missing = new Trial(versionTrial('/nowhere/node'));
    expect(await Wrapper.attempt(missing, {})).toEqual({ reason: expect.stringContaining('ENOENT') });
    expect([failing.worthRetrying, missing.worthRetrying]).toEqual([false, false]);
  });

  test('stops a program that does not respond, and everything after a limited time', async () => {
    const trial = new Trial(program('setTimeout(() => {}, 60_000)'), 400);
    const results = [await Wrapper.attempt(trial, {}), await Wrapper.attempt(trial, {})];
    expect(results).toEqual(results.map(() => ({ reason: expect.stringContaining('it will be retried') })));
    expect(trial.worthRetrying).toBe(true);
    expect(trial.patienceMs).toBeLessThan(200);
  });
});

test.runIf(LINUX)('a failed attempt leaves no descriptor open, nor does a replaced sandbox', async () => {
  const filters = () =>
    readdirSync('/proc/self/fd').filter((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`).includes('tagwright-filter-');
      } catch {
        return false;
      }
    }).length;
  const before = filters();
  const filter = Buffer.alloc(8);
  for (let times = 0; times < 5; times += 1) {
    const attempt = await Wrapper.attempt(new Trial(program('process.exit(1)')), { filter });
    expect(attempt).toEqual({ reason: 'exit code 1' });
    const wrap = () => {
      throw new Error('a mistake');
    };
    expect(await Wrapper.attempt(new Trial(program('')), { filter, wrap })).toEqual({ reason: 'a mistake' });
  }
  expect(filters()).toBe(before);

  const again = Promise.withResolvers<void>();
  let times = 0;
  const detect = async (trial: Trial): Promise<DetectedSandbox> => {
    trial.worthRetrying = times < 5;
    times += 1;
    if (times === 6) again.resolve();
    const wrapper = await Wrapper.attempt(new Trial(program('console.log(1)')), { filter });
    return wrapper instanceof Wrapper ? { wrapper, layers: SOME.layers } : NONE;
  };
  const sandbox = new SystemSandbox(versionTrial(process.execPath), detect, { againMs: 1 });
  await sandbox.known;
  await again.promise;
  await expect.poll(filters).toBe(before + 1);
  expect(sandbox.state.protection).toBe('full');
});

describe('a program that is kept', () => {
  const READY = 'process.stdout.write("ready "); process.stdin.pipe(process.stdout); setTimeout(() => {}, 60_000)';
  const kept = { ...program(READY).command, stdio: ['pipe', 'pipe', 'pipe'] as const };
  const found = async (keep: boolean) => {
    const started: ConfinedChild[] = [];
    const detect = async (trial: Trial): Promise<DetectedSandbox> => {
      const wrapper = Wrapper.none();
      await trial.run((given) => {
        const child = wrapper.spawn(given);
        started.push(child);
        return child;
      });
      return { wrapper, layers: SOME.layers };
    };
    const sandbox = new SystemSandbox({ command: kept, respondsOn: 1, keep }, detect);
    await sandbox.known;
    onTestFinished(() => {
      for (const child of started) child.kill();
    });
    return { sandbox, tried: started[0] };
  };

  test('becomes the first host with its command, with everything that it sent', async () => {
    const { sandbox, tried } = await found(true);
    const first = sandbox.spawn(kept);
    expect(first).toBe(tried);
    let text = '';
    first.pipe(1)?.on('data', (chunk: Buffer) => (text += chunk.toString()));
    first.process.stdin?.write('and heard');
    await expect.poll(() => text).toBe('ready and heard');
    const second = sandbox.spawn(kept);
    expect(second).not.toBe(tried);
    second.kill();
  });

  test('is not a host with another command, and none after it has ended', async () => {
    const { sandbox, tried } = await found(true);
    const other = sandbox.spawn({ ...kept, memoryBytes: 1 });
    expect(other).not.toBe(tried);
    other.kill();
    tried?.kill();
    if (tried) await once(tried.process, 'exit');
    const next = sandbox.spawn(kept);
    expect(next).not.toBe(tried);
    next.kill();
  });

  test('ends if it was not to be kept', async () => {
    const { tried } = await found(false);
    await expect.poll(() => tried?.process.signalCode).toBe('SIGKILL');
  });
});

describe('the sandbox of a system', () => {
  test('is not detected before it is needed', async () => {
    let times = 0;
    const sandbox = new SystemSandbox(versionTrial(process.execPath), async () => {
      times += 1;
      return SOME;
    });
    expect(times).toBe(0);
    await Promise.all([sandbox.known, sandbox.known]);
    expect(times).toBe(1);
  });

  test('is detected again after a host could not be confined', async () => {
    let times = 0;
    const confusing = () => {
      throw new Error('the system is busy');
    };
    const detect = async (): Promise<DetectedSandbox> => {
      times += 1;
      if (times > 1) return SOME;
      let held = 0;
      const attach = () =>
        (held += 1) === 1 ? { allowMemory: () => undefined, release: () => undefined } : confusing();
      const wrapper = await Wrapper.attempt(new Trial(program('console.log(1)')), { attach });
      return { wrapper: wrapper instanceof Wrapper ? wrapper : Wrapper.none(), layers: SOME.layers };
    };
    const sandbox = new SystemSandbox(versionTrial(process.execPath), detect, { againMs: 5 });
    await sandbox.known;
    const child = sandbox.spawn(command);
    expect(child.problem).toBe('the system is busy');
    expect(sandbox.state.protection).toBe('none');
    await expect.poll(() => sandbox.state.protection).toBe('full');
    expect(times).toBe(2);
  });

  test('is detected again if the machine had no descriptors or processes left', async () => {
    const trial = new Trial(program(''));
    const wrap = () => {
      throw Object.assign(new Error('spawn EMFILE'), { code: 'EMFILE' });
    };
    expect(await Wrapper.attempt(trial, { wrap })).toEqual({ reason: 'spawn EMFILE' });
    expect(trial.worthRetrying).toBe(true);
  });

  test('starts no host before the protection is known, and then with it', async () => {
    const sandbox = new SystemSandbox(versionTrial(process.execPath), async () => SOME);
    expect(sandbox.state).toMatchObject({ protection: 'none' });
    expect(() => sandbox.spawn(command)).toThrow('before the OS sandbox was detected');
    await sandbox.known;
    expect(sandbox.state.protection).toBe('full');
    await once(sandbox.spawn(command).process, 'exit');
  });

  test('is detected again after a timeout, and only then', async () => {
    let times = 0;
    const { promise: second, resolve } = Promise.withResolvers<void>();
    const detect = async (trial: Trial) => {
      times += 1;
      trial.worthRetrying = times === 1;
      if (times === 2) resolve();
      return times === 1 ? NONE : SOME;
    };
    const sandbox = new SystemSandbox(versionTrial(process.execPath), detect, { againMs: 5 });
    const changes: string[] = [];
    sandbox.onChange(() => changes.push(sandbox.state.protection));
    await sandbox.known;
    expect(sandbox.state.protection).toBe('none');
    await second;
    await new Promise((done) => setTimeout(done, 50));
    expect(sandbox.state.protection).toBe('full');
    expect(times).toBe(2);
    expect(changes).toEqual(['full']);
  });

  test('reports the cause if nothing can be detected', async () => {
    const broken = new SystemSandbox(versionTrial(process.execPath), () => Promise.reject(new Error('no /proc')));
    await broken.known;
    expect(broken.state.summary).toBe('Not active: no /proc.');
  });
});

test.runIf(LINUX)('a host that cannot load its addon in a sandbox is tried in the next one', async () => {
  const { linuxSandbox } = await import('../../../../src-main/platform/os-sandbox/linux.ts');
  const { findTool } = await import('../../../../src-main/platform/os-sandbox/linux-tools.ts');
  // It starts anywhere, but responds only if it can read a file that bubblewrap hides.
  const picky = program(`console.log(require('node:fs').readFileSync(${JSON.stringify(import.meta.filename)}).length)`);
  const { layers } = await linuxSandbox(new Trial(picky), (name) => (name === 'setpriv' ? null : findTool(name)));
  expect(layers[0]).toMatchObject({ name: 'Files', active: false });
  if (findTool('bwrap') !== null) expect(layers[0]?.reason).toMatch(/^bubblewrap does not work here/);
});
