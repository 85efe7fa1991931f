import { oc } from '@orpc/contract';

/**
 * What a client does with a procedure when the connection is lost before the response:
 *
 * - `read` changes nothing: sent again on the next connection.
 * - `write` changes something or reports progress: never sent twice.
 * - `watch` streams the state and then what changed: opened again, unnoticed by its reader.
 * - `changes` streams only notifications: ends, because some may have been missed. Its reader reads everything again.
 */
export type ProcedureKind = 'read' | 'write' | 'watch' | 'changes';

/** The metadata of every procedure. */
export interface ProcedureMeta {
  kind: ProcedureKind;
}

const of = (kind: ProcedureKind) => oc.$meta<ProcedureMeta>({ kind });

/** Builders of procedures, one for each kind. */
export const procedure = { read: of('read'), write: of('write'), watch: of('watch'), changes: of('changes') };
