import { mockRoute } from '#contract/texts/mock-route';
import type { MockAnswer, MockRoute } from '#domain/mock/mock';
import { messageOf } from '../../platform/errors.ts';
import { PLAIN, placeText } from '../../platform/plain-words.ts';
import type { MockFiles } from './mock-files.ts';
import { parseUrlPattern } from './url-pattern.ts';

export interface RouteIssue {
  path: (string | number)[];
  message: string;
}

/** The problems of a mock that its schema accepts: the pattern of its URL, a missing file. */
export function checkRoute({ request, answer, sequence }: MockRoute, files: Pick<MockFiles, 'has'>): RouteIssue[] {
  const issues: RouteIssue[] = [];
  try {
    const { host } = parseUrlPattern(request.url);
    if (/[{}\s]/.test(host) || (!host.includes('*') && !URL.canParse(`http://${host}/`))) {
      const message = `No call has the host "${host}"; write * for any characters`;
      issues.push({ path: ['request', 'url'], message });
    }
  } catch (thrown) {
    issues.push({ path: ['request', 'url'], message: messageOf(thrown) });
  }
  const others = sequence?.answers ?? [];
  return [
    ...issues,
    ...answerIssues(answer, ['answer'], files),
    ...others.flatMap((one, index) => answerIssues(one, ['sequence', 'answers', index], files)),
  ];
}

function answerIssues(
  { body, headers }: MockAnswer,
  path: RouteIssue['path'],
  files: Pick<MockFiles, 'has'>,
): RouteIssue[] {
  const issues: RouteIssue[] = [];
  if (body.kind === 'file' && !files.has(body.file)) {
    const message = `The file "${body.file}" does not exist in the folder mock-files of the workspace`;
    issues.push({ path: [...path, 'body', 'file'], message });
  }
  for (const [index, [name, value]] of headers.entries()) {
    if (!/[\r\n\0]/.test(value)) continue;
    issues.push({ path: [...path, 'headers', index], message: `The header ${name} cannot have line breaks` });
  }
  return issues;
}

/** A mock with its defaults. Throws an Error with its problems; `what` names it, such as `mock 2`. */
export function checkedRoute(route: unknown, what = 'the mock'): MockRoute {
  const result = mockRoute().safeParse(route, PLAIN);
  if (result.success) return result.data;
  const name = typeof route === 'object' && route !== null && 'name' in route ? String(route.name) : '';
  const which = name === '' ? '' : ` "${name.slice(0, 100)}"`;
  const problems = result.error.issues.slice(0, 3).map(({ path, message }) => `${placeText(path) || 'it'}: ${message}`);
  throw new Error(`${what}${which} is invalid: ${problems.join('; ')}`);
}
