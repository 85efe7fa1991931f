// Native code in the place of a host: a plain Node without the permission model, which may use all that the system lets
// it. The descriptor that its last argument names gives it its targets as a line of JSON and takes what it reached.
const { spawn } = require('node:child_process');
const fs = require('node:fs');
const net = require('node:net');

const PIPE = Number(process.argv.at(-1));

function readLine() {
  const byte = Buffer.alloc(1);
  let line = '';
  while (fs.readSync(PIPE, byte, 0, 1, null) === 1 && byte[0] !== 10) line += byte.toString('latin1');
  return Buffer.from(line, 'latin1').toString('utf8');
}

const tried = (attempt) => {
  try {
    return attempt() === true;
  } catch {
    return false;
  }
};

const reads = (file, text) => tried(() => fs.readFileSync(file, 'latin1').includes(text));

function readsMemory(pid) {
  const maps = fs.readFileSync(`/proc/${pid}/maps`, 'latin1');
  const start = /^([0-9a-f]+)-[0-9a-f]+ rw/m.exec(maps)[1];
  const memory = fs.openSync(`/proc/${pid}/mem`, 'r');
  return fs.readSync(memory, Buffer.alloc(16), 0, 16, BigInt(`0x${start}`)) === 16;
}

const connects = (to) =>
  new Promise((resolve) => {
    try {
      net
        .connect(to)
        .once('connect', () => resolve(true))
        .once('error', () => resolve(false));
    } catch {
      resolve(false);
    }
  });

/** Whether a program was started that goes on by itself. */
const starts = (marker) =>
  new Promise((resolve) => {
    try {
      const code = 'setTimeout(() => {}, 60_000)';
      const child = spawn(process.execPath, ['-e', code, marker], { detached: true, stdio: 'ignore' });
      child.once('spawn', () => resolve(true)).once('error', () => resolve(false));
      child.unref();
    } catch {
      resolve(false);
    }
  });

/** What a plant host needs: to read and write the database, and to make and delete its logs. */
function ownDatabase(file) {
  fs.appendFileSync(file, 'x');
  fs.writeFileSync(`${file}-journal`, 'x');
  fs.rmSync(`${file}-journal`);
  return fs.readFileSync(file, 'latin1').endsWith('x');
}

async function probe() {
  const { files, main, secret, home, temporary, port, socket, marker, database } = JSON.parse(readLine());
  const reached = {
    userFile: reads(files.user, secret),
    workspaceKey: reads(files.key, secret),
    rpcToken: reads(files.instance, secret),
    environmentOfMain: reads(`/proc/${main}/environ`, secret),
    memoryOfMain: tried(() => readsMemory(main)),
    signalToMain: tried(() => process.kill(main, 'SIGWINCH')),
    childThatSurvives: await starts(marker),
    listOfHome: tried(() => fs.readdirSync(home).length > 0),
    writeToHomeOrTemporary: [home, temporary].some((folder) =>
      tried(() => fs.writeFileSync(`${folder}/${marker}`, 'x') === undefined && fs.existsSync(`${folder}/${marker}`)),
    ),
    loopback: (await Promise.all([connects({ host: '127.0.0.1', port }), connects({ host: '::1', port })])).some(
      Boolean,
    ),
    unixSockets: (await Promise.all([connects({ path: socket }), connects({ path: `\0${marker}` })])).some(Boolean),
    otherProcesses: tried(() => fs.readdirSync('/proc').includes(String(main))),
  };
  reached.ownDatabase = database === undefined ? null : tried(() => ownDatabase(database));
  fs.writeSync(PIPE, `${JSON.stringify(reached)}\n`);
  // Until it is ended.
  setTimeout(() => {}, 60_000);
}

void probe();
