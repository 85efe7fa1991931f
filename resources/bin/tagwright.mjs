#!/usr/bin/env node
// Starts Tagwright with the Node that comes with it, whatever Node runs this file (20 or later). In a checkout it
// builds first when the sources are newer than what was built.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildWhenStale, isBuiltHere, isFresh } from './build-when-stale.mjs';

const NEEDED_MAJOR = 26;
const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** @returns {string | null} the Node that comes with Tagwright, else the current one if it is new enough */
function findNode() {
  const shipped = join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  if (existsSync(shipped)) return shipped;
  return Number(process.versions.node.split('.')[0]) >= NEEDED_MAJOR ? process.execPath : null;
}

/** @param {string} message */
function fail(message) {
  process.stderr.write(`tagwright: ${message}\n`);
  process.exit(9);
}

const args = process.argv.slice(2);
const mayAskForHelp = args.length === 0 || args[0] === 'help' || args.some((arg) => arg === '--help' || arg === '-h');

/** Prints the help that the command line asks for, which needs no other process; returns whether it asks for one. */
async function helped() {
  // The bundles need it: Node 20.16 or later.
  if (!mayAskForHelp || !process.getBuiltinModule) return false;
  const { helpFor } = await import('../../out/main/help.js');
  const help = await helpFor(args, ownVersion());
  if (help === null) return false;
  process.stdout.write(help.out);
  process.stderr.write(help.err);
  process.exitCode = help.code;
  return true;
}

const ownVersion = () => JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version;

/** Their process stays: this one watches over it. */
const SERVING = new Set(['start', 'serve']);
const isOneProcess = Number(process.versions.node.split('.')[0]) === NEEDED_MAJOR && !SERVING.has(args[0] ?? '');

const node = findNode();
if (args.length === 1 && ['--version', '-v'].includes(args[0])) {
  process.stdout.write(`${ownVersion()}\n`);
} else if (node === null) {
  fail(`Node ${NEEDED_MAJOR}, which comes with Tagwright, is not installed. Run "npm ci" in ${root}.`);
} else {
  // SIGUSR1 makes Node open a debugger on loopback for every user of the machine, so both processes ignore it.
  process.on('SIGUSR1', () => undefined);
  const early = startedEarly(node);
  const isUpToDate = !isBuiltHere(root) || isFresh(root);
  if (!isUpToDate) early?.kill('SIGKILL');
  const problem = isUpToDate ? null : await buildWhenStale(root, node);
  if (problem !== null) fail(problem);
  if (!(await helped())) {
    if (isOneProcess) await import('../../out/main/headless.js');
    else supervise(isUpToDate && early ? early : started(node));
    // Its end, if it has ended already, is reported by itself.
    if (isUpToDate) early?.send('go', () => undefined);
  }
}

/**
 * The process of the command, in a checkout: it starts while this one compares 1,400 sources with the build, and reads the
 * build only after a message. null if no other process is needed.
 * @param {string} program
 */
function startedEarly(program) {
  if (isOneProcess || mayAskForHelp || !isBuiltHere(root)) return null;
  return started(program, join(root, 'resources', 'bin', 'when-checked.mjs'));
}

/**
 * @param {string} program the Node that runs the command
 * @param {string[]} before programs that run it
 */
function started(program, ...before) {
  const headless = join(root, 'out', 'main', 'headless.js');
  const child = spawn(program, ['--disable-sigusr1', ...before, headless, ...args], {
    // The channel closes when this process ends, for whatever reason; Tagwright then stops.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  child.on('error', (error) => fail(`"${program}" cannot be started: ${error.message}`));
  return child;
}

/** @param {import('node:child_process').ChildProcess} child runs the command */
function supervise(child) {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      child.kill(signal);
    });
  }
  // npm starts this through a shell that may be ended without passing on the signal.
  const starter = process.ppid;
  if (process.env['npm_lifecycle_event'] === 'start') {
    setInterval(() => {
      if (process.ppid !== starter) child.kill('SIGTERM');
    }, 500).unref();
  }
  child.on('exit', (code, signal) => {
    // As shells report it: 128 plus the number of the signal.
    process.exit(signal === null ? (code ?? 1) : 128 + constants.signals[signal]);
  });
}
