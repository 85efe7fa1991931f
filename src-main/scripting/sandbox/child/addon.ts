import Module from 'node:module';
import type * as IsolatedVm from 'isolated-vm';

/** The isolated-vm module, named for use as a namespace of types. */
export type { IsolatedVm };

/** The part of isolated-vm that a host needs. */
export type IsolateClasses = Pick<typeof IsolatedVm, 'Isolate' | 'Callback' | 'ExternalCopy'>;

/**
 * Loads isolated-vm from its package folder by absolute path: its own loader searches the file system, which a host
 * must not do. Tries a local build first, then the prebuilt ones for this engine. Drops the reference to the module
 * itself: its `NativeModule`, which cannot be deleted, could load any library past Node's permissions.
 */
export function loadIsolatedVm(packageFolder: string): IsolateClasses {
  const prebuilt = `${packageFolder}/prebuilds/${process.platform}-${process.arch}/isolated-vm.abi${process.versions.modules}`;
  const candidates = [
    `${packageFolder}/build/Release/isolated_vm.node`,
    `${prebuilt}.node`,
    `${prebuilt}.glibc.node`,
    `${prebuilt}.musl.node`,
  ];
  const problems: string[] = [];
  for (const file of candidates) {
    const module: { exports: { ivm?: typeof IsolatedVm } } = { exports: {} };
    try {
      process.dlopen(module, file);
      if (module.exports.ivm === undefined) continue;
      const { Isolate, Callback, ExternalCopy } = module.exports.ivm;
      return { Isolate, Callback, ExternalCopy };
    } catch (thrown) {
      problems.push(thrown instanceof Error ? thrown.message : String(thrown));
    }
  }
  throw new Error(`isolated-vm does not load: ${problems.join('; ')}`);
}

/** The members of `process` that load native code and modules, or affect other processes. */
const LOADERS = [
  'dlopen',
  'binding',
  '_linkedBinding',
  'getBuiltinModule',
  'mainModule',
  'execve',
  'kill',
  '_kill',
  '_debugProcess',
] as const;

/**
 * From here on, this process cannot load anything: no addon, no module of Node, no file. Guards against code that
 * escaped from the isolate.
 */
export function closeLoaders(): void {
  process.permission.drop('addon');
  const refuse = (name: string): never => {
    throw new Error(`a script host cannot load modules: ${name}`);
  };
  Module.registerHooks({ resolve: refuse, load: refuse });
  for (const name of LOADERS) Reflect.deleteProperty(process, name);
  for (const name of ['registerHooks', 'register']) Reflect.deleteProperty(Module, name);
}
