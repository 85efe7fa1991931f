/**
 * The filter of system calls for hosts, as a program for seccomp (classic BPF). It denies what a host never needs and
 * what attacks on the kernel and on other processes begin with, and allows everything else: a list of allowed calls
 * would have to follow every version of Node and of the C library.
 */

/** Numbers of denied calls on x64 and arm64; null if the architecture has no such call. */
const REFUSED: Readonly<Record<string, readonly [x64: number | null, arm64: number | null]>> = {
  // Connections: a host has inherited what it needs.
  socket: [41, 198],
  connect: [42, 203],
  bind: [49, 200],
  listen: [50, 201],
  // A socket of a pair can send datagrams to sockets of other processes.
  socketpair: [53, 199],
  io_uring_setup: [425, 425],
  io_uring_enter: [426, 426],
  io_uring_register: [427, 427],
  // Other processes. New ones would not be watched.
  fork: [57, null],
  vfork: [58, null],
  ptrace: [101, 117],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  kcmp: [312, 272],
  pidfd_open: [434, 434],
  pidfd_getfd: [438, 438],
  // Namespaces and mounts.
  unshare: [272, 97],
  setns: [308, 268],
  chroot: [161, 51],
  pivot_root: [155, 41],
  mount: [165, 40],
  umount2: [166, 39],
  open_tree: [428, 428],
  move_mount: [429, 429],
  fsopen: [430, 430],
  fsconfig: [431, 431],
  fsmount: [432, 432],
  fspick: [433, 433],
  mount_setattr: [442, 442],
  name_to_handle_at: [303, 264],
  open_by_handle_at: [304, 265],
  open_tree_attr: [467, 467],
  // Names of files. SQLite only creates, opens and deletes its own; main would follow a link, and wait for a named pipe.
  symlink: [88, null],
  symlinkat: [266, 36],
  link: [86, null],
  linkat: [265, 37],
  mknod: [133, null],
  mknodat: [259, 33],
  mkdir: [83, null],
  mkdirat: [258, 34],
  rename: [82, null],
  renameat: [264, 38],
  renameat2: [316, 276],
  // Memory that is not counted as the process's own.
  memfd_create: [319, 279],
  memfd_secret: [447, 447],
  shmget: [29, 194],
  mq_open: [240, 180],
  mq_unlink: [241, 181],
  // Parts of the kernel in which vulnerabilities are found most often.
  bpf: [321, 280],
  perf_event_open: [298, 241],
  userfaultfd: [323, 282],
  add_key: [248, 217],
  request_key: [249, 218],
  keyctl: [250, 219],
  init_module: [175, 105],
  finit_module: [313, 273],
  delete_module: [176, 106],
  kexec_load: [246, 104],
  kexec_file_load: [320, 294],
  swapon: [167, 224],
  swapoff: [168, 225],
  reboot: [169, 142],
  acct: [163, 89],
  quotactl: [179, 60],
  personality: [135, 92],
  syslog: [103, 116],
};

/**
 * Calls that Landlock allows, and that namespaces and a separate root would contain: changes of files without opening
 * them, and effects on other processes.
 */
const REFUSED_WITH_LANDLOCK: typeof REFUSED = {
  // Files by their paths.
  truncate: [76, 45],
  chmod: [90, null],
  fchmod: [91, 52],
  fchmodat: [268, 53],
  fchmodat2: [452, 452],
  file_setattr: [469, 469],
  chown: [92, null],
  fchown: [93, 55],
  lchown: [94, null],
  fchownat: [260, 54],
  utime: [132, null],
  utimes: [235, null],
  futimesat: [261, null],
  utimensat: [280, 88],
  setxattr: [188, 5],
  lsetxattr: [189, 6],
  fsetxattr: [190, 7],
  setxattrat: [463, 463],
  removexattr: [197, 14],
  lremovexattr: [198, 15],
  fremovexattr: [199, 16],
  removexattrat: [466, 466],
  inotify_init: [253, null],
  inotify_init1: [294, 26],
  fanotify_init: [300, 262],
  // Signals. The C library then ends a process that calls abort() in another way.
  kill: [62, 129],
  tkill: [200, 130],
  tgkill: [234, 131],
  rt_sigqueueinfo: [129, 138],
  rt_tgsigqueueinfo: [297, 240],
  pidfd_send_signal: [424, 424],
  // Scheduling and memory placement of other processes.
  setpriority: [141, 140],
  ioprio_set: [251, 30],
  sched_setparam: [142, 118],
  sched_setscheduler: [144, 119],
  sched_setaffinity: [203, 122],
  sched_setattr: [314, 274],
  process_madvise: [440, 440],
  migrate_pages: [256, 238],
  move_pages: [279, 239],
  // System V messages and semaphores, which every process of the user can access.
  semget: [64, 190],
  semop: [65, 193],
  semtimedop: [220, 192],
  semctl: [66, 191],
  msgget: [68, 186],
  msgsnd: [69, 189],
  msgrcv: [70, 188],
  msgctl: [71, 187],
  shmat: [30, 196],
  shmctl: [31, 195],
};

/** Calls that are denied with some values of their second argument. */
const REFUSED_ARGUMENTS: readonly {
  call: readonly [x64: number, arm64: number];
  values: readonly number[];
}[] = [
  // fcntl with F_SETOWN, F_SETSIG or F_SETOWN_EX, and ioctl with FIOSETOWN or SIOCSPGRP: when data arrives, the kernel
  // then sends any signal to any process of the user.
  { call: [72, 25], values: [8, 10, 15] },
  { call: [16, 29], values: [0x8901, 0x8902] },
];

/** Limits of processes: a program may read and lower its own, which it addresses as 0. */
const PRLIMIT: readonly [x64: number, arm64: number] = [302, 261];

/** prctl: a host could otherwise clear the signal that ends it with its parent. */
const PRCTL: readonly [x64: number, arm64: number] = [157, 167];
const PR_SET_PDEATHSIG = 1;

interface Architecture {
  /** AUDIT_ARCH_… of the kernel. */
  audit: number;
  column: 0 | 1;
  clone: number;
  /** From this number on: the 32-bit calls of x32, which have their own numbers. */
  foreignFrom: number | null;
}

const ARCHITECTURES: Readonly<Partial<Record<string, Architecture>>> = {
  x64: { audit: 0xc000003e, column: 0, clone: 56, foreignFrom: 0x40000000 },
  arm64: { audit: 0xc00000b7, column: 1, clone: 220, foreignFrom: null },
};

const CLONE3 = 435;
const CLONE_THREAD = 0x00010000;

// Offsets in struct seccomp_data.
const NUMBER_AT = 0;
const ARCHITECTURE_AT = 4;
const FIRST_ARGUMENT_AT = 16;
const SECOND_ARGUMENT_AT = 24;

// Instructions of classic BPF.
const LOAD = 0x20;
const JUMP_IF_EQUAL = 0x15;
const JUMP_IF_AT_LEAST = 0x35;
const JUMP_IF_ANY_BIT = 0x45;
const RETURN = 0x06;

const ALLOW = 0x7fff0000;
const KILL = 0x80000000;
const ERROR = 0x00050000;
const EPERM = 1;
const ENOSYS = 38;

/** One instruction; a jump has its target, or the number of instructions to skip, none by default. */
interface Instruction {
  code: number;
  value: number;
  yes?: Target;
  no?: Target | number;
}

/** The last instructions, in this order. */
const ENDS = { allow: ALLOW, refuse: ERROR | EPERM, missing: ERROR | ENOSYS, kill: KILL } as const;
type Target = keyof typeof ENDS;

/**
 * The bytes of the filter; null for an architecture without one.
 * @param companion the other protection of the program
 */
export function systemCallFilter(
  architecture: string,
  companion: 'bubblewrap' | 'Landlock' = 'bubblewrap',
): Buffer | null {
  const known = ARCHITECTURES[architecture];
  if (known === undefined) return null;
  const withLandlock = companion === 'Landlock';
  const calls = { ...REFUSED, ...(withLandlock && REFUSED_WITH_LANDLOCK) };
  const refused = Object.values(calls).flatMap((numbers) => numbers[known.column] ?? []);
  return assembled([
    { code: LOAD, value: ARCHITECTURE_AT },
    { code: JUMP_IF_EQUAL, value: known.audit, no: 'kill' },
    { code: LOAD, value: NUMBER_AT },
    ...(known.foreignFrom === null
      ? []
      : [{ code: JUMP_IF_AT_LEAST, value: known.foreignFrom, yes: 'refuse' } as const]),
    ...refused.map((number) => ({ code: JUMP_IF_EQUAL, value: number, yes: 'refuse' }) as const),
    ...REFUSED_ARGUMENTS.flatMap(({ call, values }): Instruction[] => [
      { code: JUMP_IF_EQUAL, value: call[known.column], no: values.length + 1 },
      { code: LOAD, value: SECOND_ARGUMENT_AT },
      ...values.map((value, at): Instruction => {
        const isLast = at === values.length - 1;
        return { code: JUMP_IF_EQUAL, value, yes: 'refuse', ...(isLast && { no: 'allow' }) };
      }),
    ]),
    ...(withLandlock
      ? ([
          { code: JUMP_IF_EQUAL, value: PRLIMIT[known.column], no: 2 },
          { code: LOAD, value: FIRST_ARGUMENT_AT },
          { code: JUMP_IF_EQUAL, value: 0, yes: 'allow', no: 'refuse' },
          { code: JUMP_IF_EQUAL, value: PRCTL[known.column], no: 2 },
          { code: LOAD, value: FIRST_ARGUMENT_AT },
          { code: JUMP_IF_EQUAL, value: PR_SET_PDEATHSIG, yes: 'refuse', no: 'allow' },
        ] as const)
      : []),
    // Its flags are in memory; the C library then starts threads with clone, whose flags are an argument.
    { code: JUMP_IF_EQUAL, value: CLONE3, yes: 'missing' },
    { code: JUMP_IF_EQUAL, value: known.clone, no: 'allow' },
    { code: LOAD, value: FIRST_ARGUMENT_AT },
    { code: JUMP_IF_ANY_BIT, value: CLONE_THREAD, yes: 'allow', no: 'refuse' },
  ]);
}

function assembled(instructions: readonly Instruction[]): Buffer {
  const targets = Object.keys(ENDS);
  const offset = (target: Target | number = 0, from: number) =>
    typeof target === 'number' ? target : instructions.length + targets.indexOf(target) - from - 1;
  return Buffer.concat([
    ...instructions.map(({ code, value, yes, no }, at) => encoded(code, value, offset(yes, at), offset(no, at))),
    ...Object.values(ENDS).map((value) => encoded(RETURN, value, 0, 0)),
  ]);
}

/** struct sock_filter, in the byte order of both architectures. */
function encoded(code: number, value: number, yes: number, no: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt16LE(code, 0);
  bytes.writeUInt8(yes, 2);
  bytes.writeUInt8(no, 3);
  bytes.writeUInt32LE(value >>> 0, 4);
  return bytes;
}
