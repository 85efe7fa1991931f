import type { TextRange } from '../../frame/view.ts';
import type { Workbench } from '../../frame/workbench.ts';
import { partsOfDraftKey } from '#domain/run/script';
import type { FoundItem, SearchKind } from '#domain/search/found';
import type { FoundMatch } from './model/search-state.ts';

/** The view of each kind, and its target for an item. */
const TARGETS: Readonly<Record<SearchKind, (item: FoundItem) => [view: string, what: string]>> = {
  scripts: ({ key }) => ['scripts', key],
  drafts: ({ key, scriptId }) => ['scripts', scriptId === null ? partsOfDraftKey(key).script : String(scriptId)],
  tests: ({ key, scriptId }) => ['scripts', `${scriptId ?? ''}:test:${key}`],
  tags: ({ key }) => ['tags', key],
  rules: ({ key }) => ['aggregations', key],
  mocks: ({ key }) => ['mocks', `mock:${key}`],
};

/** Opens an item at a match. */
export function openMatch(show: Workbench['show'], { item, field, match }: FoundMatch): void {
  const { start, end, line, column } = match;
  const place: TextRange = { field, start, end, line, column };
  show(...TARGETS[item.kind](item), place);
}
