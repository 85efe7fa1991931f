import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { expect, onTestFinished, vi } from 'vitest';
import type { Command } from '../electron-double/remote-control.ts';
import { DESKTOP_BUNDLE, NODE, ROOT } from './product.ts';

const REGISTER = join(ROOT, 'tests', 'support', 'electron-double', 'register.ts');

export interface Desktop {
  send(command: Command): Promise<unknown>;
  ended: Promise<number | null>;
  said(): string;
  /** Ends it abruptly, like a power failure. */
  kill(): Promise<void>;
}

/** The built desktop bundle on the double of Electron. The caller ends it. */
export function spawnDesktop(workspace: string, env: NodeJS.ProcessEnv = {}, more: string[] = []): Desktop {
  const child: ChildProcess = spawn(
    NODE,
    ['--import', REGISTER, env['DOUBLE_BUNDLE'] ?? DESKTOP_BUNDLE, '--workspace', workspace, ...more],
    {
      env: { ...process.env, DOUBLE_APP_DATA: join(workspace, 'app-data'), ...env },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    },
  );
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => void (said += chunk.toString()));
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  return {
    ended,
    said: () => said,
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
    send: async (command) => {
      const responded = new Promise<unknown>((resolve, reject) => {
        child.once('message', (response: { value?: unknown; error?: string }) => {
          if (response.error === undefined) resolve(response.value);
          else reject(new Error(response.error));
        });
      });
      child.send(command);
      return responded;
    },
  };
}

/** The same; it ends with the test. */
export function startDesktop(...start: Parameters<typeof spawnDesktop>): Desktop {
  const desktop = spawnDesktop(...start);
  onTestFinished(() => desktop.kill());
  return desktop;
}

/** Waits for the window. */
export async function openedDesktop(...start: Parameters<typeof spawnDesktop>): Promise<Desktop> {
  const desktop = startDesktop(...start);
  await vi.waitFor(async () => expect(await desktop.send({ do: 'describe' })).toMatchObject({ listeners: 1 }), {
    interval: 50,
  });
  return desktop;
}
