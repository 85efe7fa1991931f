/**
 * Examines a database in a process of its own: it can be ended in the middle of a long statement, and the files are opened
 * and closed where no connection of the workspace is. Argument: the request as JSON. Answers a line of JSON each.
 */
import { z } from 'zod';
import { messageOf, TagwrightError } from '../../../platform/errors.ts';
import type { ExaminationLine } from './examine-in-process.ts';
import { checkPages, readFacts } from './examine.ts';

const request = z.object({
  file: z.string(),
  path: z.string(),
  way: z.enum(['shared', 'unused', 'copy']),
  what: z.enum(['facts', 'pages', 'pages-full']),
});

function say(line: ExaminationLine): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

try {
  const { what, ...examined } = request.parse(JSON.parse(process.argv[2] ?? ''));
  if (what === 'facts') say({ facts: readFacts(examined) });
  else say({ pages: checkPages(examined, what === 'pages-full', (done, total) => say({ done, total })) });
} catch (thrown) {
  const { code, message, data } =
    thrown instanceof TagwrightError
      ? thrown
      : new TagwrightError('INTERNAL', messageOf(thrown), { data: {}, cause: thrown });
  say({ failed: { code, message, data } });
}
