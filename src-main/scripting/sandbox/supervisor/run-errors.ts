import type { RunError, RunLimits } from '#domain/run/run';
import { grouped } from '#domain/text/grouped';

/** The end of a host process. */
export interface HostExit {
  /** Exit code or signal, for people: `exit code 1`, `SIGTRAP`. */
  how: string;
  /** The last part of its stderr. */
  stderr: string;
  /** It ended without reading the last frame that it was sent. Known on Linux; null elsewhere. */
  unread: boolean | null;
}

/** The errors of runs: what ended them and which setting decides, and what a script can use instead. */

export function scriptTimeout(limits: RunLimits): RunError {
  return plain('TimeoutError', `script time exceeded ${grouped(limits.scriptMs)} ms (setting limits.scriptMs)`);
}

export function processorTimeout(processorMs: number): RunError {
  return plain('TimeoutError', `the script took more than ${grouped(processorMs)} ms of processor time`);
}

/** In a replay with a failure. */
export function endlessCalls(): RunError {
  return plain('TimeoutError', 'the script repeats its calls endlessly');
}

export function totalTimeout(limits: RunLimits): RunError {
  return plain(
    'TimeoutError',
    `the run took more than ${grouped(limits.totalMs)} ms in total (setting limits.totalMs)`,
  );
}

export function overMemory(limits: RunLimits): RunError {
  return plain('MemoryError', `the script used more than ${grouped(limits.memoryMb)} MB (setting limits.memoryMb)`);
}

/** The engine rejects a buffer before it takes any memory, so the place in the script is known. */
export function bufferRefused(limits: RunLimits, refusal: RunError): RunError {
  const { name, message } = overMemory(limits);
  return { ...refusal, name, message: `${message}: the engine rejected an ArrayBuffer` };
}

export function bodyTooLong(bytes: number, limits: RunLimits): RunError {
  return plain('RangeError', `the script has ${grouped(bytes)} bytes, but ${grouped(limits.bodyBytes)} are allowed`);
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

const INSTEAD =
  'a script has no modules, Node, files, network or timers of its own; it has TagValueManager, ApiValueManager (for HTTP), ' +
  'console and the built-ins of JavaScript';
/** Globals of Node and browsers that authors may expect. */
const ABSENT =
  /^(require|module|exports|process|global|Buffer|window|document|fetch|XMLHttpRequest|WebSocket|localStorage|setTimeout|setInterval|setImmediate|clearTimeout|clearInterval|queueMicrotask|structuredClone|URL|URLSearchParams|TextEncoder|TextDecoder|atob|btoa|crypto|performance) is not defined$/;
const IMPORT = /\bimport\s*\(/;
const MODULE_SYNTAX = /outside a module$|^Unexpected token 'export'$/;

/**
 * The error of a run, with the alternatives for a script that used a feature of other environments. For an `import()`
 * the engine only says `Not supported`.
 */
export function explained(error: RunError, body: string): RunError {
  const { name, message } = error;
  if (message === 'Not supported' && IMPORT.test(body)) {
    return { ...error, message: `import() is not supported: ${INSTEAD}` };
  }
  if (name === 'ReferenceError' && ABSENT.test(message)) return { ...error, message: `${message}: ${INSTEAD}` };
  if (name === 'SyntaxError' && MODULE_SYNTAX.test(message)) return { ...error, message: `${message}: ${INSTEAD}` };
  return error;
}

/** Whether the engine denied memory for a buffer, and the script did not recover. */
export function isRefusedBuffer({ name, message }: RunError): boolean {
  return name === 'RangeError' && message === 'Array buffer allocation failed';
}
