import type { Mock } from '#domain/mock/mock';
import type { CountedMocks, MockSource, TakenAnswer } from './mock-book.ts';
import type { MatchedMock, MatchedRequest } from './match-mock.ts';
import { nextAnswerOf } from './mock-book.ts';

/**
 * The mocks of one dry run or test, whose sequences start with their first responses, and leave those of the workspace
 * where they are: the same run gets the same responses each time.
 */
export class FreshSequences implements MockSource {
  readonly #mocks: CountedMocks;
  /** Calls of this run, by the id of the mock. */
  readonly #positions = new Map<number, number>();

  constructor(mocks: CountedMocks) {
    this.#mocks = mocks;
  }

  find(request: MatchedRequest): MatchedMock | null {
    return this.#mocks.find(request);
  }

  take(mock: Mock): TakenAnswer {
    const position = this.#positions.get(mock.id) ?? 0;
    this.#positions.set(mock.id, position + 1);
    return { answer: nextAnswerOf(mock, position), hits: this.#mocks.countHit(mock) };
  }
}
