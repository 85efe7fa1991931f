import type { TagKind } from './tag.ts';

/** A position in a text; lines and columns (UTF-16 units) count from 1. */
export interface TextPlace {
  line: number;
  column: number;
}

/** The references to a tag in a script. */
export interface ScriptUse {
  id: number;
  group: string;
  name: string;
  version: number;
  places: TextPlace[];
  /** False if the body does not parse, so that it could only be searched as text. */
  exact: boolean;
}

/** The references to a tag in a draft. */
export interface DraftUse {
  key: string;
  scriptId: number | null;
  group: string;
  name: string;
  places: TextPlace[];
  exact: boolean;
}

/** A reference in the settings of a tag to another tag, or to a script. */
export interface SettingsUse {
  path: string;
  kind: TagKind;
  /** The member of the settings, such as `expression`. */
  member: string;
  /** The position in the text of the member; null if it is not text with lines. */
  line: number | null;
  column: number | null;
}

/** An aggregation rule with references to a tag. */
export interface RuleUse {
  id: number;
  name: string;
  /** The positions, in this order: `tags`, `window.tag`, and `outputs.NAME` for each output over the tag. */
  members: string[];
}

/** A mock with references to a secret. */
export interface MockUse {
  id: number;
  name: string;
  /**
   * The positions, in this order: `url`, `headers` and `body` of its request, and `answer.headers`, `answer.body` of
   * its response.
   */
  members: string[];
}

/** All references to a secret. */
export interface SecretUsage {
  scripts: Omit<ScriptUse, 'exact'>[];
  drafts: Omit<DraftUse, 'exact'>[];
  mocks: MockUse[];
  /** The settings, by their keys. */
  settings: string[];
}

/** All references to a tag by its path. */
export interface TagUsage {
  scripts: ScriptUse[];
  drafts: DraftUse[];
  tags: SettingsUse[];
  rules: RuleUse[];
}
