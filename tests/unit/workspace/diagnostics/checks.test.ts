import { createServer } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { judgeTime, spanText } from '../../../../src-main/workspace/diagnostics/clock-checks.ts';
import { linuxMounts, mountedAs } from '../../../../src-main/workspace/diagnostics/disk-checks.ts';
import { judgeSandbox, waitingScripts } from '../../../../src-main/workspace/diagnostics/host-checks.ts';
import type { HostsStatus } from '../../../../src-main/scripting/sandbox/script-run.ts';
import { active, inactive, MEMORY } from '../../../../src-main/platform/os-sandbox/layers.ts';
import { sandboxOf } from '../../../../src-main/platform/os-sandbox/os-sandbox.ts';
import { Wrapper } from '../../../../src-main/platform/os-sandbox/wrapper.ts';
import { readLogLine } from '../../../../src-main/workspace/diagnostics/log-check.ts';
import { listenerInProc, ownerInLsof, pidInNetstat, portOwner } from '../../../../src-main/platform/http/port-owner.ts';

describe('the listener on a port', () => {
  const PROC = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:12FC 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 8123401 1 0 100 0 0 10 0
   1: 0100007F:12FD 0100007F:12FC 01 00000000:00000000 00:00000000 00000000  1000        0 8123402 1 0 20 4 30 10 -1
`;
  const NETSTAT = `
Aktive Verbindungen
  Proto  Lokale Adresse         Remoteadresse          Status           PID
  TCP    0.0.0.0:135            0.0.0.0:0              ABHÖREN          1044
  TCP    127.0.0.1:4860         127.0.0.1:50112        HERGESTELLT      9000
  TCP    127.0.0.1:4860         0.0.0.0:0              ABHÖREN          4711
`;

  test('is read from the output of each system', () => {
    expect(listenerInProc(PROC, 4860)).toEqual({ inode: '8123401', uid: 1000 });
    expect(listenerInProc(PROC, 4861)).toBeNull();
    expect(pidInNetstat(NETSTAT, 4860)).toBe(4711);
    expect(pidInNetstat(NETSTAT, 4861)).toBeNull();
    expect(ownerInLsof('p812\ncpython3.12\nf3\n')).toEqual({ pid: 812, name: 'python3.12' });
    expect(ownerInLsof('')).toBeNull();
  });

  test.runIf(process.platform === 'linux')('is this process, without arguments that may contain secrets', async () => {
    const server = createServer();
    onTestFinished(() => void server.close());
    const port = await new Promise<number>((resolve) => {
      server.listen(0, '127.0.0.1', () => {
        const address = server.address();
        resolve(typeof address === 'object' && address ? address.port : 0);
      });
    });
    const owner = await portOwner(port);
    expect(owner).toMatchObject({ pid: process.pid });
    expect(owner?.name).toMatch(/^node\b/);
    expect(owner?.name).not.toContain('/');
  });
});

describe('waiting scripts', () => {
  const instance = (status: Partial<HostsStatus>) => ({
    hosts: () => ({ idle: 1, busy: 0, starting: 0, restarts: 0, ...status }),
  });

  test.each<[Parameters<typeof waitingScripts>[0], string, string]>([
    [null, 'ok', 'none waits: no instance runs'],
    [instance({ busy: 1 }), 'ok', 'none waits for the network; 1 other script in progress, 0 queued'],
    [
      instance({ busy: 32, waiting: 30, waitingMost: 120, queued: 4 }),
      'ok',
      '30 of up to 120 wait for the network; 2 other scripts in progress, 4 queued',
    ],
    [
      instance({ busy: 30, waiting: 30, waitingMost: 30, queued: 20, held: 18 }),
      'warning',
      '18 runs held back, because others of the same script wait: 30 scripts wait for the network',
    ],
  ])('are reported', (given, state, detail) => {
    expect(waitingScripts(given)).toMatchObject({ state, detail });
  });
});

describe('the OS sandbox', () => {
  const NAMES = ['Files', 'Network', 'Other processes', 'Workspace files', 'System calls'] as const;
  /** With these layers active, and memory, which always is. */
  const stateWith = (...names: (typeof NAMES)[number][]) => {
    const layers = NAMES.map((name) => (names.includes(name) ? active(name, 'bwrap') : inactive(name, 'no bwrap')));
    return sandboxOf({ wrapper: Wrapper.none(), layers: [...layers, MEMORY] }).state;
  };
  const NOT_RUN = 'because the setting hosts.requireOsSandbox is on.';

  test.each([false, true])('is fine if it is complete, required or not', (required) => {
    expect(judgeSandbox(stateWith(...NAMES), required)).toEqual({
      state: 'ok',
      detail:
        'Active: hosts reach no files, no network and no other processes. ' +
        'Enforced: files, network, other processes, workspace files, system calls, memory.',
    });
  });

  test('is a warning if it is partial or missing, with all that is not enforced', () => {
    expect(judgeSandbox(stateWith('Network', 'Other processes'), false)).toMatchObject({
      state: 'warning',
      detail:
        'Partly active, not for files and workspace files: no bwrap. ' +
        'Enforced: network, other processes, memory. Not enforced: files, workspace files, system calls.',
      fix: expect.stringContaining('the page "Security" of the manual'),
    });
    expect(judgeSandbox(stateWith(), false)).toMatchObject({
      state: 'warning',
      detail:
        'Not active: no bwrap. Enforced: memory. ' +
        'Not enforced: files, network, other processes, workspace files, system calls.',
    });
  });

  test('is a problem if it is required, and what does not run is named', () => {
    const confined = stateWith('Files', 'Network', 'Other processes', 'System calls');
    expect(judgeSandbox(confined, true)).toMatchObject({
      state: 'problem',
      detail: expect.stringMatching(`Not enforced: workspace files\\. SQL does not run, ${NOT_RUN}$`),
    });
    for (const state of [stateWith('Network'), stateWith()]) {
      expect(judgeSandbox(state, true)).toMatchObject({
        state: 'problem',
        detail: expect.stringMatching(`Scripts and SQL do not run, ${NOT_RUN}$`),
      });
    }
  });
});

describe('the file system', () => {
  const MOUNTS = `rootfs / rootfs rw 0 0
/dev/sda1 / ext4 rw,relatime 0 0
server:/plants /mnt/plant\\040south nfs4 rw 0 0
tmpfs /tmp tmpfs rw 0 0
`;
  test.each([
    ['/home/me/plant', 'ext4'],
    ['/mnt/plant south/w', 'nfs4'],
    ['/mnt/plant southern', 'ext4'],
    ['/tmp', 'tmpfs'],
    ['/', 'ext4'],
  ])('of %s is %s', (path, type) => {
    expect(mountedAs(MOUNTS, path)).toBe(type);
  });

  test('is read from the output of macOS', () => {
    const said = `/dev/disk3s1 on / (apfs, sealed, local)
//me@server/plants on /Volumes/plant south (smbfs, nodev, nosuid)
`;
    expect(mountedAs(linuxMounts(said), '/Volumes/plant south/w')).toBe('smbfs');
    expect(mountedAs(linuxMounts(said), '/Users/me')).toBe('apfs');
  });
});

describe('the clock', () => {
  const NOW = Date.parse('2026-03-01T12:00:00Z');
  const at = (iso: string, what = 'the newest backup') => ({ what, at: Date.parse(iso) });

  test('is correct if it is later than everything before, with a tolerance of 2 min', () => {
    expect(judgeTime(NOW, [])).toMatchObject({ state: 'ok' });
    expect(judgeTime(NOW, [at('2026-02-28T00:00:00Z'), at('2026-03-01T12:01:59Z')])).toMatchObject({ state: 'ok' });
  });

  test('was set back if something is from the future', () => {
    expect(judgeTime(NOW, [at('2026-02-28T00:00:00Z', 'a'), at('2026-03-01T15:00:00Z', 'the log')])).toMatchObject({
      state: 'warning',
      detail:
        '2026-03-01T12:00:00.000Z, but the log is of 2026-03-01T15:00:00.000Z, 3 hours later: the clock was set back, or is wrong',
    });
    expect([spanText(90_000), spanText(86_400_000 * 400)]).toEqual(['2 minutes', '400 days']);
  });
});

describe('a line of the log', () => {
  test.each([
    ['2026-03-01T12:00:00.000Z error rules failed {"thrown":"Error"}', 'error', 'rules failed {"thrown":"Error"}'],
    ['2026-03-01T12:00:00.000Z warn  slow', 'warn', 'slow'],
    ['2026-03-01T13:00:00.000+01:00 info  [start] up', 'info', '[start] up'],
    [
      '{"time":"2026-03-01T13:00:00.000+01:00","level":"error","event":"fault","message":"no","fields":{}}',
      'error',
      'no',
    ],
  ])('%s', (line, level, message) => {
    expect(readLogLine(line)).toEqual({ at: Date.parse('2026-03-01T12:00:00Z'), level, message });
  });

  test('that is none', () => {
    expect(['', 'no line', '2026 x y', '{"a":1}'].map(readLogLine)).toEqual([null, null, null, null]);
  });
});
