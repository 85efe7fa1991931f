// Creates the package resources/fluent-icons: `npm run fluent-icons`. It replaces @fluentui/react-icons, which has 47,000
// files (300 MB) for 26,000 icons. It contains the icons that the product and Fluent's components use, unchanged. Run it
// again when an icon is added to src-renderer/ui/icons.ts or Fluent is updated.
import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

/** The upstream release of the icons. */
const UPSTREAM = '2.0.344';
const PACKAGE = '@fluentui/react-icons';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = join(root, 'resources', 'fluent-icons');

/** The names that JavaScript and TypeScript files import from the package, or re-export. */
function usedNames(files) {
  const statement = new RegExp(`(?:import|export)\\s*\\{([^}]*)\\}\\s*from\\s*['"]${PACKAGE}(?:/[^'"]*)?['"]`, 'gu');
  return files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(statement)].flatMap(([, names = '']) =>
      names.split(',').flatMap((name) => name.trim().split(/\s+as\s+/u)[0] || []),
    ),
  );
}

const components = globSync('node_modules/@fluentui/*/lib/**/*.js', { cwd: root });
const names = [...new Set(usedNames(['src-renderer/ui/icons.ts', ...components].map((file) => join(root, file))))];
// The icons first, then functions and contexts, each in order.
names.sort((a, b) => Number(/^[a-z]|Context/u.test(a)) - Number(/^[a-z]|Context/u.test(b)) || (a < b ? -1 : 1));
const icons = names.filter((name) => /(?:Regular|Filled)$/u.test(name));

const work = mkdtempSync(join(tmpdir(), 'fluent-icons-'));
try {
  writeFileSync(join(work, 'package.json'), '{ "private": true, "type": "module" }');
  execFileSync('npm', ['install', '--no-audit', '--no-fund', `${PACKAGE}@${UPSTREAM}`, 'react'], {
    cwd: work,
    stdio: 'inherit',
  });
  const others = names.filter((name) => name !== 'IconDirectionContextProvider');
  writeFileSync(
    join(work, 'index.js'),
    `export { ${others.join(', ')} } from '${PACKAGE}';\nexport { IconDirectionContextProvider } from '${PACKAGE}/lib/providers';\n`,
  );
  await build({
    configFile: false,
    root: work,
    logLevel: 'warn',
    build: {
      outDir: folder,
      emptyOutDir: false,
      minify: false,
      target: 'esnext',
      lib: { entry: join(work, 'index.js'), formats: ['es'], fileName: 'index' },
      rolldownOptions: { external: [/^react(?:\/|$)/u, /^@griffel\//u, 'tslib'] },
    },
  });
} finally {
  rmSync(work, { recursive: true });
}

const generated = `// Made by resources/bin/fluent-icons.mjs of ${PACKAGE} ${UPSTREAM} (MIT license, see LICENSE).\n`;
const code = join(folder, 'index.js');
// Without comments that contain the temporary folder.
const bundle = readFileSync(code, 'utf8').replaceAll(/^\/\/ .*node_modules\/.*\n/gmu, '');
writeFileSync(code, generated + bundle);
writeFileSync(
  join(folder, 'index.d.ts'),
  `${generated}import type { ComponentType, ReactNode, SVGAttributes } from 'react';

export type FluentIcon = ComponentType<SVGAttributes<SVGElement> & { primaryFill?: string; title?: string; filled?: boolean }>;

${icons.map((name) => `export declare const ${name}: FluentIcon;`).join('\n')}

export declare function bundleIcon(filled: FluentIcon, regular: FluentIcon): FluentIcon;
export declare const iconFilledClassName: string;
export declare const iconRegularClassName: string;
export declare const IconDirectionContextProvider: ComponentType<{ value: { textDirection?: 'ltr' | 'rtl' }; children?: ReactNode }>;
`,
);
console.log(`${icons.length} icons of ${PACKAGE} ${UPSTREAM} are in ${folder}`);
