import type { HostRole, PlantError, PlantFault } from '../protocol.ts';
import { MAX_MESSAGE } from '../protocol.ts';
import { NotAllowed, TooLarge } from './connection.ts';

/** Primary result codes of SQLite that are not about the statement. */
const FAULTS: Readonly<Record<number, PlantFault>> = {
  3: 'file', // PERM
  5: 'busy',
  6: 'busy', // LOCKED
  7: 'size', // NOMEM
  8: 'file', // READONLY
  10: 'file', // IOERR
  11: 'file', // CORRUPT
  13: 'file', // FULL
  14: 'file', // CANTOPEN
  15: 'busy', // PROTOCOL
  18: 'size', // TOOBIG
  26: 'file', // NOTADB
};

const READONLY = 8;

/**
 * What was thrown by SQLite, as what it means. That the file cannot be written is told to a reader when a crash has left
 * something to be undone.
 */
export function faultOf(thrown: unknown, otherwise: 'sql' | 'data', role: HostRole): PlantError {
  // A trigger can raise an error with any text.
  const message = (thrown instanceof Error ? thrown.message : String(thrown)).slice(0, MAX_MESSAGE);
  if (thrown instanceof NotAllowed) return { fault: 'sql', message };
  if (thrown instanceof TooLarge) return { fault: 'size', message };
  const sqlite = thrown instanceof Error && 'errcode' in thrown ? Number(thrown.errcode) : 0;
  const code = sqlite & 0xff;
  if (code === READONLY && role === 'reader') return { fault: 'recover', message };
  const fault = FAULTS[code] ?? otherwise;
  return { fault, message, ...(fault === 'file' && { sqlite }) };
}
