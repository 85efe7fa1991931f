import { compileFunction } from 'node:vm';
import type { CallExpression, Node, Token } from 'acorn';
import { getLineInfo, parseExpressionAt, tokenizer, tokTypes } from 'acorn';
import { abbreviate } from '#domain/text/abbreviate';
import { problemOfTagPath } from '#domain/tag/tag-path';
import { messageOf } from '../../../platform/errors.ts';
import { boundNames, childrenOf, isOwnName } from './syntax.ts';
import type { Plainness } from './plain.ts';
import { KNOWN_GLOBALS, plainCheck } from './plain.ts';

/** Maximum length of an expression in characters. */
export const MAX_EXPRESSION_LENGTH = 10_000;
/** Prefix of the names in the program around the expressions. */
export const RESERVED = '$$';

const TAG = 'tag';
const QUALITY = 'quality';
const REFUSED_NODES: Readonly<Record<string, string>> = {
  AwaitExpression: 'await',
  YieldExpression: 'yield',
  ImportExpression: 'import()',
  MetaProperty: 'new.target',
  ThisExpression: 'this',
  Super: 'super',
};

/** A reference to a tag in an expression: `tag('Plant.Line.Speed.Value')`, or its quality. */
export interface TagReference {
  path: string;
  reads: 'value' | 'quality';
  start: number;
  end: number;
  /** The path alone, with its quotes. */
  literal: { start: number; end: number; line: number; column: number };
}

/** An expression that was parsed. */
export interface Expression extends Plainness {
  text: string;
  /** In the order of the text. */
  references: readonly TagReference[];
  /** Every tag that it refers to, once. */
  inputs: readonly string[];
  /** Inputs whose quality the expression checks itself. */
  handled: ReadonlySet<string>;
  /** Whether its value may change without a change of its inputs, because it uses the clock or random numbers. */
  volatile: boolean;
}

export type ParsedExpression = { ok: true; expression: Expression } | { ok: false; reason: string };

/**
 * Parses one JavaScript expression. It refers to tags by `tag('path')`, and to their qualities by `quality('path')`,
 * with the path as a literal, so that its dependencies are known without running it.
 */
export function parseExpression(text: string): ParsedExpression {
  if (text.length > MAX_EXPRESSION_LENGTH) {
    return refuse(`an expression has at most ${MAX_EXPRESSION_LENGTH} characters, but this one has ${text.length}`);
  }
  if (text.trim() === '') return refuse("write an expression, such as tag('Plant.Line.Speed.Value') / 60");
  let root: Node;
  try {
    root = parseExpressionAt(text, 0, { ecmaVersion: 'latest', locations: true, preserveParens: true });
    const rest = tokenAfter(text, root.end);
    if (rest !== null) {
      const { line, column } = getLineInfo(text, rest.start);
      return refuse(
        `not one expression: unexpected ${at(text, rest.start)} in line ${line}, column ${column + 1}. Write one expression, such as tag('Plant.Line.Speed.Value') / 60`,
      );
    }
    // The engine may support another version of the language than the parser; scripts are strict and asynchronous.
    if (!SIMPLE.test(text) || NOT_SIMPLE.test(text))
      compileFunction(`(async function () {'use strict';((${text}\n))})`);
    return analyze(text, root);
  } catch (thrown) {
    if (thrown instanceof RangeError || /stack space/.test(messageOf(thrown)))
      return refuse('the expression is nested too deeply');
    return refuse(`not an expression: ${abbreviate(describe(thrown), 200)}`);
  }
}

/**
 * Text that every version of the engine reads as the parser does, also in strict code: 50 µs of the 150 for an
 * expression are the engine's. It has no functions, assignments, escapes, comments,
 * big integers and numbers of another base.
 */
const SIMPLE = /^[\w\s.,()[\]?:'"+\-*/%<>=!&|]*$/;
const NOT_SIMPLE = /\b0[\dxob]|\dn|(?<![=!<>])=(?!=)|=>|<!|-->|\/[/*]|\bdelete\b/i;

/** The first token after a place; null if there is none. */
function tokenAfter(text: string, end: number): Token | null {
  if (text.slice(end).trim() === '') return null;
  // Blank before it, so that places are those of the text.
  const blank = text.slice(0, end).replaceAll(/[^\n\r\u2028\u2029]/g, ' ');
  const token = tokenizer(blank + text.slice(end), { ecmaVersion: 'latest' }).getToken();
  return token.type === tokTypes.eof ? null : token;
}

/** The text with every reference to `from` changed to `to`. */
export function renameReferences({ text, references }: Expression, from: string, to: string): string {
  let renamed = '';
  let done = 0;
  for (const { path, literal } of references) {
    if (path !== from) continue;
    const quote = text[literal.start] === '"' ? '"' : "'";
    renamed += text.slice(done, literal.start) + quoted(to, quote);
    done = literal.end;
  }
  return renamed + text.slice(done);
}

function analyze(text: string, root: Node): ParsedExpression {
  const references: TagReference[] = [];
  const handled = new Set<string>();
  const bound = boundNames(root);
  const plain = plainCheck(bound);
  let volatile = false;
  const waiting: { node: Node; parent: Node | null }[] = [{ node: root, parent: null }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { node, parent } = next;
    const word = REFUSED_NODES[node.type];
    if (word !== undefined) return refuse(`${word} cannot be used in an expression`);
    if ('async' in node && node.async === true) return refuse('an expression cannot use async functions');
    const reference = referenceOf(node);
    if (typeof reference === 'string') return refuse(reference);
    if (reference) {
      references.push(reference);
      if (reference.reads === 'quality') handled.add(reference.path);
      continue;
    }
    plain.look(node, parent);
    if (isOwnName(node, parent)) {
      const { name } = node;
      if (name === TAG || name === QUALITY) return refuse(`use a literal path: ${name}('Plant.Line.Speed.Value')`);
      if (name.startsWith(RESERVED) || name === 'eval' || name === 'arguments') {
        return refuse(`"${name}" cannot be used in an expression`);
      }
      if (!bound.has(name) && !KNOWN_GLOBALS.has(name)) {
        return refuse(`"${abbreviate(name, 60)}" is not known; name a tag as tag('Plant.Line.Speed.Value')`);
      }
      if (name === 'Date' || name === 'Math') volatile ||= name === 'Date' || text.includes('random');
    }
    for (const child of childrenOf(node)) waiting.push({ node: child, parent: node });
  }
  references.sort((a, b) => a.start - b.start);
  const inputs = [...new Set(references.map(({ path }) => path))];
  return { ok: true, expression: { text, references, inputs, handled, volatile, ...plain.result() } };
}

/** The reference in a node; null for other nodes; the reason if it is invalid. */
function referenceOf(node: Node): TagReference | string | null {
  if (!isCall(node) || !isIdentifier(node.callee)) return null;
  const { name } = node.callee;
  if (name !== TAG && name !== QUALITY) return null;
  const [argument, ...more] = node.arguments;
  const path = argument && more.length === 0 && !node.optional ? textOf(argument) : null;
  if (path === null || !argument) return `use one literal path: ${name}('Plant.Line.Speed.Value')`;
  const problem = problemOfTagPath(path);
  if (problem) return `${name}(${abbreviate(JSON.stringify(path), 80)}): ${problem}`;
  const { line, column } = argument.loc?.start ?? { line: 1, column: argument.start };
  return {
    path,
    reads: name === TAG ? 'value' : 'quality',
    start: node.start,
    end: node.end,
    literal: { start: argument.start, end: argument.end, line, column: column + 1 },
  };
}

function isCall(node: Node): node is CallExpression {
  return node.type === 'CallExpression';
}

function isIdentifier(node: Node): node is Node & { name: string } {
  return node.type === 'Identifier';
}

/** The value of a literal or a template without expressions. */
function textOf(node: Node): string | null {
  if (node.type === 'Literal' && 'value' in node && typeof node.value === 'string') return node.value;
  if (node.type !== 'TemplateLiteral') return null;
  const [only, ...more] = childrenOf(node);
  if (!only || more.length > 0 || only.type !== 'TemplateElement' || !('value' in only)) return null;
  const { value } = only;
  return typeof value === 'object' && value !== null && 'cooked' in value && typeof value.cooked === 'string'
    ? value.cooked
    : null;
}

function quoted(path: string, quote: string): string {
  const escaped = JSON.stringify(path).slice(1, -1).replaceAll('\\"', '"');
  return quote + escaped.replaceAll(quote, `\\${quote}`) + quote;
}

function at(text: string, index: number): string {
  return JSON.stringify(abbreviate(text.slice(index).trimStart(), 20));
}

/** The message of the parser, with a place for people: `Unexpected token in line 1, column 6`. */
function describe(thrown: unknown): string {
  return messageOf(thrown).replace(
    / \((\d+):(\d+)\)$/,
    (_, line, column) => ` in line ${line}, column ${Number(column) + 1}`,
  );
}

const refuse = (reason: string): ParsedExpression => ({ ok: false, reason });
