import { statSync } from 'node:fs';
import type { Command } from 'commander';
import type { CheckResult, CheckState, Diagnosis } from '#domain/workspace/diagnosis';
import { checksText, summaryOf } from '#domain/workspace/diagnosis';
import { TagwrightError } from '../../platform/errors.ts';
import type { Doctor } from '../../host/doctor.ts';
import type { CommandContext, JsonOption, WorkspaceOption } from '../context.ts';
import { withJson, withWorkspace } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { usage } from '../input.ts';
import type { Io } from '../io.ts';
import { colored } from '../io.ts';
import { saveFile } from '../output.ts';
import { printable } from '../../platform/report/printable.ts';
import { counted, jsonLine } from '../text.ts';

interface DoctorOptions extends WorkspaceOption, JsonOption {
  full?: true;
  support?: string;
}

const COLORS = { ok: 'green', warning: 'yellow', problem: 'red', 'not-checked': 'dim' } as const;

export function addDoctor(program: Command, context: CommandContext): void {
  const command = program
    .command('doctor')
    .summary('checks the installation and the workspace')
    .description(
      'Checks versions, ports, permissions, the script host, disk, clock, settings and both databases, and explains how ' +
        'to fix problems. It changes nothing, so it also works on a damaged, read-only or open workspace.',
    )
    .option('--full', 'check every page and index of both databases, without a time limit')
    .option('--support <file>', 'also write a support file: the result, versions and the log, without secrets');
  withJson(withWorkspace(command)).action(async (options: DoctorOptions) => {
    const { io } = context;
    const directory = context.workspace(options.workspace);
    if (statSync(directory, { throwIfNoEntry: false })?.isFile()) {
      throw usage(`"${directory}" is a file. Name the folder of a workspace.`);
    }
    if (options.support === '-') throw usage('A support file cannot go to standard output. Name a file.');
    const doctor = await context.doctor(directory);
    try {
      const diagnosis = await diagnosed(io, doctor, options);
      if (options.support !== undefined) {
        await saveFile(options.support, (await doctor.support()).text);
        io.err(`Support file written to ${options.support}. Read it before you send it.\n`);
      }
      io.out(options.json ? jsonLine(diagnosis) : textOf(io, diagnosis));
      if (diagnosis.state === 'problem') context.exit(EXIT.refused);
    } finally {
      doctor.close();
    }
  });
}

/** Throws CANCELLED after Ctrl+C, after printing the results so far. */
async function diagnosed(io: Io, doctor: Doctor, { full, json }: DoctorOptions): Promise<Diagnosis> {
  const cancel = new AbortController();
  const stop = io.onInterrupt(() => cancel.abort());
  const found: CheckResult[] = [];
  let diagnosis: Diagnosis | null = null;
  try {
    for await (const step of doctor.run({ full: full ?? false }, cancel.signal)) {
      found.push(...step.checks);
      diagnosis = step.diagnosis;
      // Only a terminal can erase a line.
      if (io.colors && !json) io.err(`\r\u001b[K${diagnosis === null ? `${printable(step.doing)}…` : ''}`);
    }
  } catch (thrown) {
    if (!cancel.signal.aborted) throw thrown;
  } finally {
    stop();
  }
  if (diagnosis !== null) return diagnosis;
  if (!cancel.signal.aborted)
    throw new TagwrightError('UNAVAILABLE', 'The instance ended before its checks. Try again.');
  if (!json && found.length > 0) io.out(linesOf(io, found));
  throw new TagwrightError('CANCELLED', `Cancelled after ${counted(found.length, 'check')}.`);
}

function textOf(io: Io, { version, workspace, checks }: Diagnosis): string {
  return `Tagwright ${version}, workspace ${printable(workspace)}\n\n${linesOf(io, checks)}\n${summaryOf(checks)}\n`;
}

/** File names may contain terminal control codes. */
function linesOf(io: Io, checks: readonly CheckResult[]): string {
  const safe = checks.map((check) => ({
    ...check,
    detail: printable(check.detail),
    fix: check.fix === null ? null : printable(check.fix),
  }));
  return checksText(safe, (state: CheckState, mark) => colored(io, COLORS[state], mark));
}
