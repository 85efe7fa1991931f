import type { TagDefinition } from '#domain/tag/tag';
import { remember, remembered } from '../../../support/local-storage.ts';
import { Store } from '../../../support/store.ts';
import type { TagForm } from './tag-form.ts';
import { EMPTY_FORM, duplicateOf, formOf } from './tag-form.ts';

/** An editor of a tag that is open, also while another tag is looked at. */
export interface TagEdit {
  /** Names the edit while it is open. */
  id: string;
  /** The definition that is changed, as it was when the edit began; null for a new tag. */
  base: TagDefinition | null;
  form: TagForm;
  /** As the form was at first. */
  initial: TagForm;
}

const KEY = 'tags.edits';

/** The edits that are not saved. They outlive the choice of another tag, a reload and a crash of the window. */
export class TagEdits {
  readonly all: Store<readonly TagEdit[]>;

  constructor() {
    this.all = new Store<readonly TagEdit[]>(remembered<TagEdit[]>(KEY, []));
    // Too large for the browser's memory: then the edit lives as long as the window.
    this.all.subscribe(() => remember(KEY, this.all.get().length === 0 ? null : this.all.get()));
  }

  /** Begins to change a tag, or goes on where that was begun. Returns the edit's id. */
  change(definition: TagDefinition): string {
    const begun = this.all.get().find(({ base }) => base?.path === definition.path);
    if (begun) return begun.id;
    return this.#begin(definition, formOf(definition));
  }

  /** Begins a new tag: like another one, or empty in a group. */
  create(like: TagDefinition | null, group = ''): string {
    const path = group === '' ? '' : `${group}.`;
    return this.#begin(null, like === null ? { ...EMPTY_FORM, path } : duplicateOf(like));
  }

  /** Begins a new tag of that path, or goes on where one was begun. */
  createAt(path: string): string {
    const begun = this.all.get().find(({ base, form }) => base === null && form.path === path);
    return begun?.id ?? this.#begin(null, { ...EMPTY_FORM, path });
  }

  /** Begins a tag that is there no more, to be saved again. */
  recreate(definition: TagDefinition): string {
    const begun = this.all.get().find(({ base }) => base?.path === definition.path);
    return begun?.id ?? this.#begin(null, formOf(definition));
  }

  update(id: string, form: TagForm): void {
    this.all.update((edits) => edits.map((edit) => (edit.id === id ? { ...edit, form } : edit)));
  }

  /** Goes on from another definition: what was changed in the form stays. */
  rebase(id: string, base: TagDefinition | null): void {
    this.all.update((edits) => edits.map((edit) => (edit.id === id ? { ...edit, base } : edit)));
  }

  end(id: string): void {
    this.all.update((edits) => edits.filter((edit) => edit.id !== id));
  }

  /** Opens an edit again that was ended. */
  resume(edit: TagEdit): void {
    this.end(edit.id);
    this.all.update((edits) => [...edits, edit]);
  }

  #begin(base: TagDefinition | null, form: TagForm): string {
    const id = crypto.randomUUID();
    this.all.update((edits) => [...edits, { id, base, form, initial: form }]);
    return id;
  }
}

/** Whether anything would be lost with the edit. */
export function isDirty({ form, initial }: TagEdit): boolean {
  return form !== initial && JSON.stringify(form) !== JSON.stringify(initial);
}

/** What an edit is called in a list of edits. */
export function titleOf({ base, form }: TagEdit): string {
  return base?.path ?? (form.path.trim() === '' ? 'New tag' : form.path.trim());
}
