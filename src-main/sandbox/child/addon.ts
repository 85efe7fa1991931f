import type * as IsolatedVm from 'isolated-vm';

/** The isolated-vm module, under its own name for use as a namespace of types. */
export type { IsolatedVm };

/**
 * Loads isolated-vm from its package folder by absolute path: its own loader looks around in the file system, which a
 * host may not. Tries a local build first, then the prebuilt ones that fit this engine.
 */
export function loadIsolatedVm(packageFolder: string): typeof IsolatedVm {
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
      if (module.exports.ivm !== undefined) return module.exports.ivm;
    } catch (thrown) {
      problems.push(thrown instanceof Error ? thrown.message : String(thrown));
    }
  }
  throw new Error(`isolated-vm does not load: ${problems.join('; ')}`);
}
