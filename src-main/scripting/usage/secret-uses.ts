import type { Json } from '#domain/text/json';
import type { Mock, MockBody, MockBodyMatch } from '#domain/mock/mock';
import { answersOf } from '#domain/mock/mock';
import type { Settings } from '#domain/workspace/settings';
import type { MockUse, TextPlace } from '#domain/tag/usage';
import { placeholdersIn, secretsIn } from '../../outbound/placeholders.ts';
import { Turns } from '../../platform/turns.ts';

/** The settings that may contain a secret. */
const WITH_SECRETS = ['api.proxy'] as const satisfies (keyof Settings)[];

/** The placeholders of a text by the names of their secrets. */
export function secretPlaces(text: string): Map<string, TextPlace[]> {
  const found = new Map<string, TextPlace[]>();
  let line = 1;
  let lineStart = 0;
  let lineEnd = text.indexOf('\n');
  for (const { name, at } of placeholdersIn(text)) {
    while (lineEnd >= 0 && lineEnd < at) {
      line++;
      lineStart = lineEnd + 1;
      lineEnd = text.indexOf('\n', lineStart);
    }
    const place = { line, column: at - lineStart + 1 };
    const places = found.get(name);
    if (places) places.push(place);
    else found.set(name, [place]);
  }
  return found;
}

/** The mocks with the placeholder of a secret; searches a few ms at a time. */
export async function mocksNaming(mocks: readonly Mock[], name: string): Promise<MockUse[]> {
  const turns = new Turns();
  const found: MockUse[] = [];
  for (const mock of mocks) {
    const members = partsOf(mock).flatMap(([member, part]) => (names(part, name) ? [member] : []));
    if (members.length > 0) found.push({ id: mock.id, name: mock.name, members });
    const pause = turns.due();
    if (pause) await pause;
  }
  return found;
}

/** The settings with the placeholder of a secret. */
export function settingsNaming(settings: Settings, name: string): string[] {
  return WITH_SECRETS.filter((key) => secretsIn(settings[key]).includes(name));
}

const partsOf = ({ request, ...mock }: Mock): [string, Json][] => [
  ['url', request.url],
  ['headers', request.headers],
  ['body', request.body && textsOf(request.body)],
  ['answer.headers', answersOf(mock).map(({ headers }) => headers)],
  ['answer.body', answersOf(mock).map(({ body }) => textsOf(body))],
];

function textsOf(body: MockBody | MockBodyMatch): Json {
  if ('json' in body) return body.json;
  if ('contains' in body) return body.contains;
  return 'text' in body ? body.text : null;
}

function names(value: Json, name: string): boolean {
  if (typeof value === 'string') return secretsIn(value).includes(name);
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some((item) => names(item, name));
  return Object.entries(value).some(([key, member]) => secretsIn(key).includes(name) || names(member, name));
}
