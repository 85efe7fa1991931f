// The workbench while you edit it: `npm run dev [-- --workspace DIR]`.
//
// The page comes from Vite, which replaces a component within a second after you save it and keeps the state of the page.
// Main and its other processes run from their sources, without a bundle. Main restarts when one of them changes; the page
// then reconnects. Only the script host is a bundle, because it may read no other file: it is bundled again when one of
// its sources changes.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer as createNetServer } from 'node:net';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createServer } from 'vite';
import { bundleScriptHost, SCRIPT_HOST_FILE } from '../../src-main/scripting/sandbox/build/script-host.ts';
import { KEY_MEMBER, RPC_PROTOCOL, SESSION_PATH } from '../../src-preload/contract/browser-session.ts';
import { buildWhenStale } from './build-when-stale.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const workspace = optionOf('--workspace') ?? join(root, 'out', 'dev-workspace');

/** Sources of the script host: its rooms, and everything outside of them that they may import. */
const HOST_SOURCES =
  /^(?:src-main\/(?:scripting\/sandbox\/(?!supervisor\/|[^/]+$)|platform\/host-pipe\/)|src-preload\/domain\/)/u;
/** Delay after the last of several changes, such as those of a rename, in ms. */
const SETTLE_MS = 150;
/** How long main may take to save and stop, in ms. */
const STOP_MS = 10_000;

/**
 * The link gives a browser a session of two parts, like that of an instance (docs/operation/security.md): other users of
 * this machine can also connect to the port, and browsers send cookies to every port. The RPC also requires the key.
 */
const [token, session, key] = [1, 2, 3].map(() => randomBytes(24).toString('base64url'));
const cookie = `tagwright-dev=${session}`;
const mainPort = await freePort();

function optionOf(name) {
  const at = process.argv.indexOf(name);
  return at < 0 ? undefined : process.argv[at + 1];
}

/** A free port; main keeps it when it restarts. */
async function freePort() {
  const server = createNetServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return port;
}

/** The token for programs of the running main; empty while it starts. */
function tokenOfMain() {
  try {
    return JSON.parse(readFileSync(join(workspace, 'instance.json'), 'utf8')).token ?? '';
  } catch {
    return '';
  }
}

/** Whether a request has the name of this server and does not come from a page of another one. */
function isFromHere({ headers }) {
  const site = headers['sec-fetch-site'] ?? 'none';
  return (
    `http://${headers.host}` === origin() &&
    (headers.origin === undefined || headers.origin === origin()) &&
    (site === 'none' || site === 'same-origin')
  );
}

/** Whether it comes from the browser that opened the link. */
function isOurs(request) {
  return isFromHere(request) && (request.headers.cookie ?? '').split('; ').includes(cookie);
}

/** Whether its page also has the key, which it offers in addition to the protocol of the RPC. */
function hasKey({ headers }) {
  const offered = new Set((headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim()));
  return offered.has(RPC_PROTOCOL) && offered.has(key);
}

let main = null;
let ending = false;

function startMain() {
  const started = spawn(
    process.execPath,
    [
      '--disable-sigusr1',
      '--enable-source-maps',
      'src-main/headless.ts',
      'serve',
      '--ui-port',
      String(mainPort),
      '--workspace',
      workspace,
    ],
    { cwd: root, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] },
  );
  main = started;
  started.on('exit', (code) => {
    if (main !== started) return;
    main = null;
    if (!ending) console.error(`Main ended with exit code ${code}. It starts again when you save a file.`);
  });
}

async function stopMain() {
  const stopping = main;
  main = null;
  if (stopping === null) return;
  const ended = new Promise((resolve) => stopping.once('exit', resolve));
  stopping.kill('SIGTERM');
  const late = setTimeout(() => stopping.kill('SIGKILL'), STOP_MS);
  await ended;
  clearTimeout(late);
}

/** Restarts main, once for several changes in a row, and never twice at the same time. */
const changed = new Set();
let timer = null;
let restarting = Promise.resolve();
function restartSoon(file) {
  changed.add(relative(root, file).split(sep).join('/'));
  clearTimeout(timer);
  timer = setTimeout(() => {
    const files = [...changed];
    changed.clear();
    restarting = restarting.then(() => restart(files));
  }, SETTLE_MS);
}

async function restart(files) {
  const since = performance.now();
  let host = null;
  if (files.some((file) => HOST_SOURCES.test(file))) {
    try {
      host = await bundleScriptHost();
    } catch (error) {
      return console.error(error);
    }
  }
  await stopMain();
  if (ending) return undefined;
  if (host !== null) writeFileSync(join(root, 'out', 'main', SCRIPT_HOST_FILE), host);
  startMain();
  const names = files.length > 3 ? `${files.length} files` : files.join(', ');
  return console.log(`Main restarted after ${names} changed (${Math.round(performance.now() - since)} ms).`);
}

const problem = await buildWhenStale(root, process.execPath);
if (problem !== null) {
  console.error(problem);
  process.exit(1);
}
startMain();

const vite = await createServer({
  configFile: join(root, 'vite.config.ts'),
  clearScreen: false,
  logLevel: 'warn',
  cacheDir: join(root, 'out', 'vite'),
  server: {
    host: '127.0.0.1',
    port: Number(optionOf('--port') ?? 4862),
    cors: false,
    proxy: {
      '/rpc': {
        target: `http://127.0.0.1:${mainPort}`,
        ws: true,
        changeOrigin: true,
        // While main restarts, the page is refused and retries.
        bypass: (request) => (isOurs(request) && hasKey(request) && tokenOfMain() !== '' ? undefined : false),
        configure: (proxy) => {
          // As a program with the token of the instance, because browser sessions end with each restart of main.
          proxy.on('proxyReqWs', (request) => {
            request.removeHeader('origin');
            request.setHeader('authorization', `Bearer ${tokenOfMain()}`);
          });
        },
      },
    },
  },
  plugins: [{ name: 'tagwright:dev-access', configureServer: guard }],
});

function origin() {
  return `http://127.0.0.1:${vite.httpServer.address().port}`;
}

/** Exchanges the link for a session, and refuses requests and sockets without one. */
function guard(server) {
  const { httpServer } = server;
  // Before every other listener, because Vite accepts sockets of programs, which send no Origin, without a token.
  const emit = httpServer.emit.bind(httpServer);
  httpServer.emit = (event, ...values) => {
    if (event !== 'upgrade' || isOurs(values[0])) return emit(event, ...values);
    const [, socket] = values;
    socket.on('error', () => socket.destroy());
    socket.end('HTTP/1.1 401 Unauthorized\r\nConnection: close\r\nContent-Length: 0\r\n\r\n', () => socket.destroy());
    return true;
  };
  server.middlewares.use((request, response, next) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1');
    if (searchParams.get('token') === token && `http://${request.headers.host}` === origin()) {
      const headers = {
        Location: `/#${KEY_MEMBER}=${key}`,
        'Set-Cookie': `${cookie}; HttpOnly; SameSite=Strict; Path=/`,
      };
      response.writeHead(303, headers).end();
    } else if (!isOurs(request)) {
      response.writeHead(401, { 'Content-Type': 'text/plain' }).end('Open the link that npm run dev printed.');
    } else if (pathname === SESSION_PATH) {
      response.writeHead(request.headers.authorization === `Bearer ${key}` ? 204 : 401).end();
    } else next();
  });
}

await vite.listen();
vite.watcher.add([join(root, 'src-main'), join(root, 'src-preload')]);
for (const event of ['add', 'change', 'unlink']) {
  vite.watcher.on(event, (file) => {
    if (/[\\/]src-(?:main|preload)[\\/].*\.ts$/u.test(file)) restartSoon(file);
  });
}
console.log(`Workbench  ${origin()}/?token=${token}\nWorkspace  ${workspace}\nCtrl+C stops it.`);

async function end() {
  if (ending) return;
  ending = true;
  clearTimeout(timer);
  await Promise.all([stopMain(), vite.close()]);
  process.exit(0);
}

// Vite's own listener ends this process at once, before main has stopped.
process.removeAllListeners('SIGTERM');
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => void end());
