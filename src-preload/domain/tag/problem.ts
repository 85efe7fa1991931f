import type { Quality } from './quality.ts';
import { inNaturalOrder } from './tag-order.ts';
import type { TagKind } from './tag.ts';

/** A tag with a bad quality. */
export interface TagProblem {
  path: string;
  kind: TagKind;
  quality: Quality;
  /** In words, if the kind of the tag knows it. */
  reason?: string;
  /** The quality of a machine tag is forced. */
  forced?: true;
}

/** Tags that are bad for the same reason. */
export interface ProblemCause {
  /** The reason in words, or the quality. */
  text: string;
  /** By path; the tags that have this reason themselves come before the tags that depend on them. */
  problems: readonly TagProblem[];
}

/** Any quoted name in a reason, such as that of the input of a calculation. */
const QUOTED = /"([^"]+)"/g;

/** The causes of problems, those of most tags first. What depends on a bad tag belongs to the cause of that tag. */
export function causesOf(problems: readonly TagProblem[]): ProblemCause[] {
  const byPath = new Map(problems.map((problem) => [problem.path, problem]));
  const causes = new Map<string, { root: TagProblem; own: TagProblem[]; dependent: TagProblem[] }>();
  for (const problem of problems) {
    const root = rootOf(problem, byPath);
    const key = textOf(root);
    const cause = causes.get(key) ?? { root, own: [], dependent: [] };
    (root === problem ? cause.own : cause.dependent).push(problem);
    causes.set(key, cause);
  }
  return [...causes]
    .map(([text, { own, dependent }]) => ({ text, problems: [...inOrder(own), ...inOrder(dependent)] }))
    .toSorted((a, b) => b.problems.length - a.problems.length);
}

const inOrder = (problems: readonly TagProblem[]) => inNaturalOrder(problems, ({ path }) => path);

/** The bad tag at the beginning of a chain of bad inputs. */
function rootOf(problem: TagProblem, byPath: ReadonlyMap<string, TagProblem>): TagProblem {
  const seen = new Set<TagProblem>();
  let root = problem;
  while (!seen.has(root)) {
    seen.add(root);
    const next = sourceOf(root, byPath);
    if (!next || seen.has(next)) return root;
    root = next;
  }
  return root;
}

function sourceOf({ path, reason = '', forced }: TagProblem, byPath: ReadonlyMap<string, TagProblem>) {
  if (forced) return undefined;
  for (const [, name = ''] of reason.matchAll(QUOTED)) {
    const source = name === path ? undefined : byPath.get(name);
    if (source) return source;
  }
  return undefined;
}

/** The cause of a tag that depends on no other bad one, without its own path, so that equal causes have equal texts. */
function textOf({ path, quality, reason, forced }: TagProblem): string {
  if (forced) return `${quality}: the quality is forced`;
  return reason === undefined ? quality : `${quality}: ${reason.replaceAll(path, '…')}`;
}
