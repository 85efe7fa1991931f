import type { Database, Statement } from 'better-sqlite3';
import type { Json } from '#domain/text/json';
import { parseJson } from '#domain/text/json';
import type { Journal } from '../journal/journal.ts';
import type { ErpOutboxRepository, NewErpRow } from './erp-outbox-repository.ts';
import type { MachineOverrideRepository } from './machine-override-repository.ts';
import type { StorageValueRepository, StorageValueRow } from './storage-value-repository.ts';

/** A write of a set as data, so that it can be repeated after a crash. */
export type StoredWrite =
  | { to: 'storage'; row: StorageValueRow; writtenAt: string }
  | { to: 'machine'; tagId: number; value: string; /** Absent in intents of earlier versions. */ writtenAt?: string }
  | { to: 'erp'; row: NewErpRow }
  /** The causes of the set. */
  | { to: 'journal'; entries: string };

/** A decided set over two files: its writes belong here if `evidence` shows that plant.db was committed. */
export interface WriteIntent {
  id: number;
  evidence: Json;
  writes: StoredWrite[];
}

/** Where stored writes go. */
export interface WriteTargets {
  values: StorageValueRepository;
  overrides: MachineOverrideRepository;
  outbox: ErpOutboxRepository;
  journal: Pick<Journal, 'repeat'>;
}

/** Unfinished write sets over two files. Methods that write must be called inside a job of the commit queue. */
export class WriteIntentRepository {
  readonly #all: Statement<[], { id: number; evidence: string; writes: string }>;
  readonly #insert: Statement<[string, string, string]>;
  readonly #replace: Statement<[string, string, string, number]>;
  readonly #delete: Statement<[number]>;

  constructor(database: Database) {
    this.#all = database.prepare('SELECT id, evidence, writes FROM write_intents ORDER BY id');
    this.#insert = database.prepare('INSERT INTO write_intents (evidence, writes, made_at) VALUES (?, ?, ?)');
    this.#replace = database.prepare('UPDATE write_intents SET evidence = ?, writes = ?, made_at = ? WHERE id = ?');
    this.#delete = database.prepare('DELETE FROM write_intents WHERE id = ?');
  }

  /** In order of creation. */
  all(): WriteIntent[] {
    return this.#all.all().map(({ id, evidence, writes }) => {
      const stored: StoredWrite[] = JSON.parse(writes);
      return { id, evidence: parseJson(evidence), writes: stored };
    });
  }

  /** @param madeAt RFC 3339 in UTC */
  insert({ evidence, writes }: Omit<WriteIntent, 'id'>, madeAt: string): number {
    return Number(this.#insert.run(JSON.stringify(evidence), JSON.stringify(writes), madeAt).lastInsertRowid);
  }

  /** Turns an intent into that of a later set. @param madeAt RFC 3339 in UTC */
  replace(id: number, { evidence, writes }: Omit<WriteIntent, 'id'>, madeAt: string): void {
    this.#replace.run(JSON.stringify(evidence), JSON.stringify(writes), madeAt, id);
  }

  delete(id: number): void {
    this.#delete.run(id);
  }
}

/** Makes a stored write. */
export function applyStoredWrite(write: StoredWrite, { values, overrides, outbox, journal }: WriteTargets): void {
  if (write.to === 'storage') values.put(write.row, write.writtenAt);
  else if (write.to === 'machine') overrides.putValue(write.tagId, write.value, write.writtenAt ?? null);
  else if (write.to === 'erp') outbox.append(write.row);
  else journal.repeat(write.entries);
}
