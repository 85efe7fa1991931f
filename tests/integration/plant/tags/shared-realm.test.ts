import { fc, SEED } from '../../../support/run/random.ts';
import { sampled, scaled } from '../../../support/run/scale.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Expression } from '../../../../src-main/plant/tags/calculation/expression.ts';
import { parseExpression } from '../../../../src-main/plant/tags/calculation/expression.ts';
import { IS_TAKEN, PLAIN_MEMBERS } from '../../../../src-main/plant/tags/calculation/plain.ts';
import { programOf } from '../../../../src-main/plant/tags/calculation/program.ts';
import type { ScriptPlant } from './script-plant.ts';
import { scriptPlant } from './script-plant.ts';

let plant: ScriptPlant;

beforeAll(async () => {
  plant = await scriptPlant();
  await plant.settings.update({ 'limits.scriptMs': 60_000, 'limits.totalMs': 120_000 });
  await plant.tag('Plant.List.Value', 'storage', 'Json', { initial: [{ n: 3, speed: 1 }, { n: 1 }, { n: 2 }] });
  await plant.tag('Plant.Key.Value', 'storage', 'String', { initial: 'constructor' });
  await plant.tag('Plant.Text.Value', 'storage', 'String', { initial: 'a secret of one expression' });
});
afterAll(() => plant.close());

/**
 * Every object that can be reached in a realm, each with a path to it: over members, prototypes and the results of
 * accessors and functions, starting with the global object and a value of every sort that the language has.
 */
const WALK = `const walk = (() => {
  const { getOwnPropertyDescriptors, getPrototypeOf } = Object, { ownKeys, apply, construct } = Reflect, Text = String;
  const isObject = (value) => (typeof value === 'object' && value !== null) || typeof value === 'function';
  const samples = {
    global: globalThis, list: [1], object: {}, text: Object('a'), number: Object(1), truth: Object(true), big: Object(1n),
    symbol: Object(Symbol()), arrow: () => 0, method: function () {}, generator: (function* () {})(),
    asyncGenerator: (async function* () {})(), asyncArrow: async () => 0, promise: (async () => {})(), pattern: /a/g,
    date: new Date(0), listIterator: [].values(), mapIterator: new Map().keys(), setIterator: new Set().keys(),
    textIterator: ''[Symbol.iterator](), matches: 'a'.matchAll(/a/g), helper: [].values().map((one) => one),
    wrapped: Iterator.from({ next() {} }), bytes: new Uint8Array(1), buffer: new ArrayBuffer(1), error: new Error(),
    instant: globalThis.Temporal && new Date(0).toTemporalInstant(), grouped: Object.groupBy([1], String),
    match: /a/d.exec('a'), parsed: JSON.parse('{"a":[1]}'), template: ((strings) => strings)\`a\`, class: class { #a = 1 },
  };
  const Seen = Map;
  return (from = samples) => {
    const found = new Seen(), waiting = Object.entries(from);
    while (waiting.length > 0) {
      const [way, value] = waiting.pop();
      if (!isObject(value) || found.has(value)) continue;
      found.set(value, way);
      waiting.push([way + '.[proto]', getPrototypeOf(value)]);
      for (const key of ownKeys(value)) {
        const { value: member, get, set } = Object.getOwnPropertyDescriptor(value, key);
        const name = way + '.' + Text(key);
        waiting.push([name, member], [name + '(get)', get], [name + '(set)', set]);
        if (get) try { waiting.push([name + '()', apply(get, value, [])]); } catch {}
      }
    }
    return found;
  };
})();
`;
/** Numbers for objects, and the members of every object, without its path. */
const FINGERPRINT = `const fingerprint = (() => {
  const { isExtensible, getOwnPropertyDescriptor, getPrototypeOf } = Object, { ownKeys } = Reflect, Text = String, stringify = JSON.stringify;
  return (objects) => {
    const numbers = new $$Map(objects.map((object, index) => [object, index]));
    const nameOf = (value) => numbers.get(value) ?? typeof value + ' ' + (typeof value === 'object' && value !== null || typeof value === 'function' ? 'new' : Text(value));
    return objects.map((object) => {
      const members = ownKeys(object).map((key) => {
        const { value, get, set, writable, enumerable, configurable } = getOwnPropertyDescriptor(object, key);
        return [Text(key), nameOf(value), nameOf(get), nameOf(set), writable, enumerable, configurable];
      });
      return stringify([isExtensible(object), nameOf(getPrototypeOf(object)), members]);
    });
  };
})();
`;

function expressions(texts: readonly string[]): { path: string; expression: Expression }[] {
  return texts.map((text, index) => {
    const parsed = parseExpression(text);
    if (!parsed.ok) throw new Error(`${text}: ${parsed.reason}`);
    return { path: `Try.C${index}.Value`, expression: parsed.expression };
  });
}

/** Runs the program of some expressions with more code around it. Returns the result of `last`. */
async function probed(texts: readonly string[], { before = '', between = '', last }: Record<string, string>) {
  const { body, slots } = programOf([expressions(texts)]);
  const [head = '', ...rest] = body.split(/(?=try \{ \$\$r\[0\])/);
  const text = before + head + between + rest.join('').replace(/return \$\$r;$/, () => last ?? '');
  const report = await plant.run(text, {
    context: {
      tagValue: {
        v: slots.map((path) => (path.includes('List') ? [3, 2, 1, { n: 1, deep: { a: [2, 1] } }] : 'constructor')),
        q: slots.map(() => 'Good'),
        s: texts.map(() => false),
      },
    },
  });
  if (report.status !== 'ok') throw new Error(JSON.stringify({ ...report.error, texts }).slice(0, 2_000));
  return report.result;
}

/** The open objects: no member leads there, or every access creates another one. */
const OPEN =
  /^(?!global\b)\w+$|^(parsed|match|grouped)\.|^(class|method)\.prototype$|^(asyncGenerator|generator)\.\[proto\]$|^instant\./;

/** What an attacker would try, and what the paths to it have in common. */
const HOSTILE = [
  "Number.__defineGetter__('parseFloat', Number.constructor('return()=>666')), 1",
  "[].constructor.constructor('Number.parseFloat = () => 666')()",
  "tag('Plant.List.Value')[tag('Plant.Key.Value')][tag('Plant.Key.Value')]('Number.parseFloat = () => 666')()",
  "(() => {})['const' + 'ructor']('Number.parseFloat = () => 666')()",
  "[(() => {}), 1].map((f) => f?.['const' + 'ructor']?.('Number.parseFloat = () => 666')?.())",
  "(({ constructor: { constructor: F } }) => F('Number.parseFloat = () => 666')())([])",
  "((k) => (({ [k]: { [k]: F } }) => F('Number.parseFloat = () => 666')())([]))('constructor')",
  "({ toString: () => 'constructor' }, [])[{ toString: () => 'constructor' }].prototype.map = () => 666",
  "[][['constructor']].prototype.map = () => 666",
  'Object.getPrototypeOf(new Date(0).toTemporalInstant()).toJSON = () => 666',
  'Object.getPrototypeOf([].values().map((x) => x)).next = () => ({ done: true })',
  'Object.getPrototypeOf(Object.getPrototypeOf([].values())).constructor.prototype.map = () => 666',
  "(Error.stackTraceLimit = 0, Error.prepareStackTrace = () => { Number.parseFloat = () => 666 }, new Error('x').stack)",
  "Object.getOwnPropertySymbols(Array.prototype)[0].constructor.for('x').constructor.prototype.x = 1",
  '((s) => s)`a`.raw.constructor.prototype.map = () => 666',
  'Object.getPrototypeOf(function* () {}).prototype.next = () => 666',
  'Object.getPrototypeOf(Uint8Array).prototype.at = () => 666',
  "Object.getOwnPropertyDescriptor(Object.getPrototypeOf(() => 0), 'caller').get.x = 666",
  '(([Number.parseFloat] = [() => 666]), 1)',
  '({ a: Number.parseFloat } = { a: () => 666 })',
  '(() => { for (Number.parseFloat of [() => 666]); })()',
  '((Reflect) => 1)(0), Reflect.set(Number, "parseFloat", () => 666)',
  '((Function) => 1)(0), Function("Number.parseFloat = () => 666")()',
  '((globalThis) => 1)(0), globalThis.Number = 1',
  '((Math) => (Math = 1))(0), Math = 1',
  "Object.fromEntries([['map', Number.parseFloat.call]]).map(1)",
  'JSON.parse(\'{"__proto__": 1}\', Object.defineProperty)',
  "tag('Plant.List.Value').map(Object.freeze)",
  "JSON.stringify(tag('Plant.List.Value'), [0].reverse)",
  "tag('Plant.List.Value').sort((a, b) => a.n - b.n)",
  "Array.prototype.sort.call(tag('Plant.List.Value'))",
  "[0].forEach(Array.prototype.reverse, tag('Plant.List.Value'))",
  "Object.assign(tag('Plant.List.Value')[0], { n: 666 })",
  "Date.prototype.setTime.constructor('Number.parseFloat = () => 666')()",
  '/(sec)(ret)/.exec("secret")',
];
const PROBES = [
  ["Number.parseFloat('12.5')", 12.5],
  ["tag('Plant.List.Value').map(({ n }) => n).join()", '3,1,2'],
  [
    "[...[1, 2].values().map((x) => x + 1)].join() + [1].at(0) + JSON.stringify(tag('Plant.List.Value')[0])",
    '2,31{"n":3,"speed":1}',
  ],
  [
    'typeof RegExp.$1 + RegExp.$1 + typeof new Date(0).toTemporalInstant().toJSON() + (() => { try { null.x } catch (e) { return typeof e.stack } })()',
    'stringstringstring',
  ],
] as const;

describe('expressions of one Get', () => {
  test.each(HOSTILE)('%s does not affect the others', async (hostile) => {
    const save = (path: string, expression: string) => plant.tag(path, 'calculation', 'Json', { expression });
    await save('Try.Hostile.Value', hostile);
    for (const [index, [expression]] of PROBES.entries()) await save(`Try.P${index}.Value`, expression);
    // With others that need a frozen realm, and with one that does not.
    for (const probes of [PROBES, PROBES.slice(0, 1)]) {
      const paths = probes.map((_, index) => `Try.P${index}.Value`);
      const values = await plant.tags.get({ paths: ['Try.Hostile.Value', ...paths] });
      expect(values.slice(1).map(({ value }) => value)).toEqual(probes.map(([, value]) => value));
    }
  });

  test('that need another realm are evaluated alone, also on intermediate levels', async () => {
    const save = (path: string, expression: string) => plant.tag(path, 'calculation', 'Json', { expression });
    await save('Key.A.Value', "[1, 2][tag('Plant.Key.Value')].name + [1, 2]['len' + 'gth']");
    await save('Key.B.Value', "tag('Key.A.Value') + '!'");
    await save(
      'Key.C.Value',
      "tag('Key.B.Value') + ({ a: 1, Array2: 5 })[tag('Key.A.Value')] + tag('Plant.List.Value')[0]['spe' + 'ed']",
    );
    await save('Key.D.Value', "tag('Plant.List.Value')[1]['n'] + 1");
    const values = await plant.tags.get({ paths: ['Key.C.Value', 'Key.D.Value', 'Key.A.Value'] });
    expect(values.map(({ value }) => value)).toEqual(['Array2!51', 2, 'Array2']);
  });
});

describe('the realm that plain expressions share', () => {
  test('evaluates columns with the names of plain members', async () => {
    const column = (name: string) =>
      `({ name: 7, size: 8, sort: 9 })[${JSON.stringify(name.slice(0, 2))} + ${JSON.stringify(name.slice(2))}]`;
    const results = await probed([column('name'), column('size'), column('sort'), '1'], { last: 'return $$r;' });
    expect(results).toEqual([7, 8, { a: true }, 1]);
  });

  test('when frozen, contains nothing that can be changed except the listed objects', async () => {
    const open = await probed(["tag('Plant.List.Value').map((x) => x.n)", '1'], {
      before: WALK,
      between: 'const $$isFrozen = Object.isFrozen, $$Date = Date;\n',
      last: `const open = [];
        for (const [object, way] of walk()) if (!$$isFrozen(object)) open.push(way);
        for (const value of $$v) for (const [object] of walk({ value })) if (!$$isFrozen(object)) open.push('a value');
        return open;`,
    });
    expect((open as string[]).filter((way) => !OPEN.test(way))).toEqual([]);
    expect(open).toEqual(expect.arrayContaining(['list', 'instant.[proto]']));
  });

  test('leads only to the listed objects, over members of plain expressions', async () => {
    const loose = await probed(["tag('Plant.List.Value').n", '1'], {
      last: `const taken = ${IS_TAKEN}, listed = new $$Set(${JSON.stringify([...PLAIN_MEMBERS])}), found = new $$Map(), loose = [];
        const isObject = (value) => (typeof value === 'object' && value !== null) || typeof value === 'function';
        const isCode = ({ value, get }) => typeof (get ?? value) === 'function';
        const waiting = Object.entries({ Array, Boolean, Date, JSON, Map, Math, Number, Object, Set, String, parseInt, parseFloat, isNaN,
          isFinite, decodeURIComponent, encodeURIComponent, list: [1, [2]], object: { a: 1 }, arrow: () => 'a', text: 'a', number: 1, truth: true,
          date: new Date(0), pattern: /(?<a>a)/g, map: new Map([[1, 2]]), set: new Set([1]) });
        const samples = waiting.map(([, value]) => value).concat(undefined);
        while (waiting.length > 0) {
          const [way, value] = waiting.pop();
          if (value === undefined || value === null || found.has(value)) continue;
          found.set(value, way);
          for (let holder = Object(value); holder !== null; holder = Object.getPrototypeOf(holder)) {
            for (const name of Object.getOwnPropertyNames(holder)) {
              if (+name >= 0) continue;
              if (listed.has(name)) { try { waiting.push([way + '.' + name, value[name]]); } catch {} }
              else if (!taken(name) && isCode(Object.getOwnPropertyDescriptor(holder, name))) loose.push(way + '.' + name);
            }
          }
          if (typeof value === 'function' && way.split('.').length < 3)
            for (const receiver of samples) for (const given of samples) {
              try { const made = Reflect_apply(value, receiver, [given, given]); if (isObject(made) && way.length < 60) waiting.push([way + '(…)', made]); } catch {}
            }
        }
        return loose;`,
      before: 'const Reflect_apply = Reflect.apply;\n',
    });
    expect(loose).toEqual([]);
  });

  /** Expressions built from the parts of plain ones, from forbidden names, and from paths to those. */
  const generated = (() => {
    const name = fc.oneof(
      fc.constantFrom(...PLAIN_MEMBERS),
      fc.constantFrom('n', 'speed', 'deep', 'a', 'x', 'then', 'index', 'groups', 'lastIndex'),
      fc.constantFrom(
        'constructor',
        '__proto__',
        'prototype',
        '__defineGetter__',
        'push',
        'sort',
        'reverse',
        'call',
        'bind',
        'assign',
      ),
    );
    const { tree } = fc.letrec<{ tree: string }>((tie) => {
      const few = fc.array(tie('tree'), { maxLength: 3 }).map((all) => all.join(', '));
      const arrow = fc.tuple(
        fc.constantFrom('(x)', '(x, i)', '({ n, a: [b] = [] })', '(...x)', '([x, i] = [])'),
        tie('tree'),
      );
      return {
        tree: fc.oneof(
          { maxDepth: 6, withCrossShrink: true },
          fc.constantFrom(
            "tag('Plant.List.Value')",
            "tag('Plant.Key.Value')",
            'x',
            'i',
            'n',
            '0',
            '1',
            '-1',
            "'a'",
            "'constructor'",
            '/(.)/g',
            'null',
            '[]',
            '{}',
            'new Date(0)',
            'Math',
            'Object',
            'Array',
            'JSON',
            'Number',
            'String',
            'Date',
          ),
          fc.tuple(tie('tree'), name).map(([of, key]) => `(${of}).${key}`),
          fc.tuple(tie('tree'), name, few).map(([of, key, args]) => `(${of})?.${key}(${args})`),
          fc.tuple(tie('tree'), tie('tree'), few).map(([of, key, args]) => `(${of})[${key}](${args})`),
          fc.tuple(tie('tree'), tie('tree')).map(([of, key]) => `(${of})?.[${key}]`),
          arrow.map(([parameters, body]) => `(${parameters} => (${body}))`),
          fc.tuple(arrow, few).map(([[parameters, body], args]) => `(${parameters} => (${body}))(${args})`),
          fc
            .tuple(tie('tree'), fc.constantFrom('map', 'filter', 'reduce', 'flatMap', 'some', 'replace'), arrow)
            .map(([of, key, [parameters, body]]) => `(${of}).${key}(${parameters} => (${body}))`),
          fc.tuple(name, tie('tree'), tie('tree')).map(([key, one, two]) => `({ ${key}: ${one}, ...(${two}) })`),
          fc.tuple(tie('tree'), tie('tree')).map(([one, two]) => `[${one}, ...(${two})]`),
          fc
            .tuple(tie('tree'), fc.constantFrom('+', '-', '??', '&&', ',', '==', 'in', 'instanceof'), tie('tree'))
            .map(([one, by, two]) => `((${one}) ${by} (${two}))`),
          fc.tuple(fc.constantFrom('Array', 'Date', 'Map', 'Set'), few).map(([of, args]) => `new ${of}(${args})`),
          fc.tuple(fc.constantFrom('x', 'i', 'n', 'Math'), tie('tree')).map(([to, of]) => `(${to} = ${of})`),
        ),
      };
    });
    return tree.map((text) => `((x, i, n) => (${text}))(1, [], {})`);
  })();

  /** Every listed member of every sort of value, called with arguments that it might change or call. */
  const systematic = (() => {
    const list = "tag('Plant.List.Value')";
    const receivers = [
      list,
      `${list}[3].deep`,
      "'abc'",
      '1',
      '(() => 1)',
      '/b/g',
      'new Date(0)',
      'new Map([[1, 2]])',
      'new Set([1])',
      '[1].values()',
    ];
    const globals = [
      'Array',
      'Boolean',
      'Date',
      'JSON',
      'Map',
      'Math',
      'Number',
      'Object',
      'Set',
      'String',
      'parseInt',
    ];
    const given = [
      '',
      list,
      `${list}, ${list}`,
      `(x) => x, ${list}`,
      `Array.from, ${list}`,
      `${list}, "n", 5`,
      'Math, "round", (x) => 666',
    ];
    return [...receivers, ...globals].flatMap((receiver) =>
      [...PLAIN_MEMBERS].flatMap((name) => given.map((args) => `${receiver}?.${name}?.(${args})`)),
    );
  })();

  async function changed(texts: readonly string[]): Promise<unknown[]> {
    const plain = texts.filter((text) => {
      const parsed = parseExpression(text);
      return parsed.ok && parsed.expression.realm !== 'own';
    });
    const changes: unknown[] = [];
    for (let from = 0; from < plain.length; from += 1_000) {
      const part = plain.slice(from, from + 1_000);
      // The first lock must hold without the second one: nothing is frozen here.
      const found = await probed(part, {
        before: `${WALK}${FINGERPRINT}const frozen = new WeakSet();
          Object.freeze = (it) => (frozen.add(it), it);
          Object.isFrozen = (it) => frozen.has(it);\n`,
        between: 'const $$objects = [...walk().keys(), ...walk($$v).keys()], $$before = fingerprint($$objects);\n',
        last: `const after = fingerprint($$objects);
          return $$before.map((print, index) => (print === after[index] ? null : [print, after[index]])).filter((one) => one !== null);`,
      });
      changes.push(...(found as unknown[]));
    }
    return [...changes, plain.length > texts.length / 10 ? [] : 'too few are plain'].flat();
  }

  test('is the same before and after any plain expressions', async () => {
    expect(await changed(sampled(systematic, 2_000))).toEqual([]);
    expect(await changed(fc.sample(generated, { numRuns: scaled(1_000, 8_000), seed: SEED }))).toEqual([]);
    // The comparison detects a change.
    const push = PLAIN_MEMBERS as Set<string>;
    push.add('push');
    try {
      expect((await changed(["tag('Plant.List.Value').push(1)", '1'])).length).toBeGreaterThan(0);
    } finally {
      push.delete('push');
    }
  });
});
