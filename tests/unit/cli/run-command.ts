import { createRouterClient } from '@orpc/server';
import type { CommandContext } from '../../../src-main/cli/context.ts';
import { runProgram } from '../../../src-main/cli/program.ts';
import type { Holder } from '../../../src-main/host/workspace-session.ts';
import { createRouter } from '../../../src-main/rpc/router.ts';
import type { FakeServices } from '../../contract/fake-services.ts';
import { fakeServices } from '../../contract/fake-services.ts';

export interface Ended {
  code: number;
  out: string;
  err: string;
}

export interface CommandWorld {
  services: FakeServices;
  /** Text for standard input. */
  stdin?: Buffer;
  holder?: Holder | null;
  /** Thrown by opening the workspace. */
  cannotOpen?: Error;
  /** Receives the function that triggers Ctrl+C. */
  onListen?: (interrupt: () => void) => void;
  /** Receives results as they are printed. */
  onOut?: (text: string) => void;
}

/** Runs a command line against services in memory. */
export async function runCommand(args: string[], given: Partial<CommandWorld> = {}): Promise<Ended> {
  const world: CommandWorld = { services: fakeServices(), ...given };
  const printed = { out: '', err: '' };
  const contextWith = (exit: (code: number) => void): CommandContext => ({
    io: {
      out: (text) => {
        printed.out += text;
        world.onOut?.(text);
      },
      err: (text) => void (printed.err += text),
      readStdin: async () => world.stdin ?? Buffer.alloc(0),
      async *lines() {
        yield* (world.stdin ?? '').toString().split('\n');
      },
      onInterrupt: (listener) => {
        world.onListen?.(listener);
        return () => {};
      },
      colors: false,
    },
    log: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
    workspace: (named) => named ?? '/workspaces/own',
    holder: async () => world.holder ?? null,
    connect: async () => {
      if (world.cannotOpen) throw world.cannotOpen;
      return { client: createRouterClient(createRouter(world.services, () => {})), close: async () => {} };
    },
    doctor: async () => ({ ...world.services.diagnostics, close: () => {} }),
    exit,
  });
  const code = await runProgram(args, contextWith, '1.2.3');
  return { code, ...printed };
}
