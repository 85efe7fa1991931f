/** What an SQL text is for: a read returns rows and changes nothing, a write changes rows. */
export type SqlMode = 'read' | 'write';

/** A statement that may be run; whether its tables exist is seen when it is. */
export interface SqlText {
  /** As it is given to SQLite: a member such as `:value.name` has become a parameter that SQLite knows. */
  sql: string;
  parameters: SqlParameter[];
}

export interface SqlParameter {
  /** As it is bound, without the colon. */
  bound: string;
  /** As people write it: `['value', 'name']`. */
  path: string[];
}

export type CheckedSql = { ok: true; text: SqlText } | { ok: false; reason: string };

/** Characters of one statement. */
export const MAX_SQL_LENGTH = 100_000;

/** Stands for the dot in the names of members: SQLite takes it for a letter, and nobody writes it. */
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
 * Checks the text of a statement without running it: one statement, of the right sort, with parameters that are named
 * as `:name`. Reads may name `:tagName`, `:diagram` and `:location`; writes also `:value`, its members as
 * `:value.name` or `:name`. The process that runs it refuses what this lets through and is not allowed.
 */
export function checkSql(given: string, mode: SqlMode): CheckedSql {
  if (given.length > MAX_SQL_LENGTH) return no(`a statement has at most ${MAX_SQL_LENGTH} characters`);
  if (given.includes('\0')) return no('there is a zero character in it');
  const tokens = [...tokensOf(given)];
  const unfinished = tokens.find(({ kind }) => kind === 'unfinished');
  if (unfinished) return no(`it ends inside of ${unfinished.text.slice(0, 20)}`);
  const meant = tokens.filter(({ kind }) => kind !== 'space');
  const end = meant.findIndex(({ kind }) => kind === 'semicolon');
  if (end >= 0 && meant.slice(end).some(({ kind }) => kind !== 'semicolon')) {
    return no('write one statement: there is more after the semicolon');
  }
  const [first] = meant;
  if (first === undefined || first.kind === 'semicolon') return no('write a statement');
  const word = first.text.toUpperCase();
  if (!FIRST_WORDS[mode].includes(word)) {
    return no(`a ${mode} statement begins with ${listOf(FIRST_WORDS[mode])}, and not with ${first.text.slice(0, 40)}`);
  }
  return withParameters(tokens, mode);
}

function withParameters(tokens: readonly Token[], mode: SqlMode): CheckedSql {
  const parameters = new Map<string, SqlParameter>();
  let sql = '';
  for (const { kind, text } of tokens) {
    if (kind !== 'parameter') {
      // What comes after the end is nothing.
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

/** What every statement may name. */
const AMBIENT = ['tagName', 'diagram', 'location'];

function problemOf(path: readonly string[], mode: SqlMode): string | null {
  const [name = '', ...members] = path;
  const written = `:${path.join('.')}`;
  if (members.length > 0 && name !== 'value') return `${written}: only the value has members, as in :value.name`;
  if (mode === 'write' || AMBIENT.includes(name)) return null;
  return `${written}: a read has ${listOf(AMBIENT.map((one) => `:${one}`))}, and no value`;
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
