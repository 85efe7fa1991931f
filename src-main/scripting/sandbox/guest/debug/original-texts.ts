import { append } from '../primordials.ts';

const FunctionPrototype = Function.prototype;
const { apply } = Reflect;
const { defineProperty } = Object;
const { toString: textMethod } = FunctionPrototype;
const { split: splitMethod, join: joinMethod } = { split: String.prototype.split, join: Array.prototype.join };

/**
 * Makes `Function.prototype.toString` return what the author wrote. Every text that was added to the body is between two
 * comments with the token.
 */
export function restoreTexts(token: string): void {
  const mark = `/*${token}*/`;
  const shown = new Proxy(textMethod, {
    apply: (method, receiver, given: unknown[]) => {
      const text = apply(method, receiver === shown ? method : receiver, given) as string;
      const parts = apply(splitMethod, text, [mark]) as string[];
      if (parts.length === 1) return text;
      const kept: string[] = [];
      for (let place = 0; place < parts.length; place += 2) append(kept, parts[place] as string);
      return apply(joinMethod, kept, ['']);
    },
  });
  defineProperty(FunctionPrototype, 'toString', {
    value: shown,
    writable: true,
    enumerable: false,
    configurable: true,
  });
}
