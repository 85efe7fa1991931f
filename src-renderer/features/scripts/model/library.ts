import { copyName } from '#domain/text/copy-name';
import type { Script } from '#domain/run/script';
import { SCRIPT_LIMITS } from '#domain/run/script';
import type { Client } from '../../../client/client.ts';
import { isDirty, keyOfScript } from './script-document.ts';
import type { ScriptsModel } from './scripts-model.ts';

export type LibraryClient = Pick<Client, 'scripts' | 'groups'>;

/** The actions of the explorer on saved scripts and groups. Every function fails with the error of main. */
export class Library {
  readonly #client: LibraryClient;
  readonly #model: ScriptsModel;

  constructor(client: LibraryClient, model: ScriptsModel) {
    this.#client = client;
    this.#model = model;
  }

  async createGroup(name: string): Promise<void> {
    await this.#client.groups.create({ name });
    await this.#model.refresh();
  }

  async renameGroup(name: string, newName: string): Promise<void> {
    await this.#client.groups.rename({ name, newName });
    for (const doc of this.#model.store.get().docs.values()) {
      if (doc.scriptId === null && doc.text.group === name) this.#model.edit(doc.key, { group: newName });
    }
    await this.#model.refresh();
  }

  async deleteGroup(name: string): Promise<void> {
    await this.#client.groups.delete({ name });
    await this.#model.refresh();
  }

  /** Renames a script or moves it to another group; unsaved changes of its body stay unsaved. */
  async rename(id: number, change: { name?: string; group?: string }): Promise<void> {
    await this.#model.quietly(id, async () => {
      const before = await this.#client.scripts.get({ id });
      const after = await this.#client.scripts.save({
        id,
        baseVersion: before.version,
        group: change.group ?? before.group,
        name: change.name ?? before.name,
        description: before.description,
        body: before.body,
      });
      this.#model.applyExternalSave(before, after);
    });
    await this.#model.refresh();
  }

  /** Saves a copy in the same group and opens it. */
  async duplicate(id: number): Promise<Script> {
    const script = await this.#client.scripts.get({ id });
    const taken = this.#model.store
      .get()
      .scripts.filter(({ group }) => group === script.group)
      .map(({ name }) => name);
    const copy = await this.#client.scripts.save({
      group: script.group,
      name: copyName(script.name, taken, SCRIPT_LIMITS.name),
      description: script.description,
      body: script.body,
    });
    await this.#model.refresh();
    await this.#model.open(copy.id);
    return copy;
  }

  /** Deletes a script and closes its tab; its versions stay, so that `restore` can restore it. */
  async delete(id: number): Promise<void> {
    const key = keyOfScript(id);
    await this.#client.scripts.delete({ id });
    const doc = this.#model.doc(key);
    if (doc && !isDirty(doc)) this.#model.close(key);
    await this.#model.refresh();
  }

  async restore(id: number): Promise<void> {
    await this.#client.scripts.restore({ id });
    await this.#model.refresh();
    await this.#model.open(id);
  }
}
