import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { hostRuntime, productRoot } from '../platform/files/paths.ts';
import { hasDisplay } from './open-browser.ts';

/** The source of the desktop runtime if no mirror is configured, like in its installer. */
const DOWNLOADS = 'https://github.com';
const REACHABLE_WITHIN_MS = 3_000;
/** A window that closes earlier, with an error, was never shown. */
const SHOWN_AFTER_MS = 5_000;

export type DesktopRuntime = { electron: string } | { missing: string };

/** The Electron binary, downloaded once if it is missing and can be; or a short reason why there is none. */
export async function findDesktopRuntime(report: (text: string) => void): Promise<DesktopRuntime> {
  if (!hasDisplay(process.platform, process.env)) return { missing: 'there is no display' };
  const root = productRoot();
  const folder = join(root, 'node_modules', 'electron');
  if (!existsSync(join(folder, 'package.json')))
    return { missing: 'the desktop runtime is not part of this installation' };
  const installed = binaryIn(folder);
  if (installed) return { electron: installed };

  const { protocol, hostname, port } = new URL(
    process.env['ELECTRON_MIRROR'] ?? process.env['npm_config_electron_mirror'] ?? DOWNLOADS,
  );
  if (!(await isReachable(hostname, Number(port) || (protocol === 'http:' ? 80 : 443)))) {
    return { missing: `the desktop runtime is not installed yet, and ${hostname} cannot be reached to download it` };
  }
  report('Downloading the desktop runtime, once (about 120 MB)…\n');
  const code = await install(hostRuntime(root).node, join(folder, 'install.js'));
  const fetched = binaryIn(folder);
  if (code === 0 && fetched) return { electron: fetched };
  return { missing: `the desktop runtime could not be downloaded (its installer ended with ${code})` };
}

/** Like the electron package: path.txt has the name, once the binary was downloaded. */
function binaryIn(folder: string): string | null {
  const elsewhere = process.env['ELECTRON_OVERRIDE_DIST_PATH'];
  const named = join(folder, 'path.txt');
  const name = existsSync(named) ? readFileSync(named, 'utf8').trim() : elsewhere ? 'electron' : '';
  const binary = join(elsewhere ?? join(folder, 'dist'), name);
  return name !== '' && existsSync(binary) ? binary : null;
}

/** Whether the server responds at all: a machine without internet access gets the error within seconds. */
function isReachable(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    const settle = (reachable: boolean) => {
      clearTimeout(tooLate);
      socket.destroy();
      resolve(reachable);
    };
    const tooLate = setTimeout(() => settle(false), REACHABLE_WITHIN_MS);
    socket.once('connect', () => settle(true));
    socket.once('error', () => settle(false));
  });
}

/** Results of commands go to stdout, so the installer's progress goes to stderr. */
function install(node: string, installer: string): Promise<number | null> {
  return new Promise((resolve) => {
    const child = spawn(node, [installer], { stdio: ['ignore', 2, 2] });
    child.once('error', () => resolve(null));
    child.once('exit', (code) => resolve(code));
  });
}

export type DesktopEnd = { shown: true } | { shown: false; why: string };

/** Shows the desktop window on the workspace until it is closed. */
export function runDesktop(electron: string, directory: string): Promise<DesktopEnd> {
  const entry = join(productRoot(), 'out', 'main', 'desktop.js');
  const started = performance.now();
  return new Promise((resolve) => {
    const child = spawn(electron, [entry, '--workspace', directory], {
      // The channel closes when this process ends, for whatever reason; the window then closes.
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    });
    const pass = (signal: NodeJS.Signals) => child.kill(signal);
    process.on('SIGINT', pass);
    process.on('SIGTERM', pass);
    const settle = (end: DesktopEnd) => {
      process.off('SIGINT', pass);
      process.off('SIGTERM', pass);
      resolve(end);
    };
    child.once('error', (error) =>
      settle({ shown: false, why: `the desktop runtime does not start: ${error.message}` }),
    );
    child.once('exit', (code, signal) => {
      const soon = performance.now() - started < SHOWN_AFTER_MS;
      const failed = code !== 0 && signal !== 'SIGINT' && signal !== 'SIGTERM';
      if (!soon || !failed) return settle({ shown: true });
      settle({ shown: false, why: `the desktop runtime ended at once (${signal ?? `exit code ${code}`})` });
    });
  });
}
