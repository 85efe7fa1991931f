import { describe, expect, test } from 'vitest';
import { bubblewrapped } from '../../../../src-main/platform/os-sandbox/bubblewrap.ts';
import type { ConfinedCommand } from '../../../../src-main/platform/os-sandbox/confined-command.ts';
import { landlocked } from '../../../../src-main/platform/os-sandbox/landlock.ts';
import { limited, unshared } from '../../../../src-main/platform/os-sandbox/namespaces.ts';
import { seatbelted, seatbeltProfile } from '../../../../src-main/platform/os-sandbox/mac.ts';

const SCRIPT_HOST: ConfinedCommand = {
  binary: '/opt/Tag wright/node',
  args: ['--permission', '/opt/Tag wright/script-host.cjs'],
  env: {},
  stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  readable: ['/opt/Tag wright/script-host.cjs'],
  writable: [],
  memoryBytes: 2 ** 30,
};
const PLANT_HOST: ConfinedCommand = {
  ...SCRIPT_HOST,
  writable: [
    {
      folder: '/home/ü',
      ownFiles: ['plant.db', 'plant.db-wal'],
      temporary: 'etilqs_',
      hiddenFiles: ['secrets.key'],
      hiddenFolders: ['logs'],
    },
  ],
};

describe('bubblewrap', () => {
  const parts = { program: '/usr/bin/bwrap', libraries: ['/lib/libc.so.6'], filterFd: 4 };

  test('gives a script host new namespaces and read-only views of only its files', () => {
    expect(bubblewrapped(SCRIPT_HOST, parts)).toEqual({
      program: '/usr/bin/bwrap',
      args: [
        ['--unshare-all', '--die-with-parent', '--cap-drop', 'ALL'],
        ['--ro-bind', '/lib/libc.so.6', '/lib/libc.so.6'],
        ['--ro-bind', '/opt/Tag wright/node', '/opt/Tag wright/node'],
        ['--ro-bind-try', '/opt/Tag wright/script-host.cjs', '/opt/Tag wright/script-host.cjs'],
        ['--remount-ro', '/', '--chdir', '/', '--seccomp', '4'],
        ['--', '/opt/Tag wright/node', '--permission', '/opt/Tag wright/script-host.cjs'],
      ].flat(),
      between: 2,
    });
  });

  test('hides entries of a writable folder', () => {
    const { args } = bubblewrapped(PLANT_HOST, { ...parts, filterFd: null });
    expect(args.slice(args.indexOf('--bind'), args.indexOf('--chdir'))).toEqual(
      [
        ['--bind', '/home/ü', '/home/ü'],
        ['--ro-bind-try', '/dev/null', '/home/ü/secrets.key'],
        ['--tmpfs', '/home/ü/logs', '--remount-ro', '/home/ü/logs'],
        ['--remount-ro', '/'],
      ].flat(),
    );
    expect(args).not.toContain('--seccomp');
  });
});

describe('unshare and prlimit', () => {
  test('start the program in namespaces without a network, and end it with main', () => {
    const tools = { unshare: '/usr/bin/unshare', setpriv: '/usr/bin/setpriv', prlimit: null };
    const { program, args } = unshared(SCRIPT_HOST, tools, false);
    expect(program).toBe('/usr/bin/setpriv');
    expect(args.slice(0, 4)).toEqual(['--pdeathsig', 'KILL', '--', '/usr/bin/unshare']);
    expect(args).toEqual(expect.arrayContaining(['--user', '--net', '--pid', '--kill-child']));
    const within = [tools.setpriv, '--nnp', '--', SCRIPT_HOST.binary, ...SCRIPT_HOST.args];
    expect(args.slice(args.indexOf('--kill-child'))).toEqual(['--kill-child', '--', ...within]);
    expect(unshared(SCRIPT_HOST, tools, true).args.join(' ')).toContain('--nnp --bounding-set=-all --inh-caps=-all --');
  });

  test('in namespaces, limit the program too, if prlimit is installed', () => {
    const tools = { unshare: 'unshare', setpriv: 'setpriv', prlimit: 'prlimit' };
    const { args, between } = unshared(SCRIPT_HOST, tools, false);
    expect(args.slice(args.indexOf('prlimit'))).toEqual(
      [
        ['prlimit', '--core=0', '--fsize=0', '--', 'setpriv', '--nnp', '--'],
        [SCRIPT_HOST.binary, ...SCRIPT_HOST.args],
      ].flat(),
    );
    expect(between).toBe(1);
    expect(unshared(PLANT_HOST, tools, false).args).not.toContain('--fsize=0');
  });

  test('allow files only to hosts that write some', () => {
    expect(limited(SCRIPT_HOST, 'prlimit').args).toContain('--fsize=0');
    expect(limited(PLANT_HOST, 'prlimit').args).not.toContain('--fsize=0');
  });
});

describe('setpriv with Landlock', () => {
  const parts = {
    setpriv: '/usr/bin/setpriv',
    unshare: null,
    prlimit: null,
    libraries: ['/lib/libc.so.6'],
    filterFd: 4,
    root: false,
  };
  const rulesOf = (args: readonly string[]) => args.filter((_, index) => args[index - 1] === '--landlock-rule');

  test('gives a script host only its own files, a system call filter, no privileges', () => {
    const here = { ...SCRIPT_HOST, readable: [import.meta.filename, import.meta.dirname, '/no/such/file'] };
    const { program, args, between, env } = landlocked(here, parts);
    expect({ program, between, env }).toEqual({
      program: '/usr/bin/setpriv',
      between: 0,
      env: { OPENSSL_CONF: '/dev/null' },
    });
    // Not by the setpriv that loads the filter, because the filter denies it.
    expect(args.slice(0, 4)).toEqual(['--pdeathsig', 'KILL', '--', '/usr/bin/setpriv']);
    expect(args.slice(4, 7)).toEqual(['--nnp', '--landlock-access', 'fs']);
    expect(args.lastIndexOf('--pdeathsig')).toBe(0);
    expect(rulesOf(args).filter((rule) => !rule.includes(':/dev/'))).toEqual([
      'path-beneath:execute,read-file:/opt/Tag wright/node',
      'path-beneath:execute,read-file:/lib/libc.so.6',
      `path-beneath:read-file:${import.meta.filename}`,
      `path-beneath:read-file,read-dir:${import.meta.dirname}`,
    ]);
    expect(args.slice(-5)).toEqual(['--seccomp-filter', '/proc/self/fd/4', '--', here.binary, ...here.args].slice(-5));
    expect(landlocked(here, { ...parts, root: true }).args).toContain('--bounding-set=-all');
  });

  test('lets a host that runs SQL write in its folder, and keep temporary files there', () => {
    const { args, env } = landlocked(PLANT_HOST, parts);
    expect(rulesOf(args)).toContain('path-beneath:read-file,read-dir,write-file,truncate,make-reg,remove-file:/home/ü');
    expect(env).toEqual({ OPENSSL_CONF: '/dev/null', SQLITE_TMPDIR: '/home/ü' });
  });

  test('adds namespaces and limits if available, with Landlock inside them', () => {
    const { program, args, between } = landlocked(SCRIPT_HOST, {
      ...parts,
      unshare: '/usr/bin/unshare',
      prlimit: '/usr/bin/prlimit',
    });
    expect(program).toBe('/usr/bin/setpriv');
    expect(between).toBe(1);
    const order = ['/usr/bin/unshare', '/usr/bin/prlimit', '/usr/bin/setpriv', SCRIPT_HOST.binary];
    expect(args.filter((text) => order.includes(text))).toEqual(order);
    expect(args).toContain('--fsize=0');
  });
});

describe('sandbox-exec', () => {
  test('denies everything but the program and its files', () => {
    const profile = seatbeltProfile(SCRIPT_HOST);
    expect(profile.split('\n').slice(0, 3)).toEqual([
      '(version 1)',
      '(deny default)',
      '(allow process-exec (subpath "/opt/Tag wright/node"))',
    ]);
    expect(profile).not.toMatch(/network|file-write|mach|signal/);
    expect(seatbelted(SCRIPT_HOST, 'sandbox-exec').args).toEqual([
      '-p',
      profile,
      SCRIPT_HOST.binary,
      ...SCRIPT_HOST.args,
    ]);
  });

  test('allows a host that runs SQL its files by name, but no links; quotes paths', () => {
    const writable = PLANT_HOST.writable.map((folder) => ({ ...folder, folder: '/a"b\\c.d' }));
    const profile = seatbeltProfile({ ...PLANT_HOST, writable });
    expect(profile.split('\n').slice(-4)).toEqual([
      String.raw`(allow file-read* (literal "/a\"b\\c.d"))`,
      String.raw`(allow file-read* file-write* (literal "/a\"b\\c.d/plant.db") (literal "/a\"b\\c.d/plant.db-wal"))`,
      String.raw`(allow file-read* file-write* (regex "^/a\"b\\\\c\\.d/etilqs_[0-9a-f]+$"))`,
      '(deny file-write-create (vnode-type SYMLINK))',
    ]);
  });
});
