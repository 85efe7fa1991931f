import type { Mock, MockRoute } from '#domain/mock/mock';
import type { HttpRequest } from '../http/build-request.ts';
import type { MatchedMock, MockEntry } from './match-mock.ts';
import { firstThatFits, inOrder, patternOf } from './match-mock.ts';
import type { MockSource } from './mock-book.ts';

/** Mocks that are not of the workspace, asked before those; their answers are counted for as long as they are there. */
export class MocksBefore implements MockSource {
  readonly #entries: MockEntry[];
  readonly #after: MockSource;

  /** Throws BAD_REQUEST for a URL that is no pattern. */
  constructor(routes: readonly MockRoute[], after: MockSource) {
    const entries = routes.map((route, index): MockEntry => {
      // Ids below 1 are those of no mock of the workspace.
      return { mock: { ...route, id: index - routes.length, hits: 0, lastHitAt: null }, pattern: patternOf(route) };
    });
    this.#entries = inOrder(entries);
    this.#after = after;
  }

  find(request: HttpRequest): MatchedMock | null {
    return firstThatFits(this.#entries, request) ?? this.#after.find(request);
  }

  countHit(mock: Mock): number {
    if (mock.id > 0) return this.#after.countHit(mock);
    mock.hits += 1;
    return mock.hits;
  }
}
