import type { TagDefinition } from '#domain/tag/tag';
import type { KindOfTag } from '../kinds/kind.ts';

/** A tag in memory: the id of its row, its definition, and its kind. */
export class Tag {
  readonly id: number;
  readonly kind: KindOfTag;
  /** The path for searching: in lower case, with a dot before every segment. */
  readonly searchText: string;
  definition: TagDefinition;
  /** Set in the transaction that deletes the tag or changes its kind or type: writes prepared for it are void. */
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
