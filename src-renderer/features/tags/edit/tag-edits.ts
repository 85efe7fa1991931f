import type { TagDefinition } from '#domain/tag/tag';
import { remember, remembered } from '../../../support/local-storage.ts';
import { Store } from '../../../support/store.ts';
import type { TagForm } from './tag-form.ts';
import { EMPTY_FORM, duplicateOf, formOf } from './tag-form.ts';

/** An open editor of a tag, even if another tag is shown. */
export interface TagEdit {
  /** Identifies the edit while it is open. */
  id: string;
  /** The definition when the edit was started; null for a new tag. */
  base: TagDefinition | null;
  form: TagForm;
  /** The initial form. */
  initial: TagForm;
}

const KEY = 'tags.edits';

/** The unsaved edits. They survive the selection of another tag, a reload and a crash of the window. */
export class TagEdits {
  readonly all: Store<readonly TagEdit[]>;

  constructor() {
    // An edit of a former version lacks new fields.
    const kept = remembered<TagEdit[]>(KEY, []).map((edit) => ({
      ...edit,
      form: { ...EMPTY_FORM, ...edit.form },
      initial: { ...EMPTY_FORM, ...edit.initial },
    }));
    this.all = new Store<readonly TagEdit[]>(kept);
    // Too large for the browser's storage: such an edit lasts as long as the window.
    this.all.subscribe(() => remember(KEY, this.all.get().length === 0 ? null : this.all.get()));
  }

  /** Starts to edit a tag, or continues an edit of it. Returns the edit's id. */
  change(definition: TagDefinition): string {
    const begun = this.all.get().find(({ base }) => base?.path === definition.path);
    if (begun) return begun.id;
    return this.#begin(definition, formOf(definition));
  }

  /** Starts a new tag: as a copy of another one, or empty in a group. */
  create(like: TagDefinition | null, group = ''): string {
    const path = group === '' ? '' : `${group}.`;
    return this.#begin(null, like === null ? { ...EMPTY_FORM, path } : duplicateOf(like));
  }

  /** Starts a new tag with that path, or continues an edit of it. */
  createAt(path: string): string {
    const begun = this.all.get().find(({ base, form }) => base === null && form.path === path);
    return begun?.id ?? this.#begin(null, { ...EMPTY_FORM, path });
  }

  /** Starts an edit of a deleted tag, to save it again. */
  recreate(definition: TagDefinition): string {
    const begun = this.all.get().find(({ base }) => base?.path === definition.path);
    return begun?.id ?? this.#begin(null, formOf(definition));
  }

  update(id: string, form: TagForm): void {
    this.all.update((edits) => edits.map((edit) => (edit.id === id ? { ...edit, form } : edit)));
  }

  /** Continues with another definition: changes in the form stay. */
  rebase(id: string, base: TagDefinition | null): void {
    this.all.update((edits) => edits.map((edit) => (edit.id === id ? { ...edit, base } : edit)));
  }

  end(id: string): void {
    this.all.update((edits) => edits.filter((edit) => edit.id !== id));
  }

  /** Reopens a closed edit. */
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

/** Whether closing the edit would lose changes. */
export function isDirty({ form, initial }: TagEdit): boolean {
  return form !== initial && JSON.stringify(form) !== JSON.stringify(initial);
}

/** The name of an edit in a list. */
export function titleOf({ base, form }: TagEdit): string {
  return base?.path ?? (form.path.trim() === '' ? 'New tag' : form.path.trim());
}
