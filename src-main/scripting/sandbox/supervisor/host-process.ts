import type { HostExit } from './run-errors.ts';

export interface HostEvents {
  data(chunk: Buffer): void;
  /** Called once, after the last data. */
  exit(exit: HostExit): void;
}

/** A script host from the pool's point of view; tests use hostile ones instead. */
export interface HostProcess {
  readonly pid: number | null;
  /** Bytes that were written but not yet taken by the host. */
  readonly unsent: number;
  write(frame: Buffer): void;
  /** The next scripts have this limit. */
  allowMemory?(memoryMb: number): void;
  /** Ends it at once, whatever it is doing. */
  kill(): void;
}

export type StartHost = (events: HostEvents, memoryMb: number, jitless?: boolean) => HostProcess;
