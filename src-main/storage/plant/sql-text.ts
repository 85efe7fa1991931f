/** The purpose of an SQL text: a read returns rows and changes nothing, a write changes rows. */
export type SqlMode = 'read' | 'write';

/** A statement that may be run; missing tables are detected when it runs. */
export interface SqlText {
  /** The form for SQLite: a member such as `:value.name` has become a parameter that SQLite accepts. */
  sql: string;
  parameters: SqlParameter[];
}

export interface SqlParameter {
  /** The bound name, without the colon. */
  bound: string;
  /** The name in the text: `['value', 'name']`. */
  path: string[];
}

export type CheckedSql = { ok: true; text: SqlText } | { ok: false; reason: string };

/** Maximum length of one statement. */
export const MAX_SQL_LENGTH = 100_000;

/** Replaces the dot in the names of members: SQLite treats it as a letter, and no keyboard has it. */
const DOT = '\u1427';

const FIRST_WORDS: Record<SqlMode, readonly string[]> = {
  read: ['SELECT', 'WITH', 'VALUES'],
  write: ['INSERT', 'UPDATE', 'DELETE', 'REPLACE', 'WITH'],
};

type TokenKind = 'space' | 'word' | 'quoted' | 'parameter' | 'semicolon' | 'other' | 'unfinished';

interface Token {
  kind: TokenKind;
  text: string;
}

/** In the order of SQLite's own tokenizer; every character belongs to a token. */
const TOKENS: readonly [TokenKind, RegExp][] = [
  ['space', /[ \t\n\f\r]+|--[^\n]*|\/\*[^]*?\*\//y],
  ['unfinished', /\/\*[^]*/y],
  ['quoted', /'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]/y],
  ['unfinished', /['"`[][^]*/y],
  [
    'parameter',
    /:[\p{L}\p{N}_$\u0080-\uffff]+(?:\.[\p{L}_\u0080-\uffff][\p{L}\p{N}_$\u0080-\uffff]*)*|\?\d*|[@$#:][\w$:]*/uy,
  ],
  ['word', /[\p{L}_\u0080-\uffff][\p{L}\p{N}_$\u0080-\uffff]*/uy],
  ['other', /\d[\w.]*|[^]/uy],
];

/**
 * Checks the text of a statement without running it: one statement, of the right kind, with parameters in the form
 * `:name`. Reads may use `:tagName`, `:diagram` and `:location`; writes also `:value`, its members as `:value.name` or
 * `:name`. The process that runs it rejects forbidden actions that this check does not find.
 */
export function checkSql(given: string, mode: SqlMode): CheckedSql {
  if (given.length > MAX_SQL_LENGTH) return no(`a statement has at most ${MAX_SQL_LENGTH} characters`);
  if (given.includes('\0')) return no('it contains a zero character');
  const tokens = [...tokensOf(given)];
  const unfinished = tokens.find(({ kind }) => kind === 'unfinished');
  if (unfinished) return no(`it ends inside ${unfinished.text.slice(0, 20)}`);
  const significant = tokens.filter(({ kind }) => kind !== 'space');
  const end = significant.findIndex(({ kind }) => kind === 'semicolon');
  if (end >= 0 && significant.slice(end).some(({ kind }) => kind !== 'semicolon')) {
    return no('write one statement: there is more after the semicolon');
  }
  const [first] = significant;
  if (first === undefined || first.kind === 'semicolon') return no('write a statement');
  const word = first.text.toUpperCase();
  if (!FIRST_WORDS[mode].includes(word)) {
    return no(`a ${mode} statement begins with ${listOf(FIRST_WORDS[mode])}, not with ${first.text.slice(0, 40)}`);
  }
  return withParameters(tokens, mode);
}

function withParameters(tokens: readonly Token[], mode: SqlMode): CheckedSql {
  const parameters = new Map<string, SqlParameter>();
  let sql = '';
  for (const { kind, text } of tokens) {
    if (kind !== 'parameter') {
      // Tokens after the end are ignored.
      if (kind !== 'semicolon') sql += text;
      continue;
    }
    if (!/^:[\p{L}_\u0080-\uffff]/u.test(text)) return no(`"${text}": parameters are named, as in :value`);
    const path = text.slice(1).split('.');
    const problem = problemOf(path, mode);
    if (problem !== null) return no(problem);
    const bound = path.join(DOT);
    parameters.set(bound, { bound, path });
    sql += `:${bound}`;
  }
  return { ok: true, text: { sql, parameters: [...parameters.values()] } };
}

/** The parameters of every statement. */
const AMBIENT = ['tagName', 'diagram', 'location'];

function problemOf(path: readonly string[], mode: SqlMode): string | null {
  const [name = '', ...members] = path;
  const written = `:${path.join('.')}`;
  if (members.length > 0 && name !== 'value') return `${written}: only the value has members, as in :value.name`;
  if (mode === 'write' || AMBIENT.includes(name)) return null;
  return `${written}: a read has ${listOf(AMBIENT.map((one) => `:${one}`))}, but no value`;
}

function* tokensOf(text: string): Generator<Token> {
  let at = 0;
  while (at < text.length) {
    const token = tokenAt(text, at);
    yield token;
    at += token.text.length;
  }
}

function tokenAt(text: string, at: number): Token {
  if (text[at] === ';') return { kind: 'semicolon', text: ';' };
  for (const [kind, pattern] of TOKENS) {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    if (found) return { kind, text: found };
  }
  throw new Error('every character belongs to a token');
}

function listOf(words: readonly string[]): string {
  return `${words.slice(0, -1).join(', ')} or ${words.at(-1) ?? ''}`;
}

const no = (reason: string): CheckedSql => ({ ok: false, reason });
