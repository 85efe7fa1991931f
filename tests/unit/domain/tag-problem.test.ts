import { expect, test } from 'vitest';
import { causesOf, type TagProblem } from '#domain/tag/problem';

const bad = (path: string, reason: string, more: Partial<TagProblem> = {}): TagProblem => ({
  path,
  kind: 'calculation',
  quality: 'BadInternalError',
  reason,
  ...more,
});
const listed = (problems: TagProblem[]) =>
  causesOf(problems).map(({ text, problems: of }) => [text, of.map(({ path }) => path)]);

test('tags that depend on a bad tag belong to its cause, over any number of steps', () => {
  expect(
    listed([
      bad('P.C.V', 'its input "P.B.V": BadTimeout, its input "P.A.V": BadTimeout'),
      bad('P.B.V', 'its input "P.A.V": BadTimeout'),
      bad('P.A.V', 'the statement timed out', { kind: 'db', quality: 'BadTimeout' }),
      bad('P.D.V', 'another one'),
    ]),
  ).toEqual([
    ['BadTimeout: the statement timed out', ['P.A.V', 'P.B.V', 'P.C.V']],
    ['BadInternalError: another one', ['P.D.V']],
  ]);
});

test('forced tags with one quality are one cause, and so are equal reasons', () => {
  const forced = { kind: 'machine', quality: 'BadNotConnected', forced: true } as const;
  expect(
    listed([
      bad('P.A.V', 'forced', forced),
      bad('P.B.V', 'forced', forced),
      bad('P.X.V', 'the script of P.X.V failed'),
      bad('P.Y.V', 'the script of P.Y.V failed'),
      { path: 'P.Z.V', kind: 'machine', quality: 'BadNoData' },
    ]),
  ).toEqual([
    ['BadNotConnected: the quality is forced', ['P.A.V', 'P.B.V']],
    ['BadInternalError: the script of … failed', ['P.X.V', 'P.Y.V']],
    ['BadNoData', ['P.Z.V']],
  ]);
});

test('tags that depend on each other in a cycle end', () => {
  const tags = [bad('P.A.V', 'its input "P.B.V": x'), bad('P.B.V', 'its input "P.A.V": x')];
  expect(causesOf(tags).flatMap(({ problems }) => problems)).toHaveLength(2);
});
