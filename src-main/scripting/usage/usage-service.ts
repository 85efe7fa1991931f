import type { Draft, Script } from '#domain/run/script';
import type { TagKind } from '#domain/tag/tag';
import type { Mock } from '#domain/mock/mock';
import type { Rule } from '#domain/rule/rule';
import type { Settings } from '#domain/workspace/settings';
import type { DraftUse, RuleUse, ScriptUse, SecretUsage, SettingsUse, TagUsage, TextPlace } from '#domain/tag/usage';
import type { Literal } from './path-literals.ts';
import { replaceLiterals } from './path-literals.ts';
import type { IndexedScripts } from './script-index.ts';
import { namesIn, ScriptIndex } from './script-index.ts';
import { mocksNaming, secretPlaces, settingsNaming } from './secret-uses.ts';

/** The references in the settings of a tag; the kinds of tags provide them. */
export interface SettingsReference {
  path: string;
  kind: TagKind;
  reference:
    | { to: 'tag'; path: string; member: string; line: number | null; column: number | null }
    | { to: 'script'; id: number; member: string };
}

export interface UsageTags {
  references(): Iterable<SettingsReference>;
  /** `within` runs in the transaction that renames the tag; returns the other tags whose settings were changed. */
  rename(
    change: { path: string; newPath: string; updateReferences: boolean },
    within: () => void,
  ): Promise<{ changed: string[] }>;
}

export interface UsageScripts {
  listDrafts(): Draft[];
  /** Saves a new version with another body, inside a transaction. */
  revise(id: number, body: string): Script;
}

export interface UsageRules {
  list(): Rule[];
  /** Replaces a tag in the rules that refer to it, inside a transaction; returns these rules. */
  retag(path: string, newPath: string): Rule[];
}

export interface UsageParts {
  tags: UsageTags;
  rules: UsageRules;
  scripts: UsageScripts;
  stored: IndexedScripts;
  mocks: { list(): { mocks: readonly Mock[] } };
  settings: { get(): Settings };
}

/** The references to tags, scripts and secrets, and the renaming of tags, which updates them. */
export class UsageService {
  readonly #tags: UsageTags;
  readonly #rules: UsageRules;
  readonly #scripts: UsageScripts;
  readonly #stored: IndexedScripts;
  readonly #index: ScriptIndex;
  readonly #mocks: UsageParts['mocks'];
  readonly #settings: UsageParts['settings'];

  constructor({ tags, rules, scripts, stored, mocks, settings }: UsageParts) {
    this.#tags = tags;
    this.#rules = rules;
    this.#scripts = scripts;
    this.#stored = stored;
    this.#index = new ScriptIndex(stored);
    this.#mocks = mocks;
    this.#settings = settings;
  }

  /**
   * All references to a path, whether or not the tag exists: literals in scripts and drafts, the settings of tags, and
   * aggregation rules (whose conditions name outputs, not tags). A path that a script builds at run time is not found.
   */
  async ofTag({ path }: { path: string }): Promise<TagUsage> {
    await this.#index.refresh();
    const scripts = this.#index.naming(path).map(({ script, named }): ScriptUse => {
      const { id, group, name, version } = script;
      return { id, group, name, version, places: placesOf(named.literals), exact: named.exact };
    });
    return {
      scripts,
      drafts: this.#draftsNaming(path),
      tags: this.#settingsNaming('tag', path),
      rules: this.#rules.list().flatMap((rule) => rulesNaming(rule, path)),
    };
  }

  /** The tags whose settings name a script, and so run it. */
  ofScript({ id }: { id: number }): { tags: SettingsUse[] } {
    return { tags: this.#settingsNaming('script', id) };
  }

  /**
   * All references to the placeholder of a secret, whether or not the secret exists: scripts and drafts, also in
   * comments, mocks and settings. A placeholder that a script builds at run time is not found.
   */
  async ofSecret({ name: secret }: { name: string }): Promise<SecretUsage> {
    await this.#index.refresh();
    return {
      scripts: this.#index.wanting(secret).map(({ script, places }) => {
        const { id, group, name, version } = script;
        return { id, group, name, version, places };
      }),
      drafts: this.#scripts.listDrafts().flatMap(({ key, scriptId, group, name, body }) => {
        const places = secretPlaces(body).get(secret);
        return places ? [{ key, scriptId, group, name, places }] : [];
      }),
      mocks: await mocksNaming(this.#mocks.list().mocks, secret),
      settings: settingsNaming(this.#settings.get(), secret),
    };
  }

  /**
   * Renames a tag. With `updateScripts` the literals in scripts that parse become the new path, each script a new
   * version, and so do the settings of other tags and rules, in one transaction. Drafts, and scripts that do not parse,
   * stay unchanged; they are in `left` with all other remaining references to the former path.
   *
   * Throws NOT_FOUND, CONFLICT if the new path is taken, or BAD_REQUEST if it is invalid, or if a script or an
   * expression would become too long. Then nothing is changed.
   */
  async rename({ path, newPath, updateScripts }: { path: string; newPath: string; updateScripts: boolean }) {
    await this.#index.refresh();
    const scripts: Pick<Script, 'id' | 'group' | 'name' | 'version'>[] = [];
    const literals: number[] = [];
    const rules: Rule[] = [];
    const { changed } = await this.#tags.rename({ path, newPath, updateReferences: updateScripts }, () => {
      if (!updateScripts) return;
      rules.push(...this.#rules.retag(path, newPath));
      for (const { script, named } of this.#index.naming(path)) {
        if (!named.exact) continue;
        const body = this.#stored.byId(script.id)?.body ?? '';
        const { id, group, name, version } = this.#scripts.revise(
          script.id,
          replaceLiterals(body, named.literals, newPath),
        );
        scripts.push({ id, group, name, version });
        literals.push(named.literals.length);
      }
    });
    return {
      scripts: scripts.map((script, index) => Object.assign(script, { literals: literals[index] ?? 0 })),
      tags: changed,
      rules: rules.map(({ name }) => name),
      left: await this.ofTag({ path }),
    };
  }

  #draftsNaming(path: string): DraftUse[] {
    return this.#scripts.listDrafts().flatMap(({ key, scriptId, group, name, body }): DraftUse[] => {
      const { literals, exact } = namesIn(body, path);
      return literals.length > 0 ? [{ key, scriptId, group, name, places: placesOf(literals), exact }] : [];
    });
  }

  #settingsNaming(to: 'tag' | 'script', what: string | number): SettingsUse[] {
    const found: SettingsUse[] = [];
    for (const { path, kind, reference } of this.#tags.references()) {
      if (reference.to !== to || what !== (reference.to === 'tag' ? reference.path : reference.id)) continue;
      const { line, column } = reference.to === 'tag' ? reference : { line: null, column: null };
      found.push({ path, kind, member: reference.member, line, column });
    }
    return found;
  }
}

const placesOf = (literals: readonly Literal[]): TextPlace[] => literals.map(({ line, column }) => ({ line, column }));

function rulesNaming({ id, name, tags, window, outputs }: Rule, path: string): RuleUse[] {
  const members = [
    ...(tags.includes(path) ? ['tags'] : []),
    ...(window.kind === 'while' && window.tag === path ? ['window.tag'] : []),
    ...outputs.filter(({ tag }) => tag === path).map((output) => `outputs.${output.name}`),
  ];
  return members.length > 0 ? [{ id, name, members }] : [];
}
