import type { RunError, RunLimits } from '#domain/run/run';
import type { HostExit } from './host-process.ts';

/** Errors of runs that did not end by themselves: what happened, and which setting decides. */

export function scriptTimeout(limits: RunLimits): RunError {
  return plain('TimeoutError', `script time over ${grouped(limits.scriptMs)} ms (setting limits.scriptMs)`);
}

export function totalTimeout(limits: RunLimits): RunError {
  return plain('TimeoutError', `the run took over ${grouped(limits.totalMs)} ms in all (setting limits.totalMs)`);
}

export function overMemory(limits: RunLimits): RunError {
  return plain('MemoryError', `the script used more than ${grouped(limits.memoryMb)} MB (setting limits.memoryMb)`);
}

/** The engine refuses a buffer before any memory is taken, so the place in the script is known. */
export function bufferRefused(limits: RunLimits, refusal: RunError): RunError {
  const { name, message } = overMemory(limits);
  return { ...refusal, name, message: `${message}: the engine refused it an ArrayBuffer` };
}

export function bodyTooLong(bytes: number, limits: RunLimits): RunError {
  return plain('RangeError', `the script has ${grouped(bytes)} bytes, ${grouped(limits.bodyBytes)} are allowed`);
}

export function cancelled(): RunError {
  return plain('CancelledError', 'the run was cancelled');
}

export function stopping(): RunError {
  return plain('CancelledError', 'Tagwright is stopping');
}

export function protocolBroken(what: string): RunError {
  return plain(
    'CrashError',
    `the script host sent ${what} and was ended; the application and other runs are not affected`,
  );
}

export function crashed(exit: HostExit): RunError {
  const reason = fatalReason(exit.stderr);
  return plain(
    'CrashError',
    `the script ended its host process (${exit.how}${reason === null ? '' : `: ${reason}`}); ` +
      'the application and other runs are not affected',
  );
}

/** Whether the engine gave up because it got no more memory. */
export function diedOfMemory(exit: HostExit): boolean {
  return /out of memory|allocation failed/i.test(exit.stderr);
}

function fatalReason(stderr: string): string | null {
  const found = /(?:FATAL ERROR: |# Fatal error in [^\n]*\n#? ?|# ?Fatal )([^\n]{1,200})/i.exec(stderr);
  return found?.[1]?.trim() ?? null;
}

function plain(name: string, message: string): RunError {
  return { name, message, line: null, column: null, stack: [] };
}

function grouped(count: number): string {
  return count.toLocaleString('en-US');
}
