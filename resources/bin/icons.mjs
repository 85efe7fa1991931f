// Creates the icons of packages, window and pages from one drawing, resources/icon/icon.svg: `npm run icons`.
// They are stored next to it, so that building and packaging need no browser.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { IconIcns, IconIco } from '@shockpkg/icon-encoder';
import { launchBrowser } from '../../tests/support/browser/browser.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = join(root, 'resources', 'icon');
/** px, as Windows requests them. */
const ICO_SIZES = [16, 20, 24, 32, 40, 48, 64, 256];
/** px, with their macOS names, in the order of the macOS tool. */
const ICNS_SIZES = [
  [64, 'ic12'],
  [128, 'ic07'],
  [256, 'ic13'],
  [256, 'ic08'],
  [16, 'ic04'],
  [512, 'ic14'],
  [512, 'ic09'],
  [32, 'ic05'],
  [1024, 'ic10'],
  [32, 'ic11'],
];
const PNG_SIZE = 512;

const svg = readFileSync(join(folder, 'icon.svg'), 'utf8');
const browser = await launchBrowser();
const page = await browser.newPage();

/** The drawing at a size in px, on a transparent background. */
async function picture(size) {
  await page.setViewportSize({ width: size, height: size });
  await page.setContent(`<style>body{margin:0}svg{display:block;width:${size}px;height:${size}px}</style>${svg}`);
  return page.screenshot({ omitBackground: true });
}

const ico = new IconIco();
for (const size of ICO_SIZES) await ico.addFromPng(await picture(size), null, true);
const icns = new IconIcns();
icns.toc = true;
for (const [size, type] of ICNS_SIZES) await icns.addFromPng(await picture(size), [type]);

writeFileSync(join(folder, 'icon.ico'), ico.encode());
writeFileSync(join(folder, 'icon.icns'), icns.encode());
writeFileSync(join(folder, 'icon.png'), await picture(PNG_SIZE));
// The icon that browsers show next to the title of a page.
writeFileSync(join(root, 'src-renderer', 'public', 'icon.svg'), svg);
await browser.close();
