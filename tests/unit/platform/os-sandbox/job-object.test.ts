import koffi from 'koffi';
import { describe, expect, test } from 'vitest';
import type { ConfinedCommand } from '../../../../src-main/platform/os-sandbox/confined-command.ts';
import { EXTENDED_LIMITS } from '../../../../src-main/platform/os-sandbox/job-object.ts';
import type { Handle, Kernel32 } from '../../../../src-main/platform/os-sandbox/kernel32.ts';
import { sandboxOf, sandboxRefusal } from '../../../../src-main/platform/os-sandbox/os-sandbox.ts';
import { Trial, versionTrial } from '../../../../src-main/platform/os-sandbox/trial.ts';
import { windowsSandbox } from '../../../../src-main/platform/os-sandbox/windows.ts';

const MB = 1024 * 1024;
const HOST: ConfinedCommand = {
  binary: process.execPath,
  args: ['-e', 'setTimeout(() => {}, 60_000)'],
  env: {},
  stdio: ['ignore', 'ignore', 'ignore'],
  readable: [],
  writable: [],
  memoryBytes: 640 * MB,
};

interface Job {
  pids: number[];
  closed: boolean;
  /** The bytes last set, by class. */
  set: Map<number, Buffer>;
}

/** Replaces Windows. It keeps jobs and processes by handle, and rejects one call if a test requests that. */
class FakeWindows implements Kernel32 {
  readonly jobs: Job[] = [];
  readonly openProcesses = new Set<Handle>();
  refused: keyof Kernel32 | 'restrictions' | null = null;
  #next = 0n;
  readonly #jobs = new Map<Handle, Job>();
  readonly #pids = new Map<Handle, number>();

  CreateJobObjectW(): Handle | null {
    if (this.refused === 'CreateJobObjectW') return null;
    const job: Job = { pids: [], closed: false, set: new Map() };
    this.jobs.push(job);
    this.#jobs.set((this.#next += 4n), job);
    return this.#next;
  }

  SetInformationJobObject(handle: Handle, informationClass: number, information: Uint8Array, bytes: number): number {
    if (this.refused === 'SetInformationJobObject') return 0;
    if (this.refused === 'restrictions' && informationClass === 4) return 0;
    if (information.length !== bytes) return 0;
    this.#jobs.get(handle)?.set.set(informationClass, Buffer.from(information));
    return 1;
  }

  OpenProcess(access: number, inherit: number, pid: number): Handle | null {
    if (this.refused === 'OpenProcess' || access !== 0x101 || inherit !== 0) return null;
    this.#pids.set((this.#next += 4n), pid);
    this.openProcesses.add(this.#next);
    return this.#next;
  }

  AssignProcessToJobObject(job: Handle, process: Handle): number {
    const pid = this.#pids.get(process);
    if (this.refused === 'AssignProcessToJobObject' || pid === undefined) return 0;
    this.#jobs.get(job)?.pids.push(pid);
    return 1;
  }

  CloseHandle(handle: Handle): number {
    const job = this.#jobs.get(handle);
    if (job !== undefined) job.closed = true;
    this.openProcesses.delete(handle);
    return 1;
  }

  GetLastError(): number {
    return 5;
  }
}

const exited = (child: { once(event: 'exit', listener: () => void): unknown }) =>
  new Promise<void>((resolve) => void child.once('exit', resolve));

describe('the limits of a job', () => {
  test('have the layout of 64-bit Windows', () => {
    const basic = koffi.struct({
      PerProcessUserTimeLimit: 'int64_t',
      PerJobUserTimeLimit: 'int64_t',
      LimitFlags: 'uint32_t',
      MinimumWorkingSetSize: 'size_t',
      MaximumWorkingSetSize: 'size_t',
      ActiveProcessLimit: 'uint32_t',
      Affinity: 'uintptr_t',
      PriorityClass: 'uint32_t',
      SchedulingClass: 'uint32_t',
    });
    const extended = koffi.struct({
      BasicLimitInformation: basic,
      IoInfo: koffi.array('uint64_t', 6),
      ProcessMemoryLimit: 'size_t',
      JobMemoryLimit: 'size_t',
      PeakProcessMemoryUsed: 'size_t',
      PeakJobMemoryUsed: 'size_t',
    });
    expect(EXTENDED_LIMITS).toEqual({
      bytes: koffi.sizeof(extended),
      LimitFlags: koffi.offsetof(basic, 'LimitFlags'),
      ActiveProcessLimit: koffi.offsetof(basic, 'ActiveProcessLimit'),
      ProcessMemoryLimit: koffi.offsetof(extended, 'ProcessMemoryLimit'),
    });
  });
});

describe('the sandbox of Windows', () => {
  const trial = () => new Trial(versionTrial(process.execPath));
  const found = async (
    windows: FakeWindows,
    load: () => Kernel32 = () => windows,
    architecture: NodeJS.Architecture = 'x64',
  ) => sandboxOf(await windowsSandbox(trial(), load, architecture));

  test('puts each host into its own job, held until the host has ended', async () => {
    const windows = new FakeWindows();
    const sandbox = await found(windows);
    expect(windows.jobs.every(({ closed }) => closed)).toBe(true);
    windows.jobs.length = 0;

    const [first, second] = [sandbox.spawn(HOST), sandbox.spawn(HOST)];
    expect(windows.jobs.map(({ pids, closed }) => ({ pids, closed }))).toEqual([
      { pids: [first.process.pid], closed: false },
      { pids: [second.process.pid], closed: false },
    ]);
    expect(windows.openProcesses.size).toBe(0);

    const ends = exited(first.process);
    first.kill();
    await ends;
    expect(windows.jobs.map(({ closed }) => closed)).toEqual([true, false]);
    second.kill();
    await exited(second.process);
    expect(windows.jobs.every(({ closed }) => closed)).toBe(true);
  });

  test('limits memory and processes, ends them with the job, and denies the desktop', async () => {
    const windows = new FakeWindows();
    const child = (await found(windows)).spawn(HOST);
    const job = windows.jobs.at(-1);
    const limits = job?.set.get(9) ?? Buffer.alloc(0);
    expect(limits).toHaveLength(144);
    // Kill on close, die on unhandled exception, memory of the process, number of processes.
    expect(limits.readUInt32LE(EXTENDED_LIMITS.LimitFlags)).toBe(0x2000 | 0x400 | 0x100 | 0x8);
    expect(limits.readUInt32LE(EXTENDED_LIMITS.ActiveProcessLimit)).toBe(1);
    expect(limits.readBigUInt64LE(EXTENDED_LIMITS.ProcessMemoryLimit)).toBe(BigInt(640 * MB));
    expect(job?.set.get(4)).toEqual(Buffer.from([0xff, 0, 0, 0]));

    child.allowMemory(4_608 * MB);
    expect(job?.set.get(9)?.readBigUInt64LE(EXTENDED_LIMITS.ProcessMemoryLimit)).toBe(BigInt(4_608 * MB));
    child.kill();
    await exited(child.process);
  });

  test('lists the enforced restrictions, and does not satisfy hosts.requireOsSandbox', async () => {
    const { state } = await found(new FakeWindows());
    expect(state.protection).toBe('partial');
    expect(state.layers.map(({ name, active }) => [name, active])).toEqual([
      ['Files', false],
      ['Network', false],
      ['Other processes', false],
      ['Workspace files', false],
      ['New processes', true],
      ['Desktop', true],
      ['Memory', true],
    ]);
    expect(state.summary).toMatch(
      /^Partly active, not for files, network, other processes, and workspace files: a Job Object/,
    );
    expect(sandboxRefusal('scripts', state)).toContain('hosts.requireOsSandbox');
  });

  test.each(['OpenProcess', 'AssignProcessToJobObject', 'CreateJobObjectW', 'SetInformationJobObject'] as const)(
    'ends a host that %s keeps out of its job, and reports no sandbox from then on',
    async (call) => {
      const windows = new FakeWindows();
      const sandbox = await found(windows);
      windows.refused = call;
      const child = sandbox.spawn(HOST);
      await exited(child.process);
      const name = call.replace(/W$/, '');
      expect(child.endedBy(null, 'SIGKILL')).toBe(`it could not be confined: ${name}: Windows error 5`);
      expect(sandbox.state.protection).toBe('none');
      expect(sandbox.state.summary).toBe(
        `Not active: a host could not be confined and was ended (${name}: Windows error 5).`,
      );
      expect(windows.jobs.every(({ closed }) => closed)).toBe(true);
      expect(windows.openProcesses.size).toBe(0);
    },
  );

  test('works without restrictions of the desktop if Windows rejects them', async () => {
    const windows = new FakeWindows();
    windows.refused = 'restrictions';
    const layers = (await found(windows)).state.layers.filter(({ name }) => /Desktop|New/.test(name));
    expect(layers.map(({ active }) => active)).toEqual([true, false]);
  });

  test('is missing if Windows rejects jobs, koffi is missing, or Node has 32 bits', async () => {
    const windows = new FakeWindows();
    windows.refused = 'CreateJobObjectW';
    expect((await found(windows)).state.summary).toBe(
      'Not active: Job Objects do not work here (CreateJobObject: Windows error 5).',
    );
    const missing = () => {
      throw new Error("Cannot find module 'koffi'");
    };
    expect((await found(windows, missing)).state.summary).toContain("Cannot find module 'koffi'");
    expect((await found(windows, () => windows, 'ia32')).state.protection).toBe('none');
  });
});
