import type { TagDefinition } from '#domain/tag/tag';
import type { KindOfTag } from '../kinds/kind.ts';

/** A tag as the services hold it: its row's id, its definition, and the kind that serves it. */
export class Tag {
  readonly id: number;
  readonly kind: KindOfTag;
  /** The path for searching: in lower case, with a dot before every segment. */
  readonly searchText: string;
  definition: TagDefinition;
  /** Set in the transaction that deletes the tag or changes its kind or type: what was prepared for it is void. */
  retired = false;

  constructor(id: number, definition: TagDefinition, kind: KindOfTag) {
    this.id = id;
    this.definition = definition;
    this.kind = kind;
    this.searchText = searchTextOf(definition.path);
  }

  get path(): string {
    return this.definition.path;
  }
}

export function searchTextOf(path: string): string {
  return `.${path.toLowerCase()}`;
}
