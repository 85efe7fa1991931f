import type { Mock, MockRoute, MockTrial, MockTrialRequest } from '#domain/mock/mock';
import type { Settings } from '#domain/workspace/settings';
import { answersOf, nextAnswer } from '#domain/mock/mock';
import { TagwrightError } from '../../platform/errors.ts';
import { textOf } from '../api-response.ts';
import { isImage } from '../call-responses.ts';
import { headerOf } from '../http/header-sets.ts';
import { HttpFailure } from '../http/http-failure.ts';
import type { MatchedRequest, MatchedMock, MockEntry } from './match-mock.ts';
import { firstThatFits, inOrder, missOf, patternOf } from './match-mock.ts';
import { respondWithMock } from './mock-response.ts';
import type { MockFiles } from './mock-files.ts';
import { isText } from './recording/recorded-body.ts';

export interface GivenTrial extends MockTrialRequest {
  /** A mock that is being edited; `id` of the one that it replaces, null for a new one. */
  draft: { id: number | null; route: MockRoute } | null;
  /** Which response of a sequence, from 1. */
  response?: number | undefined;
}

/** A new mock is matched after all existing ones, as it will be once it is saved. */
const NEW = Number.MAX_SAFE_INTEGER;
/** Maximum delay, because a user waits for the response. */
const LONGEST_MS = 10_000;
/** Maximum length of a text or an image; longer ones are not shown. */
const SHOWN_BYTES = 8 * 1_048_576;

/** The response to a request of a script in offline mode. Counts no hit; a delay is limited to ten seconds. */
export async function tried(
  { draft, response, ...given }: GivenTrial,
  mocks: readonly Mock[],
  files: MockFiles,
  settings: Settings,
): Promise<MockTrial> {
  const started = performance.now();
  const request = requestOf(given);
  const others = mocks.filter(({ id }) => id !== draft?.id).map(entryOf);
  const edited = draft && entryOf({ ...draft.route, id: draft.id ?? NEW, hits: 0, lastHitAt: null, position: 0 });
  const matched = firstThatFits(inOrder(edited ? [...others, edited] : others), request);
  const miss = edited && matched?.mock !== edited.mock ? missing(edited, request, matched) : null;
  const took = () => Math.round((performance.now() - started) * 10) / 10;
  if (matched === null) {
    const message =
      'No mock matches. In offline mode, a script gets StatusCode "0"; in mode mock first, the call is sent.';
    return { mock: null, sequence: null, miss, answer: null, error: { name: 'NoMock', message }, ms: took() };
  }
  const { id, name, hits } = matched.mock;
  const answers = answersOf(matched.mock);
  const next = nextAnswer(matched.mock, matched.mock.position);
  const isIntended = response !== undefined && (edited === null || matched.mock === edited.mock);
  const chosen = !isIntended ? next : Math.min(response, answers.length) - 1;
  const sequence = answers.length === 1 ? null : { response: chosen + 1, count: answers.length };
  const taken = { answer: answers[chosen] ?? matched.mock.answer, hits: hits + 1 };
  const mock = { id: id === NEW ? null : id, name };
  const rules = {
    timeoutMs: Math.min(settings['api.timeoutMs'], LONGEST_MS),
    maxBytes: settings['api.maxResponseMb'] * 1_048_576,
  };
  try {
    const { signal } = new AbortController();
    const full = { ...request, bodyIsSecret: false, secrets: [], named: [] };
    const { status, headers, body } = await respondWithMock(taken, matched.path, full, files, rules, signal);
    const shown = body.length <= SHOWN_BYTES;
    const text = shown && isText(headerOf(headers, 'content-type') ?? '', body) ? textOf(body, headers) : null;
    const base64 = shown && isImage(body) ? body.toString('base64') : null;
    return {
      mock,
      sequence,
      miss,
      answer: { status, headers, text, base64, bytes: body.length },
      error: null,
      ms: took(),
    };
  } catch (thrown) {
    if (!(thrown instanceof HttpFailure)) throw thrown;
    return { mock, sequence, miss, answer: null, error: { name: thrown.name, message: thrown.message }, ms: took() };
  }
}

/** In the form of a script's call: an absolute URL without a fragment. */
function requestOf({ method, url, headers, body }: MockTrialRequest): MatchedRequest {
  const parsed = URL.parse(url.trim());
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) {
    const message = `${JSON.stringify(url.trim())} is not a URL. Write one as in a script: https://host/path`;
    throw new TagwrightError('BAD_REQUEST', message, { data: { issues: [{ path: ['url'], message }] } });
  }
  parsed.hash = '';
  return { method, url: parsed, headers, body: body === '' ? null : body };
}

function entryOf(mock: Mock): MockEntry {
  return { mock, pattern: patternOf(mock) };
}

function missing(edited: MockEntry, request: MatchedRequest, matched: MatchedMock | null): string {
  if (!edited.mock.enabled) return 'it is not enabled';
  const miss = missOf(edited, request);
  if (miss !== null) return miss;
  const reason = (matched?.mock.priority ?? 0) > edited.mock.priority ? 'has a higher priority' : 'is older';
  return `“${matched?.mock.name ?? ''}” also matches and ${reason}`;
}
