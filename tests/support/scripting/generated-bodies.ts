/**
 * Bodies of scripts with most of what the language has: they end, and what they compute depends on nothing else.
 * `random` returns numbers in [0, 1).
 */
export function generatedBody(random: () => number): string {
  return new BodyGenerator(random).body();
}

type Make = () => string;

interface Place {
  isLoop: boolean;
  isGenerator: boolean;
  isAsync: boolean;
  isFunction: boolean;
  labels: string[];
}

class BodyGenerator {
  readonly #random: () => number;
  /** Variables in scope, and whether they can be assigned. */
  #names: { name: string; canAssign: boolean }[] = [];
  #count = 0;
  #depth = 0;
  /** In loops, `break` and `continue` are possible; in generators `yield`, in async functions `await`. */
  #place: Place = { isLoop: false, isGenerator: false, isAsync: true, isFunction: true, labels: [] };
  #isStrict = false;

  constructor(random: () => number) {
    this.#random = random;
  }

  body(): string {
    this.#isStrict = this.#chance(0.3);
    const directive = this.#isStrict ? this.#pick(['"use strict";', "'use strict'\n", '"use strict" // strict\n']) : '';
    const statements = this.#statements(2 + this.#below(6));
    const seen = this.#names.map(({ name }) => name).join(', ');
    return `${directive}${this.#blank()}${statements}${this.#blank()}return [${seen}].map((x) => typeof x === 'function' ? String(x) : x)`;
  }

  #below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }

  #chance(share: number): boolean {
    return this.#random() < share;
  }

  #pick<T>(some: readonly T[]): T {
    return some[this.#below(some.length)] as T;
  }

  #fresh(): string {
    this.#count += 1;
    return `${this.#pick(['a', 'b', 'val', '$x', 'ñ', '_'])}${this.#count}`;
  }

  #declare(name: string, canAssign = true): string {
    this.#names.push({ name, canAssign });
    return name;
  }

  /** White space and comments between two statements. */
  #blank(): string {
    return this.#pick(['\n', '\n', ' ', '\n\n', ' /* note */ ', ' // note\n', '\r\n', '\u2028', '\n  ']);
  }

  /** Ends a statement: with a semicolon, or without one before a line that cannot continue it. */
  #end(): string {
    return this.#chance(0.7) ? ';' : '\n';
  }

  #inScope<T>(make: () => T): T {
    const names = [...this.#names];
    const made = make();
    this.#names = names;
    return made;
  }

  #within<T>(place: Partial<Place>, make: () => T): T {
    const before = this.#place;
    this.#place = { ...before, ...place };
    try {
      return make();
    } finally {
      this.#place = before;
    }
  }

  #statements(count: number): string {
    const all: string[] = [];
    for (let index = 0; index < count; index += 1) all.push(this.#statement());
    return all.join(this.#blank());
  }

  #block(): string {
    return this.#inScope(() => `{${this.#blank()}${this.#statements(this.#below(4))}${this.#blank()}}`);
  }

  /** A statement that may have no braces. */
  #single(): string {
    if (this.#chance(0.5)) return this.#block();
    return this.#pick<Make>([
      () => `${this.#expression()};`,
      () => this.#assign(),
      () => `console.log(${this.#expression()});`,
      () => ';',
      () => this.#leave(),
      () => `if (${this.#expression()}) ${this.#single()}`,
    ])();
  }

  #statement(): string {
    if (this.#depth > 4) return this.#simple();
    this.#depth += 1;
    try {
      return this.#pick<Make>([
        () => this.#simple(),
        () => this.#simple(),
        () => this.#simple(),
        () => this.#simple(),
        () => this.#if(),
        () => this.#loop(),
        () => this.#loop(),
        () => this.#switch(),
        () => this.#try(),
        () => this.#try(),
        () => this.#function(),
        () => this.#function(),
        () => this.#class(),
        () => this.#block(),
        () => this.#labeled(),
        () => this.#using(),
        () => this.#sloppy(),
      ])();
    } finally {
      this.#depth -= 1;
    }
  }

  #simple(): string {
    return this.#pick<Make>([
      () => this.#let(),
      () => this.#let(),
      () => this.#assign(),
      () => this.#assign(),
      () => `console.log(${this.#expression()}, ${this.#expression()})${this.#end()}`,
      () => `;[${this.#expression()}].forEach((x) => x)${this.#end()}`,
      () => this.#destructuring(),
      () => `;(${this.#expression()})${this.#end()}`,
      () => `${this.#template()}${this.#end()}`,
      () => this.#leave(),
      () => this.#eval(),
      () => `console.log(TagValueManager.Get(['Plant.Line.Tag.Value']).Value[0].Value)${this.#end()}`,
      () => `TagValueManager.Set([{ tag: 'Plant.Line.Tag.Value', value: ${this.#operand()} }]);`,
      () => (this.#place.isGenerator ? `yield ${this.#expression()};` : `void ${this.#operand()};`),
      () => (this.#place.isAsync ? `await ${this.#operand()};` : ';'),
    ])();
  }

  #let(): string {
    const [keyword, value] = [this.#pick(['let', 'const', 'var']), this.#expression()];
    if (this.#chance(0.2)) {
      const [first, second] = [this.#fresh(), this.#fresh()];
      this.#declare(first, keyword !== 'const');
      this.#declare(second, keyword !== 'const');
      return `${keyword} ${first} = ${value}, ${second} = ${this.#operand()}${this.#end()}`;
    }
    return `${keyword} ${this.#declare(this.#fresh(), keyword !== 'const')} = ${value}${this.#end()}`;
  }

  #assign(): string {
    const target = this.#pick(this.#names.filter(({ canAssign }) => canAssign).concat({ name: '', canAssign: true }));
    if (target.name === '') return `${this.#expression()};`;
    const operator = this.#pick(['=', '+=', '-=', '??=', '||=', '&&=']);
    if (this.#chance(0.15)) return `\n++${target.name}\n`;
    return `${target.name} ${operator} ${this.#expression()}${this.#end()}`;
  }

  #destructuring(): string {
    const [first, second, rest] = [this.#fresh(), this.#fresh(), this.#fresh()];
    const source = `{ get ${first}() { console.log('read'); return ${this.#operand()} }, ${rest}: 3 }`;
    const text = this.#pick([
      `let { ${first} = ${this.#operand()}, ${second} = (console.log('default'), ${this.#operand()}), ...${rest} } = ${source};`,
      `const [${first}, , ${second} = (() => ${this.#operand()})(), ...${rest}] = [${this.#operand()}, 2, , 4, 5];`,
    ]);
    for (const name of [first, second, rest]) this.#declare(name, text.startsWith('let'));
    return text;
  }

  /** Leaves a loop, a block or a function, or throws. */
  #leave(): string {
    const { isLoop, labels, isFunction } = this.#place;
    const ways: Make[] = [() => `${this.#expression()};`, () => `${this.#expression()};`];
    if (isLoop) ways.push(() => `if (${this.#operand()}) ${this.#pick(['break', 'continue'])};`);
    if (labels.length > 0) ways.push(() => `if (${this.#operand()}) break ${this.#pick(labels)}\n`);
    if (isFunction && this.#chance(0.3)) ways.push(() => `if (${this.#operand()}) return ${this.#expression()};`);
    if (this.#chance(0.3)) {
      ways.push(
        () =>
          `if (${this.#operand()}) throw new ${this.#pick(['Error', 'TypeError'])}('thrown ' + ${this.#operand()});`,
      );
      ways.push(() => `null.x${this.#end()}`);
    }
    return this.#pick(ways)();
  }

  #if(): string {
    const otherwise = this.#pick<Make>([
      () => '',
      () => ` else ${this.#single()}`,
      () => ` else if (${this.#expression()}) ${this.#block()} else ${this.#block()}`,
    ]);
    return `if (${this.#expression()}) ${this.#block()}${otherwise()}`;
  }

  #loop(): string {
    const name = this.#fresh();
    const limit = 1 + this.#below(4);
    return this.#within({ isLoop: true }, () =>
      this.#inScope(() =>
        this.#pick<Make>([
          () => `for (let ${name} = 0; ${name} < ${limit}; ${name}++) ${this.#withName(name, false)}`,
          () => `for (const ${name} of [1, 2, ${this.#operand()}]) ${this.#withName(name, false)}`,
          () => `for (const ${name} in { x: 1, y: 2 }) ${this.#withName(name, false)}`,
          () => `for (const [${name}] of [[1], [${this.#operand()}]]) ${this.#withName(name, false)}`,
          () => `let ${name} = 0; while (${name}++ < ${limit}) ${this.#withName(name, false)}`,
          () => `let ${name} = 0; do ${this.#withName(name, false)} while (${name}++ < ${limit})\n`,
          () =>
            this.#place.isAsync
              ? `for await (const ${name} of [Promise.resolve(1), ${this.#operand()}]) ${this.#withName(name, false)}`
              : `for (var ${name} = 0, end${name} = 2; ${name} < end${name}; ${name}++) ${this.#single()}`,
          () =>
            `const fs${name} = []; for (let ${name} = 0; ${name} < 2; ${name}++) fs${name}.push(() => ${name}++);\nconsole.log(fs${name}.map((f) => [f(), f()]));`,
        ])(),
      ),
    );
  }

  #withName(name: string, canAssign: boolean): string {
    return this.#inScope(() => {
      this.#declare(name, canAssign);
      return this.#single();
    });
  }

  #switch(): string {
    const cases = this.#inScope(() =>
      Array.from({ length: 1 + this.#below(3) }, (_, index) => {
        const text = this.#within({ isLoop: false }, () => this.#statements(this.#below(3)));
        // Names of one case are not initialized in the next.
        this.#names = this.#names.filter(({ name }) => !text.includes(name));
        return `case ${this.#chance(0.3) ? this.#operand() : index}:\n${text}${this.#chance(0.6) ? '\nbreak;' : ''}`;
      }),
    );
    const other = this.#chance(0.5) ? `\ndefault: ${this.#block()}` : '';
    return `switch (${this.#operand()}) {\n${cases.join('\n')}${other}\n}`;
  }

  #try(): string {
    const guarded = this.#block();
    const name = this.#fresh();
    const handler = this.#pick<Make>([
      () =>
        ` catch (${name}) {\nconsole.log('caught', ${name}?.message ?? ${name});${this.#blank()}${this.#inScope(() => this.#statements(this.#below(3)))}\n}`,
      () => ` catch {${this.#blank()}${this.#inScope(() => this.#statements(this.#below(3)))}\n}`,
      () => ` catch ({ message: ${name} = 'none' }) { console.log(${name}) }`,
    ]);
    const last = ` finally {${this.#blank()}${this.#inScope(() => this.#within({ isFunction: false, isLoop: false, labels: [] }, () => this.#statements(this.#below(3))))}\n}`;
    return this.#pick<Make>([() => `try ${guarded}${handler()}`, () => `try ${guarded}${handler()}${last}`])();
  }

  #parameters(): string[] {
    return Array.from({ length: this.#below(3) }, () => this.#fresh());
  }

  #functionBody(names: readonly string[], place: Partial<{ isGenerator: boolean; isAsync: boolean }>): string {
    return this.#inScope(() =>
      this.#within(
        { isLoop: false, isGenerator: false, isAsync: false, isFunction: true, labels: [], ...place },
        () => {
          for (const name of names) this.#declare(name);
          return `{${this.#blank()}${this.#statements(1 + this.#below(3))}${this.#blank()}return ${this.#expression()} }`;
        },
      ),
    );
  }

  #function(): string {
    const name = this.#fresh();
    const names = this.#parameters();
    const parameters = names.map((one) => this.#pick([one, `${one} = ${this.#operand()}`])).join(', ');
    const body = (place = {}): string => this.#functionBody(names, place);
    const given = names.map(() => this.#operand()).join(', ');
    const log = (value: string): string => `console.log(${value});`;
    return this.#pick<Make>([
      () => `function ${name}(${parameters}) ${body()}\n${log(`${name}(${given})`)}`,
      () => `const ${name} = (${parameters}) => ${body()};${log(`${name}(${given})`)}`,
      () => `const ${name} = (x) => (${this.#expression()}, x);${log(`${name}(1)`)}`,
      () => `const ${name} = x => ({ x, y: ${this.#operand()} })\n${log(`${name}(1)`)}`,
      () => `function* ${name}(${parameters}) ${body({ isGenerator: true })}\n${log(`[...${name}(${given})]`)}`,
      () =>
        this.#place.isAsync
          ? `async function ${name}(${parameters}) ${body({ isAsync: true })}\n${log(`await ${name}(${given})`)}`
          : `function ${name}() { return new.target === undefined }\n${log(`${name}()`)}`,
      () =>
        this.#place.isAsync
          ? `async function* ${name}() ${body({ isAsync: true, isGenerator: true })}\nfor await (const x of ${name}()) console.log(x);`
          : `var ${name} = function self(n) { return n > 0 ? self(n - 1) + 1 : 0 };${log(`${name}(3)`)}`,
      () =>
        `const ${name} = { m(${parameters}) ${body()}, get g() ${body()}, set g(v) { this.h = v } };${name}.g = 4;${log(`[${name}.m(${given}), ${name}.g, ${name}.h]`)}`,
      () => `function ${name}(${parameters}) ${body()}\n${log(`String(${name}) + ${name}.length + ${name}.name`)}`,
    ])();
  }

  #class(): string {
    const name = `C${this.#fresh()}`;
    const value = this.#operand();
    return this.#pick<Make>([
      () =>
        `class ${name} { #p = ${value}; static s = ${this.#operand()}; constructor() { this.t = new.target.name; } get p() ${this.#functionBody([], {})} static { this.q = this.s } has(o) { return #p in o } }\nconst i${name} = new ${name}();console.log(i${name}.t, i${name}.has(i${name}), ${name}.q, i${name}.p);`,
      () =>
        `class ${name} extends Array { constructor() { console.log('before'); super(); this.v = ${value} } last() { return super.at(-1) } }\nconsole.log(new ${name}().v, String(${name}));`,
      () =>
        `const ${name} = class { f = () => this.g; g = ${value}; static async *[\`k\${1}\`]() { yield 1 } };console.log(new ${name}().f());`,
    ])();
  }

  #labeled(): string {
    const label = `l${this.#fresh()}`;
    return this.#within(
      { labels: [...this.#place.labels, label] },
      () =>
        `${label}: ${this.#pick<Make>([() => this.#block(), () => `for (const q of [1, 2]) ${this.#within({ isLoop: true }, () => this.#block())}`])()}`,
    );
  }

  #using(): string {
    const name = this.#fresh();
    return `{ using ${name} = { [Symbol.dispose]() { console.log('disposed') } };${this.#blank()}${this.#inScope(() => this.#statements(this.#below(3)))}\n}`;
  }

  #sloppy(): string {
    if (this.#isStrict) return `console.log((function () { return typeof this })());`;
    return this.#pick<Make>([
      () => `with ({ w: ${this.#operand()} }) { console.log(w) }`,
      () => `console.log((function (x) { arguments[0] = 9; return x })(1));`,
      () => `if (${this.#operand()}) { function ${this.#fresh()}() {} }`,
      () => `console.log(typeof function () { return this }());`,
    ])();
  }

  #eval(): string {
    return this.#pick<Make>([
      () => `console.log(eval('1 + ' + ${JSON.stringify(this.#operand())}));`,
      () => `console.log((0, eval)('typeof tagName'));`,
      () => `console.log(typeof eval('(function () { return 1 })'));`,
    ])();
  }

  #template(): string {
    return `console.log(\`a\${${this.#expression()}}\nb\${\`\${${this.#operand()}}\`}\`)`;
  }

  #operand(): string {
    const known = this.#names.map(({ name }) => name);
    return this.#pick(['0', '1', '2', "'s'", 'null', 'undefined', 'true', ...known, ...known]);
  }

  #expression(): string {
    if (this.#depth > 4) return this.#operand();
    this.#depth += 1;
    try {
      return this.#pick<Make>([
        () => this.#operand(),
        () => this.#operand(),
        () => `${this.#operand()} ${this.#pick(['+', '-', '===', '<', '&&', '||', '??', '%'])} ${this.#operand()}`,
        () => `(${this.#expression()}, ${this.#operand()})`,
        () => `(${this.#operand()} ? ${this.#expression()} : ${this.#operand()})`,
        () => `[${this.#expression()}, ...[${this.#operand()}]]`,
        () => `({ p: ${this.#expression()}, [${this.#operand()}]: 1 }).p`,
        () => `((x) => ${this.#operand()})(${this.#expression()})`,
        () => `(function () { return ${this.#operand()} })()`,
        () => `(() => { return ${this.#operand()} })()`,
        () => `\`t\${${this.#expression()}}\``,
        () => `${this.#operand()}?.length`,
        () => (this.#place.isAsync ? `(await ${this.#operand()})` : `(${this.#operand()})`),
        () => (this.#place.isGenerator ? `(yield ${this.#operand()})` : `[1, 2].map((x) => x + ${this.#operand()})`),
        () => `((s, ...v) => s.raw.join('|') + v)\`a\${${this.#operand()}}b\``,
      ])();
    } finally {
      this.#depth -= 1;
    }
  }
}
