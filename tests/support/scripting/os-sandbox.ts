import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { OsSandbox } from '../../../src-main/platform/os-sandbox/os-sandbox.ts';
import { osSandbox } from '../../../src-main/platform/os-sandbox/os-sandbox.ts';
import { versionTrial } from '../../../src-main/platform/os-sandbox/trial.ts';

const INSTALL_WITHIN_MS = 5 * 60_000;

/**
 * The OS sandbox of this machine for the Node that runs the tests. On Debian, as root, bubblewrap is installed if it is
 * missing. Must be called before any host is started.
 */
export async function testSandbox(): Promise<OsSandbox> {
  if (process.platform === 'linux' && process.getuid?.() === 0 && !existsSync('/usr/bin/bwrap')) install();
  const sandbox = osSandbox(versionTrial(process.execPath));
  await sandbox.known;
  return sandbox;
}

function install(): void {
  if (!existsSync('/usr/bin/apt-get')) return;
  for (const args of [
    ['update', '-qq'],
    ['install', '-y', '-qq', '--no-install-recommends', 'bubblewrap'],
  ]) {
    try {
      console.info(`bubblewrap was not found; running: apt-get ${args.join(' ')}`);
      execFileSync('apt-get', args, {
        timeout: INSTALL_WITHIN_MS,
        stdio: 'ignore',
        env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      });
    } catch (thrown) {
      console.info(`apt-get ${args[0]}: ${String(thrown)}`);
    }
  }
}
