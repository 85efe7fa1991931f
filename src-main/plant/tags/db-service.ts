import type { Json } from '#domain/text/json';
import { scopeOf } from '#domain/tag/scope';
import { messageOf, TagwrightError } from '../../platform/errors.ts';
import type { PlantDatabase } from '../../storage/plant/plant-database.ts';
import type { PlantError, PlantResult, PlantStatement } from '../../storage/plant/protocol.ts';
import { PlantFailure, type PlantTransaction } from '../../storage/plant/plant-transaction.ts';
import type { SqlMode } from '../../storage/plant/sql-text.ts';
import { checkSql } from '../../storage/plant/sql-text.ts';
import { bindSql } from './kinds/db-sql.ts';

interface TryInput {
  sql: string;
  mode: SqlMode;
  value?: Json;
  tagName?: string | undefined;
  diagram?: string | null | undefined;
  location?: string | null | undefined;
}

/** Maximum number of rows of a result to show. */
const SHOWN_ROWS = 1_000;

/** Tries statements on plant.db before they are saved in a tag. */
export class DbService {
  readonly #plant: PlantDatabase;

  constructor(plant: PlantDatabase) {
    this.#plant = plant;
  }

  /**
   * Runs a statement like a DB tag, a write in a transaction that is rolled back. Throws BAD_REQUEST with `data.issues`
   * if the statement is invalid, fails or times out, UNAVAILABLE if plant.db cannot be used, or the signal aborts.
   */
  async try({ sql, mode, value = null, tagName = '', diagram, location }: TryInput, signal?: AbortSignal) {
    const checked = checkSql(sql, mode);
    if (!checked.ok) throw wrong('sql', checked.reason);
    const scope = scopeOf(diagram, location);
    const bound = bindSql(checked.text, { tagName, scope, ...(mode === 'write' && { value }) });
    if (!bound.ok) throw wrong('value', bound.reason);
    const { statement } = bound;
    const result = mode === 'read' ? await this.#read(statement, signal) : await this.#write(statement, signal);
    if ('error' in result) throw this.#failed(result.error);
    const { columns, rows, more = false, changes = 0, ms } = result;
    return { columns, rows, more, changes, ms: Math.round(ms * 1_000) / 1_000 };
  }

  async #read(statement: PlantStatement, signal: AbortSignal | undefined): Promise<PlantResult> {
    const [result] = await this.#plant.read([statement], { limits: this.#limits(), signal });
    if (!result) throw new Error('a read of one statement gives one result');
    return result;
  }

  async #write(statement: PlantStatement, signal: AbortSignal | undefined): Promise<PlantResult> {
    try {
      const transaction = await this.#plant.begin(signal);
      try {
        const result = await transaction.write(statement, { limits: this.#limits() });
        return 'error' in result ? result : await ifCommittable(transaction, result);
      } finally {
        await transaction.rollback();
      }
    } catch (thrown) {
      throw new TagwrightError('UNAVAILABLE', `plant.db cannot be written: ${messageOf(thrown)}.`, { cause: thrown });
    }
  }

  #limits() {
    const { ms, rows } = this.#plant.limits;
    return { ms, rows: Math.min(rows, SHOWN_ROWS) };
  }

  #failed(error: PlantError): TagwrightError {
    const { message } = error;
    if (['sql', 'data', 'size', 'time'].includes(error.fault)) return wrong('sql', message);
    return new TagwrightError('UNAVAILABLE', `plant.db cannot be used: ${message}.`);
  }
}

/** The result, unless a commit would be rejected. */
async function ifCommittable(transaction: PlantTransaction, result: PlantResult): Promise<PlantResult> {
  try {
    await transaction.check();
    return result;
  } catch (thrown) {
    if (!(thrown instanceof PlantFailure)) throw thrown;
    return { error: { fault: thrown.fault, message: thrown.message } };
  }
}

function wrong(member: 'sql' | 'value', message: string): TagwrightError {
  return new TagwrightError('BAD_REQUEST', `The statement cannot be run: ${message}.`, {
    data: { issues: [{ path: [member], message }] },
  });
}
