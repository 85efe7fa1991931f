import type { ApiMode } from '#domain/mock/api-call';
import type { Mock } from '#domain/mock/mock';
import { NOTHING_YET } from '../../../drafted/drafted-list.ts';
import type { Draft, DraftedState } from '../../../drafted/drafted-list.ts';
import type { MockForm } from './mock-form.ts';

/** What is typed of a mock and not saved. */
export type MockDraft = Draft<MockForm>;

export interface MocksState extends DraftedState<MockForm> {
  /** In the order in which they are asked. */
  mocks: readonly Mock[];
  mode: ApiMode;
  /** Whether live calls that no mock answers become mocks. */
  record: boolean;
  /** What the recorder made since this window sees it run. */
  recorded: ReadonlySet<number>;
}

/** Before anything was read. */
export const NOTHING: MocksState = {
  ...NOTHING_YET,
  mocks: [],
  mode: 'mockFirst',
  record: false,
  recorded: new Set(),
};
