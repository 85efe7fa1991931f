import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';

/**
 * The permissions that the renderer needs, and nothing more. `frame-ancestors` keeps it out of the frames of other
 * pages.
 */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "font-src 'self' data:",
  "img-src 'self' data:",
  "connect-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy': CONTENT_SECURITY_POLICY,
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
};

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.ttf': 'font/ttf',
  '.wasm': 'application/wasm',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
};

export interface RendererFile {
  body: Buffer<ArrayBuffer>;
  headers: Record<string, string>;
}

/** The built renderer as files by URL path. */
export interface RendererFiles {
  /**
   * The file of a URL path; the index for `/`, for every path without an extension (the views of the workbench) and for
   * Diagrams, whose names may contain dots; null if there is none. Compressed, if the client accepts gzip and the build
   * has compressed it.
   */
  find(pathname: string, accepted?: string): Promise<RendererFile | null>;
  /** Whether the page was rebuilt since the start, or is being built now: it would not match main. */
  isOutdated(): Promise<boolean>;
}

/**
 * Lists the directory once; a path that is not in the list is not served, so no path can lead out of the directory.
 * Built assets have a hash in their name and may be cached forever; the index must not be cached.
 */
export async function rendererFiles(directory: string): Promise<RendererFiles> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const paths = new Map(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((file) => [`/${relative(directory, file).split(sep).join('/')}`, file]),
  );
  const index = join(directory, 'index.html');
  const first = await textOf(index);
  return {
    isOutdated: async () => (await textOf(index)) !== first,
    find: async (pathname, accepted = '') => {
      const isView = extname(pathname) === '' || pathname.startsWith('/diagrams/');
      const path = paths.has(pathname) ? pathname : isView ? '/index.html' : null;
      const file = path === null ? undefined : paths.get(path);
      if (path === null || file === undefined) return null;
      const compressed = paths.get(`${path}.gz`);
      const isCompressed = compressed !== undefined && acceptsGzip(accepted);
      return {
        body: await readFile(isCompressed ? compressed : file),
        headers: {
          ...(compressed !== undefined && { Vary: 'Accept-Encoding' }),
          ...(isCompressed && { 'Content-Encoding': 'gzip' }),
          'Content-Type': TYPES[extname(path)] ?? 'application/octet-stream',
          'Cache-Control': path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-store',
        },
      };
    },
  };
}

/** Whether an Accept-Encoding allows gzip: `gzip`, `gzip;q=0.5` or `*`, but not `gzip;q=0`. */
function acceptsGzip(accepted: string): boolean {
  const weights = accepted.split(',').map((one) => {
    const [name = '', weight = 'q=1'] = one.split(';').map((part) => part.trim().toLowerCase());
    return [name, Number(weight.replace(/^q=/, ''))] as const;
  });
  const weightOf = (name: string) => weights.find(([coding]) => coding === name)?.[1];
  return (weightOf('gzip') ?? weightOf('*') ?? 0) > 0;
}

const textOf = (file: string): Promise<string | null> => readFile(file, 'utf8').catch(() => null);
