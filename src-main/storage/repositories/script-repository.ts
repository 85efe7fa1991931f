import type { Database } from 'better-sqlite3';
import type { Script, ScriptRevision, ScriptSummary, ScriptText, ScriptVersion } from '#domain/run/script';
import { nameKey } from '#domain/text/name-key';

export interface ScriptGroupRow {
  id: number;
  name: string;
}

/** A stored script; a deleted one may have lost its group, and then has that of its last version. */
export interface ScriptRow extends Script {
  groupId: number | null;
  deletedAt: string | null;
}

/** The text of a script in a save; the group is given by its id. */
export interface ScriptState extends ScriptText {
  groupId: number;
  nameKey: string;
  version: number;
  savedAt: string;
  savedBy: string | null;
}

const FIELDS = ['group', 'name', 'description', 'body'] as const;

/** Null for the first version. */
type Differs = { [Field in `${(typeof FIELDS)[number]}Differs`]: 0 | 1 | null };
type RevisionRow = Omit<ScriptRevision, 'changed'> & Differs;

// Without joins: they also read the version, which only a script whose group is deleted needs, and take six times as long.
const ROW = `
  SELECT s.id, s.group_id AS groupId,
         coalesce((SELECT g.name FROM script_groups g WHERE g.id = s.group_id),
                  (SELECT v.script_group FROM script_versions v
                   WHERE v.script_id = s.id AND v.version = s.version)) AS "group",
         s.name, s.description, s.body, s.version, s.saved_at AS savedAt, s.deleted_at AS deletedAt
  FROM scripts s`;

interface NamedVersion extends Pick<ScriptVersion, 'scriptId' | 'version' | 'savedAt'> {
  /** `Group/Name` */
  fullName: string;
}

/** Groups, scripts and their versions. A key is the `nameKey` of a name. The script library has the rules. */
export class ScriptRepository {
  readonly #statements: ReturnType<typeof prepare>;

  constructor(database: Database) {
    this.#statements = prepare(database);
  }

  groups(): ScriptGroupRow[] {
    return this.#statements.groups.all();
  }

  groupByKey(key: string): ScriptGroupRow | undefined {
    return this.#statements.groupByKey.get(key);
  }

  insertGroup(name: string, key: string): number {
    return Number(this.#statements.insertGroup.run(name, key).lastInsertRowid);
  }

  renameGroup(id: number, name: string, key: string): void {
    this.#statements.renameGroup.run(name, key, id);
  }

  deleteGroup(id: number): void {
    this.#statements.deleteGroup.run(id);
  }

  /** How many scripts that are not deleted the group contains. */
  countInGroup(groupId: number): number {
    return this.#statements.countInGroup.get(groupId) ?? 0;
  }

  /** Scripts that are not deleted, ordered by group and name. */
  summaries(): ScriptSummary[] {
    return this.#statements.summaries.all();
  }

  /** A script, deleted or not. */
  byId(id: number): ScriptRow | undefined {
    return this.#statements.byId.get(id);
  }

  /** The script with this name that is not deleted. */
  byName(groupId: number, key: string): ScriptRow | undefined {
    return this.#statements.byName.get(groupId, key);
  }

  /** The id of the script with this name that was deleted last. */
  lastDeleted(groupKey: string, key: string): number | undefined {
    const candidates = this.#statements.deletedByName.all(key);
    return candidates.find((row) => nameKey(row.group) === groupKey)?.id;
  }

  insert(state: ScriptState): number {
    const id = Number(this.#statements.insert.run(state).lastInsertRowid);
    this.#statements.insertVersion.run({ ...state, id });
    return id;
  }

  /** Stores the state as the current one, and as a version. */
  update(id: number, state: ScriptState): void {
    this.#statements.update.run({ ...state, id });
    this.#statements.insertVersion.run({ ...state, id });
  }

  markDeleted(id: number, at: string): void {
    this.#statements.markDeleted.run(at, id);
  }

  markRestored(id: number, groupId: number): void {
    this.#statements.markRestored.run(groupId, id);
  }

  /** The changes of each version, newest first. */
  history(id: number): ScriptRevision[] {
    return this.#statements.history.all(id).map(({ version, savedAt, savedBy, group, name, bytes, ...differs }) => ({
      version,
      savedAt,
      savedBy,
      group,
      name,
      bytes,
      changed: FIELDS.filter((field) => differs[`${field}Differs`] === 1),
    }));
  }

  version(id: number, version: number): ScriptVersion | undefined {
    return this.#statements.version.get(id, version);
  }

  /** Every version of the script, newest first. */
  versions(id: number): ScriptVersion[] {
    return this.#statements.versions.all(id);
  }

  /** The versions that were saved with one of these names, each `Group/Name`, of all scripts, oldest first. */
  namedVersions(names: readonly string[]): NamedVersion[] {
    return this.#statements.namedVersions.all(JSON.stringify(names));
  }
}

function prepare(database: Database) {
  return {
    groups: database.prepare<[], ScriptGroupRow>('SELECT id, name FROM script_groups ORDER BY name_key'),
    groupByKey: database.prepare<[string], ScriptGroupRow>('SELECT id, name FROM script_groups WHERE name_key = ?'),
    insertGroup: database.prepare<[string, string]>('INSERT INTO script_groups (name, name_key) VALUES (?, ?)'),
    renameGroup: database.prepare<[string, string, number]>(
      'UPDATE script_groups SET name = ?, name_key = ? WHERE id = ?',
    ),
    deleteGroup: database.prepare<[number]>('DELETE FROM script_groups WHERE id = ?'),
    countInGroup: database
      .prepare<[number], number>('SELECT count(*) FROM scripts WHERE group_id = ? AND deleted_at IS NULL')
      .pluck(),
    summaries: database.prepare<[], ScriptSummary>(`
      SELECT s.id, g.name AS "group", s.name, s.description, s.version, s.saved_at AS savedAt
      FROM scripts s JOIN script_groups g ON g.id = s.group_id
      WHERE s.deleted_at IS NULL ORDER BY g.name_key, s.name_key`),
    byId: database.prepare<[number], ScriptRow>(`${ROW} WHERE s.id = ?`),
    byName: database.prepare<[number, string], ScriptRow>(
      `${ROW} WHERE s.group_id = ? AND s.name_key = ? AND s.deleted_at IS NULL`,
    ),
    deletedByName: database.prepare<[string], { id: number; group: string }>(`
      SELECT s.id, coalesce(g.name, v.script_group) AS "group"
      FROM scripts s
      LEFT JOIN script_groups g ON g.id = s.group_id
      LEFT JOIN script_versions v ON v.script_id = s.id AND v.version = s.version
      WHERE s.name_key = ? AND s.deleted_at IS NOT NULL ORDER BY s.deleted_at DESC, s.id DESC`),
    insert: database.prepare<[ScriptState]>(`
      INSERT INTO scripts (group_id, name, name_key, description, body, version, saved_at)
      VALUES (@groupId, @name, @nameKey, @description, @body, @version, @savedAt)`),
    update: database.prepare<[ScriptState & { id: number }]>(`
      UPDATE scripts SET group_id = @groupId, name = @name, name_key = @nameKey, description = @description,
                         body = @body, version = @version, saved_at = @savedAt
      WHERE id = @id`),
    insertVersion: database.prepare<[ScriptState & { id: number }]>(`
      INSERT INTO script_versions (script_id, version, script_group, name, description, body, saved_at, saved_by)
      VALUES (@id, @version, @group, @name, @description, @body, @savedAt, @savedBy)`),
    markDeleted: database.prepare<[string, number]>('UPDATE scripts SET deleted_at = ? WHERE id = ?'),
    markRestored: database.prepare<[number, number]>('UPDATE scripts SET deleted_at = NULL, group_id = ? WHERE id = ?'),
    history: database.prepare<[number], RevisionRow>(`
      SELECT version, saved_at AS savedAt, saved_by AS savedBy, script_group AS "group", name, octet_length(body) AS bytes,
             script_group != lag(script_group) OVER saves AS groupDiffers, name != lag(name) OVER saves AS nameDiffers,
             description != lag(description) OVER saves AS descriptionDiffers, body != lag(body) OVER saves AS bodyDiffers
      FROM script_versions WHERE script_id = ? WINDOW saves AS (ORDER BY version) ORDER BY version DESC`),
    version: database.prepare<[number, number], ScriptVersion>(`
      SELECT script_id AS scriptId, version, script_group AS "group", name, description, body, saved_at AS savedAt,
             saved_by AS savedBy
      FROM script_versions WHERE script_id = ? AND version = ?`),
    versions: database.prepare<[number], ScriptVersion>(`
      SELECT script_id AS scriptId, version, script_group AS "group", name, description, body, saved_at AS savedAt,
             saved_by AS savedBy
      FROM script_versions WHERE script_id = ? ORDER BY version DESC`),
    namedVersions: database.prepare<[string], NamedVersion>(`
      SELECT script_id AS scriptId, version, saved_at AS savedAt, script_group || '/' || name AS fullName
      FROM script_versions WHERE script_group || '/' || name IN (SELECT value FROM json_each(?)) ORDER BY saved_at`),
  };
}
