const PrimitiveProxy = Proxy;
const PrimitiveWeakSet = WeakSet;
const { construct, apply, get, defineProperty } = Reflect;
const { add: addMethod, has: hasMethod } = PrimitiveWeakSet.prototype;

const proxies = new PrimitiveWeakSet();

/** Whether reading the object would run code of the author. Known only after `trackProxies`. */
export function isProxy(object: object): boolean {
  return apply<object, [object], boolean>(hasMethod, proxies, [object]);
}

/**
 * Notes every proxy that the script makes, because the language cannot distinguish one from its target. For the script,
 * `Proxy` stays as it is: it is a proxy of itself.
 */
export function trackProxies(): void {
  const note = <T extends object>(proxy: T): T => {
    apply(addMethod, proxies, [proxy]);
    return proxy;
  };
  const { revocable } = PrimitiveProxy;
  const noted = new PrimitiveProxy(revocable, {
    apply: (method, receiver, given: [object, ProxyHandler<object>]) => {
      const made = apply(method, receiver, given) as { proxy: object };
      note(made.proxy);
      return made;
    },
  });
  const tracked = new PrimitiveProxy(PrimitiveProxy, {
    construct: (target, given: [object, ProxyHandler<object>]) => note(construct(target, given)),
    get: (target, name, receiver) => (name === 'revocable' ? noted : get(target, name, receiver)),
  });
  defineProperty(globalThis, 'Proxy', { value: tracked, writable: true, enumerable: false, configurable: true });
}
