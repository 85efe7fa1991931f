import type { ApiMode } from '#domain/api-call';
import type { Mock } from '#domain/mock';
import type { Problem } from '../../../client/errors.ts';
import { routeOf } from './mock-form.ts';
import type { MockForm } from './mock-form.ts';

/** What is typed of a mock and not saved. */
export interface MockDraft {
  /** `mock:7` for one that is there, `new:…` for one that is not. */
  key: string;
  /** null for a new mock. */
  mockId: number | null;
  /** What was saved when it was begun, as JSON; another text says that another window saved meanwhile. */
  base: string | null;
  form: MockForm;
}

export interface MocksState {
  /** In the order in which they are asked. */
  mocks: readonly Mock[];
  mode: ApiMode;
  /** Whether live calls that no mock answers become mocks. */
  record: boolean;
  /** What the recorder made since this window sees it run. */
  recorded: ReadonlySet<number>;
  drafts: ReadonlyMap<string, MockDraft>;
  /** `mock:7` or the key of a draft. */
  selected: string | null;
  loaded: boolean;
  problem: Problem | null;
  /** Whether the browser keeps drafts; without, they end with the page. */
  keeps: boolean;
}

/** Thrown by `save` where another window saved the mock after its draft was begun: nothing was saved. */
export class SavedMeanwhileError extends Error {
  override readonly name = 'SavedMeanwhileError';
}

export const keyOf = (id: number): string => `mock:${id}`;
export const baseOf = (mock: Mock | undefined): string | null => (mock ? JSON.stringify(routeOf(mock)) : null);

/** Before anything was read. */
export const NOTHING: MocksState = {
  mocks: [],
  mode: 'mockFirst',
  record: false,
  recorded: new Set(),
  drafts: new Map(),
  selected: null,
  loaded: false,
  problem: null,
  keeps: true,
};
