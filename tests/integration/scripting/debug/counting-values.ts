/**
 * Values that count when one of their hooks runs: `ran` has the name of each. Bound functions look like those of the
 * engine. Each value is called `v` and a number; `all` has them in containers.
 */
const VALUES = [
  '{ toString: hook("toString"), valueOf: hook("valueOf"), toJSON: hook("toJSON"), inspect: hook("inspect") }',
  '{ [Symbol.toPrimitive]: hook("toPrimitive") }',
  '{ get [Symbol.toStringTag]() { return note("toStringTag") }, get a() { return note("a getter") } }',
  '{ [Symbol.for("nodejs.util.inspect.custom")]: hook("inspect.custom") }',
  'new (class Plain { get name() { return note("a getter of a class") } get [Symbol.toStringTag]() { return note("toStringTag of a class") } })()',
  'Object.create(Object.create(null, { constructor: { get: hook("constructor") } }))',
  'Object.create({ get constructor() { return note("constructor of a literal") } })',
  'withAccessors(new (class M extends Map { constructor() { super([[1, 2]]) } })(), ["size", "forEach", "entries", "constructor", Symbol.iterator])',
  'withAccessors(new (class S extends Set { constructor() { super([1]) } })(), ["size", "forEach", "values", "constructor", Symbol.iterator])',
  'withMethods(new (class M extends Map {})(), ["forEach", "get", "entries", "size"])',
  'withAccessors(new (class A extends Array {})(1, 2, 3), ["length", "toString", "join", "constructor", Symbol.iterator])',
  'withMembers([1, 2], ["toString", "join", "map"])',
  'withAccessors(new (class E extends Error {})("too far"), ["name", "message", "stack", "cause", "constructor", "toString"])',
  'withMembers(new Error("own"), ["name", "message", "stack", "cause"])',
  'withMembers(new AggregateError([1], "many"), ["name", "message", "errors"])',
  'withAccessors(new (class D extends Date {})(0), ["getTime", "toString", "toISOString", "valueOf", "constructor", Symbol.toPrimitive])',
  'withMembers(new Date(0), ["getTime", "toString", "toISOString", Symbol.toPrimitive])',
  'withAccessors(new (class T extends Uint8Array {})(4), ["length", "byteLength", "buffer", "constructor", Symbol.toStringTag, Symbol.iterator])',
  'withMembers(new Float64Array(2), ["length", "byteLength", "toString"])',
  'withAccessors(new (class B extends ArrayBuffer {})(8), ["byteLength", "constructor", Symbol.toStringTag])',
  'withMembers(new DataView(new ArrayBuffer(8)), ["byteLength", "buffer"])',
  'withAccessors(new (class R extends RegExp {})("x", "g"), ["source", "flags", "global", "toString", "constructor"])',
  'withMembers(/own/gi, ["source", "flags", "toString", Symbol.toPrimitive])',
  'withMembers(Object(1), ["valueOf", "toString", Symbol.toPrimitive])',
  'withMembers(Object("text"), ["valueOf", "toString", Symbol.toPrimitive])',
  'withMembers(Object(true), ["valueOf", "toString"])',
  'withMembers(Object(1n), ["valueOf", "toString", "toJSON"])',
  'withMembers(Object(Symbol("s")), ["valueOf", "toString", "description"])',
  'withMembers(new URL("http://x/"), ["href", "toString"])',
  'withAccessors(new (class P extends Promise {})(() => {}), ["then", "constructor", Symbol.toStringTag])',
  'withMembers(new WeakMap(), ["get", "has"])',
  'withMembers((function* () {})(), ["next", Symbol.iterator, Symbol.toStringTag])',
  'withMembers(function named() {}, ["name", "toString", "length", Symbol.toPrimitive, Symbol.hasInstance])',
  'class { static get name() { return note("the name of a class") } static toString() { return note("toString of a class") } }',
  'proxyOf({})',
  'proxyOf([1])',
  'proxyOf(function () {})',
  'proxyOf(new Map())',
  'Object.create(proxyOf({}))',
  'Object.setPrototypeOf([1], proxyOf(Array.prototype))',
  'Object.setPrototypeOf(new Map([[1, 1]]), proxyOf(Map.prototype))',
  'Object.setPrototypeOf(new Error("e"), proxyOf(Error.prototype))',
  'Object.setPrototypeOf(new Date(0), proxyOf(Date.prototype))',
  'Object.create({ constructor: proxyOf(class {}) })',
  'Object.create(null, { [Symbol.toStringTag]: { get: hook("own toStringTag") } })',
  'Object.create(Map.prototype)',
  'Object.create(withAccessors(new Map(), ["size"]))',
];

/** A body that makes all values; its lines are those of `VALUES`, and then `return` and what it returns. */
export function bodyOfValues(returns: string): string {
  return [
    'const ran = [], note = (name) => { ran.push(name); return 1 }, hook = (name) => function () { return note(name) }.bind(null), ' +
      'place = (name) => String(name), ' +
      'define = (object, of, names, kind) => { for (const name of names) Object.defineProperty(object, name, kind(hook(`${of} ${place(name)}`))); }, ' +
      'withAccessors = (value, names) => (define(Object.getPrototypeOf(value), "accessor", names, (get) => ({ get, configurable: true })), value), ' +
      'withMethods = (value, names) => (define(Object.getPrototypeOf(value), "method", names, (value) => ({ value, configurable: true })), value), ' +
      'withMembers = (value, names) => (define(value, "own accessor", names.filter((name) => Object.getOwnPropertyDescriptor(value, name)?.configurable !== false), (get) => ({ get, configurable: true })), value), ' +
      'proxyOf = (target) => new Proxy(target, new Proxy({}, { get: (_, trap) => note(`the trap ${trap}`) && undefined }));',
    ...VALUES.map((value, index) => `const v${index} = ${value};`),
    `const all = [${VALUES.map((_, index) => `v${index}`).join(', ')}];`,
    'const inside = { list: all, map: new Map(all.map((one) => [one, one])), set: new Set(all), each: all.map((one) => ({ one })) };',
    'const errors = { cause: new Error("outer", { cause: v12 }) };',
    `ran.length = 0;`,
    `return ${returns};`,
  ].join('\n');
}

export const NAMES_OF_VALUES = VALUES.map((_, index) => `v${index}`);
/** The last line of a body of values. */
export const LAST_LINE = VALUES.length + 6;
