import type { RunError } from '#domain/run/run';

const INSTEAD =
  'a script has no modules, Node, files, network or timers of its own; it has TagValueManager, ApiValueManager (for HTTP), ' +
  'console and the built-ins of JavaScript';
/** What authors expect to find, from Node and from browsers. */
const ABSENT =
  /^(require|module|exports|process|global|Buffer|window|document|fetch|XMLHttpRequest|WebSocket|localStorage|setTimeout|setInterval|setImmediate|clearTimeout|clearInterval|queueMicrotask|structuredClone|URL|URLSearchParams|TextEncoder|TextDecoder|atob|btoa|crypto|performance) is not defined$/;
const IMPORT = /\bimport\s*\(/;
const MODULE_SYNTAX = /outside a module$|^Unexpected token 'export'$/;

/**
 * The error of a run, with what a script can use instead where it asked for something that only other places have. The
 * engine says `Not supported` of an `import()`, and no more.
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

/** Whether the engine refused memory for a buffer, and the script did not go on without it. */
export function isRefusedBuffer({ name, message }: RunError): boolean {
  return name === 'RangeError' && message === 'Array buffer allocation failed';
}
