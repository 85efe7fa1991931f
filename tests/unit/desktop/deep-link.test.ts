import { fc } from '../../support/run/random.ts';
import { describe, expect, test } from 'vitest';
import { followLink, linkIn, parseLink } from '../../../src-main/desktop/deep-link.ts';

type Services = Parameters<typeof followLink>[1];

/** Services without data that record their calls: a link may only read. */
function emptyServices() {
  const calls: string[] = [];
  const nothing = (service: string) =>
    new Proxy(
      {},
      {
        get: (_, method) => () => {
          calls.push(`${service}.${String(method)}`);
          throw new Error('there is none');
        },
      },
    );
  const services: unknown = Object.fromEntries(
    ['scripts', 'tags', 'rules', 'events', 'diagrams'].map((name) => [name, nothing(name)]),
  );
  return { services: services as Services, calls };
}

describe('a link', () => {
  test.each<[string, ReturnType<typeof parseLink>]>([
    ['tagwright://script/Line%201/Fill%2Fempty', { kind: 'script', group: 'Line 1', name: 'Fill/empty' }],
    ['tagwright://tag/A.B.Value/', { kind: 'tag', path: 'A.B.Value' }],
    ['tagwright://rule/%C3%9C%22%3Cb%3E', { kind: 'rule', name: 'Ü"<b>' }],
    ['tagwright://diagram/..%2F..%2Fetc', { kind: 'diagram', name: '../../etc' }],
    ['tagwright://event/42', { kind: 'event', id: 42 }],
  ])('%s leads to its target', (link, target) => expect(parseLink(link)).toEqual(target));

  test.each([
    '',
    'tagwright:',
    'tagwright://',
    'tagwright://tag',
    'tagwright://tag/',
    'tagwright:///A',
    'tagwright://tag//A',
    'tagwright://tag/A/B',
    'tagwright://script/A',
    'tagwright://script/A/B/C',
    'tagwright://script/A/..%2',
    'tagwright://tag/%FF',
    'tagwright://tag/A?run=1',
    'tagwright://tag/A#run',
    'tagwright://user@tag/A',
    'tagwright://tag:80/A',
    'tagwright://run/A',
    'tagwright://settings/A',
    'tagwright://constructor/A',
    'tagwright://event/0',
    'tagwright://event/-1',
    'tagwright://event/1e9',
    'tagwright://event/%31e9',
    'tagwright://event/9999999999999999',
    'https://tag/A',
    'javascript:alert(1)//tagwright://tag/A',
    `tagwright://tag/${'A'.repeat(2_000)}`,
    ' tagwright://tag/A',
    'tagwright://tag/A\ntagwright://tag/B',
  ])('%j has no target', (link) => expect(parseLink(link)).toBeNull());

  test('with any content shows something, and changes nothing', () => {
    const kinds = fc.constantFrom('script', 'tag', 'rule', 'event', 'diagram', 'run', '__proto__');
    const part = fc.string({ unit: 'binary', maxLength: 40 });
    const encoded = part.map((text) => encodeURIComponent(text.toWellFormed()));
    const rest = fc.array(fc.oneof(part, encoded), { maxLength: 3 }).map((parts) => parts.join('/'));
    fc.assert(
      fc.property(kinds, rest, (kind, text) => {
        const { services, calls } = emptyServices();
        const shown = followLink(`tagwright://${kind}/${text}`, services);
        expect(shown).toMatchObject({ kind: 'notice', intent: 'warning' });
        for (const one of calls) {
          expect(['scripts.get', 'tags.definition', 'rules.get', 'events.get', 'diagrams.get']).toContain(one);
        }
      }),
      { numRuns: 500 },
    );
  });

  test('is found among the arguments of a start, and nothing else is', () => {
    expect(linkIn(['/usr/bin/tagwright', '--flag', 'tagwright://tag/A', 'tagwright://tag/B'])).toBe(
      'tagwright://tag/A',
    );
    expect(linkIn(['--workspace', '/x', '--url=tagwright://tag/A', 'file:///tagwright://tag/A'])).toBeNull();
  });
});
