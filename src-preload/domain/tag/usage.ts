import type { TagKind } from './tag.ts';

/** A place in a text; lines and columns (UTF-16 units) count from 1. */
export interface TextPlace {
  line: number;
  column: number;
}

/** The places at which a script names a tag. */
export interface ScriptUse {
  id: number;
  group: string;
  name: string;
  version: number;
  places: TextPlace[];
  /** False where the body does not parse, so that it could only be searched as text. */
  exact: boolean;
}

/** The places at which unsaved work names a tag. */
export interface DraftUse {
  key: string;
  scriptId: number | null;
  group: string;
  name: string;
  places: TextPlace[];
  exact: boolean;
}

/** A place at which the settings of a tag name another tag, or a script. */
export interface SettingsUse {
  path: string;
  kind: TagKind;
  /** The member of the settings, such as `expression`. */
  member: string;
  /** Where in the text of the member; null where it is no text with lines. */
  line: number | null;
  column: number | null;
}

/** An aggregation rule that names a tag. */
export interface RuleUse {
  id: number;
  name: string;
  /** Where, in this order: `tags`, `window.tag`, and `outputs.NAME` for each output over the tag. */
  members: string[];
}

/** A mock that names a secret. */
export interface MockUse {
  id: number;
  name: string;
  /** Where, in this order: `url`, `headers` and `body` of its request, and of its answer `answer.headers`, `answer.body`. */
  members: string[];
}

/** Everything that has the placeholder of a secret. */
export interface SecretUsage {
  scripts: Omit<ScriptUse, 'exact'>[];
  drafts: Omit<DraftUse, 'exact'>[];
  mocks: MockUse[];
  /** The settings, by their keys. */
  settings: string[];
}

/** Everything that names a tag by its path. */
export interface TagUsage {
  scripts: ScriptUse[];
  drafts: DraftUse[];
  tags: SettingsUse[];
  rules: RuleUse[];
}
