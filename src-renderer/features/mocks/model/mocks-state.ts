import type { ApiMode } from '#domain/mock/api-call';
import type { Mock } from '#domain/mock/mock';
import { NOTHING_YET } from '../../../drafted/drafted-list.ts';
import type { DraftedForm, DraftedState } from '../../../drafted/drafted-list.ts';
import type { MockForm } from './mock-form.ts';

/** The unsaved changes of a mock. */
export type MockDraft = DraftedForm<MockForm>;

export interface MocksState extends DraftedState<MockForm> {
  /** In matching order. */
  mocks: readonly Mock[];
  mode: ApiMode;
  /** Whether live calls that no mock matches are recorded as mocks. */
  record: boolean;
  /** The folder that new recorded mocks go into; '' for none. */
  recordFolder: string;
  /** The recorder's mocks since this window has seen it run. */
  recorded: ReadonlySet<number>;
  /** The collapsed folders, also those of a former name. */
  folded: ReadonlySet<string>;
}

/** Before the first load. */
export const NOTHING: MocksState = {
  ...NOTHING_YET,
  mocks: [],
  mode: 'mockFirst',
  record: false,
  recordFolder: '',
  recorded: new Set(),
  folded: new Set(),
};
