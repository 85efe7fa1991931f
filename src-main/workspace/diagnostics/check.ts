import type { CheckResult, CheckState } from '#domain/workspace/diagnosis';
import type { HubStatus } from '#domain/event/hub';
import type { EventsApiStatus } from '#domain/mock/api-request';
import { grouped } from '#domain/text/grouped';
import type { HostsStatus } from '../../scripting/sandbox/script-run.ts';
import type { LockState } from '../../storage/workspace/instance-lock.ts';
import type { WorkspaceFacts } from '../../storage/workspace/examination/examine.ts';

/** Facts about the instance that runs the diagnosis. */
export interface RunningInstance {
  eventsApi(): EventsApiStatus;
  /** The address of the workbench for browsers; null if it is not served. */
  ui(): string | null;
  hosts(): HostsStatus;
  hub: { status(): HubStatus };
}

/** The input of every check. */
export interface CheckInput {
  /** The folder of the workspace. */
  workspace: string;
  /** The folder of the product. */
  root: string;
  version: string;
  full: boolean;
  /** Aborts when the diagnosis is no longer needed. */
  signal: AbortSignal;
  now: number;
  /** This process, if it is the instance that holds the workspace. */
  instance: RunningInstance | null;
  lock: LockState;
  /** Whether the instance that holds the workspace did not respond. */
  silent: boolean;
  /** A plain Node of the product; null if there is none. */
  node: string | null;
  /** The metadata of workspace.db, or why it cannot be read; null if the file does not exist. */
  facts: WorkspaceFacts | Error | null;
}

/** The result of a check. A fix is one sentence in the imperative. */
export interface DiagnosticFinding {
  state: CheckState;
  detail: string;
  fix?: string;
}

/** One check: a small function that changes nothing. */
export interface Check extends Pick<CheckResult, 'id' | 'group' | 'title'> {
  /** @param reportProgress reports progress, for slow checks */
  run: (input: CheckInput, reportProgress: (doing: string) => void) => Promise<DiagnosticFinding> | DiagnosticFinding;
}

export const ok = (detail: string): DiagnosticFinding => ({ state: 'ok', detail });
export const warning = (detail: string, fix: string): DiagnosticFinding => ({ state: 'warning', detail, fix });
export const problem = (detail: string, fix: string): DiagnosticFinding => ({ state: 'problem', detail, fix });
export const notChecked = (detail: string): DiagnosticFinding => ({ state: 'not-checked', detail });

/** `1 file`, `3 files` */
export function counted(count: number, what: string): string {
  return `${grouped(count)} ${what}${count === 1 ? '' : 's'}`;
}

/** `0.4 MB`, `120 MB`, `34 GB` */
export function sizeText(bytes: number): string {
  const megabytes = bytes / 2 ** 20;
  if (megabytes < 10) return `${megabytes.toFixed(1)} MB`;
  if (megabytes < 10_240) return `${grouped(Math.floor(megabytes))} MB`;
  return `${grouped(Math.floor(megabytes / 1_024))} GB`;
}

/** The first few of a list, and how many more there are. */
export function listText(all: readonly string[], most = 3): string {
  const shown = all.slice(0, most).join(', ');
  return all.length > most ? `${shown} and ${all.length - most} more` : shown;
}
