import { mockRoute } from '#contract/mocks';
import type { MockRoute } from '#domain/mock/mock';
import { messageOf } from '../../platform/errors.ts';
import type { MockFiles } from './mock-files.ts';
import { parseUrlPattern } from './url-pattern.ts';

export interface RouteIssue {
  path: (string | number)[];
  message: string;
}

/** The problems of a mock that its schema accepts: the pattern of its URL, a missing file. */
export function checkRoute({ request, answer }: MockRoute, files: Pick<MockFiles, 'has'>): RouteIssue[] {
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
  const { body } = answer;
  if (body.kind === 'file' && !files.has(body.file)) {
    const message = `The file "${body.file}" does not exist in the folder mock-files of the workspace`;
    issues.push({ path: ['answer', 'body', 'file'], message });
  }
  for (const [index, [name, value]] of answer.headers.entries()) {
    if (!/[\r\n\0]/.test(value)) continue;
    issues.push({ path: ['answer', 'headers', index], message: `The header ${name} cannot have line breaks` });
  }
  return issues;
}

/** A hand-written or imported mock, with its defaults. Throws an Error with its problems. */
export function checkedRoute(route: unknown): MockRoute {
  const result = mockRoute.safeParse(route);
  if (result.success) return result.data;
  const name = typeof route === 'object' && route !== null && 'name' in route ? String(route.name) : '';
  const [issue] = result.error.issues;
  const where = issue?.path.map(String).join('.') ?? '';
  throw new Error(`the mock "${name.slice(0, 100)}" is invalid: ${where}: ${issue?.message ?? ''}`);
}
