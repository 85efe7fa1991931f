/**
 * Examines a database in a separate process: it can be ended during a long statement, and opens and closes the files
 * without any connection of the workspace. Argument: the request as JSON. Writes its results as lines of JSON.
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

function report(line: ExaminationLine): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

try {
  const { what, ...examined } = request.parse(JSON.parse(process.argv[2] ?? ''));
  if (what === 'facts') report({ facts: readFacts(examined) });
  else report({ pages: checkPages(examined, what === 'pages-full', (done, total) => report({ done, total })) });
} catch (thrown) {
  const { code, message, data } =
    thrown instanceof TagwrightError
      ? thrown
      : new TagwrightError('INTERNAL', messageOf(thrown), { data: {}, cause: thrown });
  report({ failed: { code, message, data } });
}
