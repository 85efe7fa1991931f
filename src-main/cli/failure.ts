import { ORPCError } from '@orpc/client';
import { z } from 'zod';
import type { ErrorCode } from '#contract/errors';
import { TagwrightError } from '../platform/errors.ts';
import type { CommandContext } from './context.ts';
import { EXIT_OF_ERROR } from './exit-codes.ts';
import { printable } from '../platform/report/printable.ts';

/** Writes an error of a command to stderr, and returns the exit code. */
export function reportFailure(thrown: unknown, { io, log }: Pick<CommandContext, 'io' | 'log'>): number {
  const { code, message, data } = errorOf(thrown);
  if (code === 'INTERNAL') log.error('the command failed', thrown);
  io.err(`tagwright: ${printable(message)}\n${detailsOf(message, data)}`);
  return EXIT_OF_ERROR[code];
}

function errorOf(thrown: unknown): { code: ErrorCode; message: string; data: unknown } {
  if (thrown instanceof TagwrightError) return thrown;
  if (thrown instanceof ORPCError && isErrorCode(thrown.code)) {
    const { code, data } = thrown;
    const message = thrown.message.replace(INVALID_INPUT, (text) => issuesText(data) ?? text);
    return { code, message, data };
  }
  if (thrown instanceof Error && thrown.name === 'AbortError') {
    const message =
      'The running instance ended before it responded. Check whether the change took effect before retrying.';
    return { code: 'UNAVAILABLE', message, data: null };
  }
  const message = 'An internal error of Tagwright occurred; see the lines above for details.';
  return { code: 'INTERNAL', message, data: null };
}

const isErrorCode = (code: unknown): code is ErrorCode => typeof code === 'string' && code in EXIT_OF_ERROR;

const issueData = z.object({
  issues: z.array(z.object({ path: z.array(z.union([z.string(), z.number()])), message: z.string() })).min(1),
});

/** The message about the input of an RPC call. An import puts the file and the item before it. */
const INVALID_INPUT = /The input of [\w.]+ is invalid.*$/s;

/** The fields of invalid input, each with its reason; null for other errors. */
function issuesText(data: unknown): string | null {
  const { data: found } = issueData.safeParse(data);
  return found?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ') ?? null;
}

/** The items that a Set rejected, one per line; empty if the message already has all of them. */
function detailsOf(message: string, data: unknown): string {
  const failures: unknown = typeof data === 'object' && data !== null && 'failures' in data ? data.failures : null;
  if (!Array.isArray(failures)) return '';
  const shown = failures.map((failure: unknown) =>
    typeof failure === 'object' && failure !== null && 'tag' in failure && 'reason' in failure
      ? { tag: String(failure.tag), reason: String(failure.reason) }
      : { tag: '', reason: '' },
  );
  if (shown.every(({ tag, reason }) => message.includes(tag) && message.includes(reason))) return '';
  return shown.map(({ tag, reason }) => `  ${printable(tag)}: ${printable(reason)}\n`).join('');
}
