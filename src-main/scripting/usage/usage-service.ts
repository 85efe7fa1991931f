import type { Settings } from '#domain/workspace/settings';
import type {
  MissingName,
  RenamedUses,
  ScriptUsage,
  SecretUsage,
  TagUsage,
  TagUseKind,
  UseCounts,
} from '#domain/tag/usage';
import { Turns } from '../../platform/turns.ts';
import { ScriptIndex } from './script-index.ts';
import { mocksNaming, secretPlaces, settingsNaming } from './secret-uses.ts';
import type { KindsOfUse, Renaming, UseSources } from './tag-uses.ts';
import { kindsOfUse, settingsUses } from './tag-uses.ts';

export interface UsageTags {
  has(path: string): boolean;
  /** `within` runs in the transaction that renames the tag, with the other tags whose settings it changes. */
  rename(
    change: { path: string; newPath: string; updateReferences: boolean },
    within: (changed: readonly string[]) => void,
  ): Promise<void>;
}

export interface UsageParts extends UseSources {
  tags: UseSources['tags'] & UsageTags;
  settings: { get(): Settings };
}

/** The references to tags, scripts and secrets, and the renaming of tags, which updates them. */
export class UsageService {
  readonly #parts: UsageParts;
  readonly #index: ScriptIndex;
  readonly #kinds: KindsOfUse;

  constructor(parts: UsageParts) {
    this.#parts = parts;
    this.#index = new ScriptIndex(parts.stored);
    this.#kinds = kindsOfUse(parts, this.#index);
  }

  /**
   * All references to a path, whether or not the tag exists. A path that a script builds at run time is not found.
   */
  ofTag({ path }: { path: string }): Promise<TagUsage> {
    return this.#uses(new Set([path]));
  }

  /** All references to tags, scripts and rules that do not exist, a few ms at a time. */
  async missing(): Promise<MissingName[]> {
    const { tags } = this.#parts;
    const exists = (path: string): boolean => tags.has(path);
    const all: MissingName[] = [];
    for (const { missing } of Object.values(this.#kinds)) {
      if (missing !== null) all.push(...(await found(missing(exists))));
    }
    return all;
  }

  /** How many items of each kind refer to one of the tags, without these tags themselves. */
  async ofTags({ paths }: { paths: readonly string[] }): Promise<UseCounts> {
    const wanted = new Set(paths);
    const { tags, contexts, ...others } = await this.#uses(wanted);
    const referring = new Set(tags.map(({ path }) => path).filter((path) => !wanted.has(path)));
    return {
      scripts: others.scripts.length,
      drafts: others.drafts.length,
      contexts: contexts.reduce((sum, { count }) => sum + count, 0),
      tags: referring.size,
      rules: others.rules.length,
      diagrams: others.diagrams.length,
      tests: others.tests.length,
      mocks: others.mocks.length,
    };
  }

  /**
   * The tags whose settings name a script, and so run it, the scripts, rules and Diagrams with these tags, and the tests
   * of the script.
   */
  async ofScript({ id }: { id: number }): Promise<ScriptUsage> {
    const { tags, tests, stored } = this.#parts;
    const runBy = [...settingsUses(tags.references(), (to) => to.to === 'script' && to.id === id)];
    const paths = new Set(runBy.map(({ path }) => path));
    const script = stored.summaries().find((summary) => summary.id === id);
    await this.#index.refresh();
    return {
      tags: runBy,
      scripts: await found(this.#kinds.scripts.find(paths)),
      rules: await found(this.#kinds.rules.find(paths)),
      diagrams: await found(this.#kinds.diagrams.find(paths)),
      tests: tests
        .list()
        .filter(({ scriptId }) => scriptId === id)
        .map((test) => ({
          id: test.id,
          name: test.name,
          scriptId: id,
          group: script?.group ?? '',
          script: script?.name ?? '',
          members: [],
        })),
    };
  }

  /**
   * All references to the placeholder of a secret, whether or not the secret exists: scripts and drafts, also in
   * comments, mocks and settings. A placeholder that a script builds at run time is not found.
   */
  async ofSecret({ name: secret }: { name: string }): Promise<SecretUsage> {
    const { scripts, mocks, settings } = this.#parts;
    await this.#index.refresh();
    return {
      scripts: this.#index.wanting(secret).map(({ script, places }) => {
        const { id, group, name, version } = script;
        return { id, group, name, version, places };
      }),
      drafts: scripts.listDrafts().flatMap(({ key, scriptId, group, name, body }) => {
        const places = secretPlaces(body).get(secret);
        return places ? [{ key, scriptId, group, name, places }] : [];
      }),
      mocks: await mocksNaming(mocks.list().mocks, secret),
      settings: settingsNaming(settings.get(), secret),
    };
  }

  /**
   * Renames a tag. With `updateScripts` all references to it become the new path, in one transaction; each script gets
   * a new version. Drafts, and scripts that do not parse, stay unchanged; they are in `left` with all other remaining
   * references to the former path.
   *
   * Throws NOT_FOUND, CONFLICT if the new path is taken, or BAD_REQUEST if it is invalid, or if a script or an
   * expression would become too long. Then nothing is changed.
   */
  async rename({ path, newPath, updateScripts }: { path: string; newPath: string; updateScripts: boolean }) {
    await this.#index.refresh();
    let changed = NOTHING;
    await this.#parts.tags.rename({ path, newPath, updateReferences: updateScripts }, (changedTags) => {
      if (updateScripts) changed = this.#renamed({ path, newPath, changedTags });
    });
    return { ...changed, left: await this.ofTag({ path }) };
  }

  async #uses(paths: ReadonlySet<string>): Promise<TagUsage> {
    await this.#index.refresh();
    const of = <K extends TagUseKind>(kind: K) => found(this.#kinds[kind].find(paths));
    return {
      scripts: await of('scripts'),
      drafts: await of('drafts'),
      contexts: await of('contexts'),
      tags: await of('tags'),
      rules: await of('rules'),
      diagrams: await of('diagrams'),
      tests: await of('tests'),
      mocks: await of('mocks'),
    };
  }

  #renamed(renaming: Renaming): RenamedUses {
    const kinds = this.#kinds;
    return {
      scripts: kinds.scripts.rename(renaming),
      contexts: kinds.contexts.rename(renaming),
      tags: kinds.tags.rename(renaming),
      rules: kinds.rules.rename(renaming),
      diagrams: kinds.diagrams.rename(renaming),
      tests: kinds.tests.rename(renaming),
      mocks: kinds.mocks.rename(renaming),
    };
  }
}

const NOTHING: RenamedUses = { scripts: [], contexts: [], tags: [], rules: [], diagrams: [], tests: [], mocks: [] };

/** The references among the items, searched a few ms at a time. */
async function found<Use>(items: Iterable<Use | null>): Promise<Use[]> {
  const turns = new Turns();
  const uses: Use[] = [];
  for (const use of items) {
    if (use !== null) uses.push(use);
    const pause = turns.due();
    if (pause) await pause;
  }
  return uses;
}
