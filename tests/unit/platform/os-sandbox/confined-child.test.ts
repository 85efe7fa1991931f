import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { findTool } from '../../../../src-main/platform/os-sandbox/linux-tools.ts';
import { unshared } from '../../../../src-main/platform/os-sandbox/namespaces.ts';
import { systemCallFilter } from '../../../../src-main/platform/os-sandbox/system-call-filter.ts';
import { Trial, versionTrial } from '../../../../src-main/platform/os-sandbox/trial.ts';
import { Wrapper } from '../../../../src-main/platform/os-sandbox/wrapper.ts';

const { command } = versionTrial(process.execPath);

test.runIf(process.platform !== 'win32')(
  'a program counts as ended although its own child keeps its pipe open',
  async () => {
    const code = `
    const { pid } = require('node:child_process').spawn('sleep', ['600'], { stdio: 'inherit', detached: true });
    console.log(pid);
    setTimeout(() => process.exit(3), 100);`;
    const { process: started } = Wrapper.none().spawn({ ...command, args: ['-e', code] });
    const [pid] = (await once(started.stdout ?? started, 'data')) as [Buffer];
    onTestFinished(() => void process.kill(Number(pid), 'SIGKILL'));
    started.stdout?.resume();
    expect(await once(started, 'close')).toEqual([3, null]);
  },
);

test.runIf(process.platform === 'linux')(
  'a program in namespaces has no capabilities, even for root',
  async ({ skip }) => {
    const [unshare, setpriv] = [findTool('unshare'), findTool('setpriv')];
    if (unshare === null || setpriv === null) {
      skip('unshare or setpriv is missing');
      return;
    }
    const root = process.getuid?.() === 0;
    const wrapper = await Wrapper.attempt(new Trial(versionTrial(process.execPath)), {
      wrap: (given) => unshared(given, { unshare, setpriv, prlimit: findTool('prlimit') }, root),
    });
    if (!(wrapper instanceof Wrapper)) {
      skip(wrapper.reason);
      return;
    }
    const args = ['-e', `console.log(require('node:fs').readFileSync('/proc/self/status', 'latin1'))`];
    const { process: started } = wrapper.spawn({ ...command, args });
    let status = '';
    started.stdout?.on('data', (text: Buffer) => (status += text.toString('latin1')));
    await once(started, 'close');
    const of = (name: string) => new RegExp(`^${name}:\\s*(\\w+)$`, 'm').exec(status)?.[1];
    expect(['CapPrm', 'CapEff', 'CapInh', 'CapAmb'].map((name) => Number.parseInt(of(name) ?? '', 16))).toEqual([
      0, 0, 0, 0,
    ]);
    if (root) expect(Number.parseInt(of('CapBnd') ?? '', 16)).toBe(0);
    expect(of('NoNewPrivs')).toBe('1');
  },
);

test.runIf(process.platform === 'linux')(
  'with Landlock, nothing clears the signal of the end of main',
  async ({ skip }) => {
    const [bwrap, setpriv, filter] = [
      findTool('bwrap'),
      findTool('setpriv'),
      systemCallFilter(process.arch, 'Landlock'),
    ];
    if (bwrap === null || setpriv === null || filter === null) {
      skip('bwrap, setpriv or the filter is missing');
      return;
    }
    // A setpriv without support for filters: bwrap loads this one, without any other protection.
    const attempt = (options: string[]) =>
      Wrapper.attempt(new Trial(versionTrial(process.execPath)), {
        filter,
        wrap: ({ binary, args }, fd) => ({
          program: bwrap,
          args: ['--dev-bind', '/', '/', '--seccomp', String(fd), '--', setpriv, ...options, '--', binary, ...args],
          between: 1,
        }),
      });
    const allowed = await attempt(['--nnp']);
    if (!(allowed instanceof Wrapper)) {
      skip(allowed.reason);
      return;
    }
    allowed.dispose();
    for (const options of [
      ['--pdeathsig', 'clear'],
      ['--pdeathsig', 'TERM'],
    ]) {
      expect(await attempt(options)).toEqual({ reason: expect.stringContaining('Operation not permitted') });
    }
  },
);
