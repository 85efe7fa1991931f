import type { Mock, MockRoute } from '#domain/mock/mock';
import type { MatchedMock, MatchedRequest, MockEntry } from './match-mock.ts';
import { firstThatFits, inOrder, patternOf } from './match-mock.ts';
import type { CountedMocks } from './mock-book.ts';

/**
 * Mocks that are not part of the workspace and are matched before those; their responses are counted as long as they
 * exist.
 */
export class MocksBefore implements CountedMocks {
  readonly #entries: MockEntry[];
  readonly #after: CountedMocks;

  /** Throws BAD_REQUEST for an invalid URL pattern. */
  constructor(routes: readonly MockRoute[], after: CountedMocks) {
    const entries = routes.map((route, index): MockEntry => {
      // Mocks of the workspace never have ids below 1.
      return {
        mock: { ...route, id: index - routes.length, hits: 0, lastHitAt: null, position: 0 },
        pattern: patternOf(route),
      };
    });
    this.#entries = inOrder(entries);
    this.#after = after;
  }

  find(request: MatchedRequest): MatchedMock | null {
    return firstThatFits(this.#entries, request) ?? this.#after.find(request);
  }

  countHit(mock: Mock): number {
    if (mock.id > 0) return this.#after.countHit(mock);
    mock.hits += 1;
    return mock.hits;
  }
}
