import { parseDateTime } from '#domain/text/date-time';
import type { Checked } from '../checked.ts';
import { accept, positiveInteger, refuse, shown } from '../checked.ts';
import type { EventListQuery } from '#domain/event/event';

/** Maximum number of events on a page; a list without `limit` is streamed without bound. */
export const MAX_LIMIT = 10_000;

/** The query parameters of the list with their JSON Schemas, which the reference also uses. */
export const LIST_PARAMETERS = {
  limit: {
    description: `Maximum number of events; \`Link: rel="next"\` has the next page, if any. Without it, the whole list is streamed.`,
    schema: { type: 'integer', minimum: 1, maximum: MAX_LIMIT },
  },
  after: {
    description:
      'Only events with a higher AggregationEventId, for example the last one of the previous page; 0 for the first page.',
    schema: { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
  },
  ruleId: {
    description: 'Only events of this rule.',
    schema: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
  },
  from: {
    description: 'Only events at or after this moment: RFC 3339 with an offset; write + as %2B.',
    schema: { type: 'string', format: 'date-time' },
  },
  to: {
    description: 'Only events before this moment: RFC 3339 with an offset; write + as %2B.',
    schema: { type: 'string', format: 'date-time' },
  },
  active: {
    description: 'Which events: active ones, disabled ones, or all.',
    schema: { type: 'string', enum: ['true', 'false', 'all'], default: 'true' },
  },
} as const;

type Name = keyof typeof LIST_PARAMETERS;

/** The part of a target after the question mark. */
export function queryOf(url: string): string {
  const at = url.indexOf('?');
  return at < 0 ? '' : url.slice(at + 1);
}

/** Reads the query of the list. Unknown parameters are rejected, so that a typing error does not list everything. */
export function parseListQuery(query: string): Checked<EventListQuery> {
  const filter: EventListQuery = { active: true, ruleId: null, from: null, to: null, after: null, limit: null };
  const seen = new Set<string>();
  for (const [name, text] of new URLSearchParams(query)) {
    if (!isName(name)) {
      return refuse(`The list has no parameter ${shown(name)}. Use ${Object.keys(LIST_PARAMETERS).join(', ')}.`);
    }
    if (seen.has(name)) return refuse(`${name} occurs more than once in the query. Send it once.`);
    seen.add(name);
    const read = READERS[name](text);
    if (!read.ok) return read;
    Object.assign(filter, read.value);
  }
  return accept(filter);
}

const isName = (name: string): name is Name => Object.hasOwn(LIST_PARAMETERS, name);

const READERS: Readonly<Record<Name, (text: string) => Checked<Partial<EventListQuery>>>> = {
  limit: (text) => {
    const limit = positiveInteger(text, 'limit');
    if (limit.ok && limit.value <= MAX_LIMIT) return accept({ limit: limit.value });
    return refuse(`limit is an integer from 1 to ${MAX_LIMIT}, not ${shown(text)}. Omit it to stream the whole list.`);
  },
  after: (text) => {
    if (text === '0') return accept({ after: 0 });
    const after = positiveInteger(text, 'after');
    return after.ok ? accept({ after: after.value }) : after;
  },
  ruleId: (text) => {
    const ruleId = positiveInteger(text, 'ruleId');
    return ruleId.ok ? accept({ ruleId: ruleId.value }) : ruleId;
  },
  from: (text) => {
    const from = moment('from', text);
    return from.ok ? accept({ from: from.value }) : from;
  },
  to: (text) => {
    const to = moment('to', text);
    return to.ok ? accept({ to: to.value }) : to;
  },
  active: (text) => {
    if (text === 'all') return accept({ active: null });
    if (text === 'true' || text === 'false') return accept({ active: text === 'true' });
    return refuse(`active is true, false or all, not ${shown(text)}.`);
  },
};

/**
 * RFC 3339 with an offset and nothing else: a date alone is midnight in UTC for some clients and in local time for
 * others.
 */
const RFC_3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/i;

function moment(name: 'from' | 'to', text: string): Checked<number> {
  // A + in a query is a space.
  const lostPlus = RFC_3339.test(text.replace(/ (?=\d\d:\d\d$)/, '+')) && !RFC_3339.test(text);
  if (lostPlus) return refuse(`In ${name} the + of the offset arrived as a space. Write it as %2B.`);
  const read = parseDateTime(text);
  if (RFC_3339.test(text) && read.ok) return accept(read.ms);
  const why = read.ok ? 'a date, a time and an offset are required' : read.reason;
  return refuse(
    `${name} is not RFC 3339 with an offset, but ${shown(text)}: ${why}. Send ${name}=2026-01-31T05:00:00Z or ${name}=2026-01-31T06:00:00%2B01:00.`,
  );
}
