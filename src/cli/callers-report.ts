/** What `squadc callers` says of what it found. */
import type { ByHand, HandPlace, Rewrite } from '../platform/callers.js';
import { printable } from './terminal.js';

interface Place {
  readonly line: number;
  readonly column: number;
}

export interface FileReport {
  readonly path: string;
  readonly rewrites: readonly (Rewrite & Place)[];
  readonly byHand: readonly (HandPlace & Place)[];
  readonly diff: string;
  /** The rewritten text; null where nothing is rewritten. */
  readonly changed: string | null;
}

export interface Skipped {
  readonly path: string;
  readonly why: 'binary' | 'too-large' | 'link-out' | 'fault';
  readonly reason?: string;
}

export interface CallersReport {
  readonly files: readonly FileReport[];
  readonly skipped: readonly Skipped[];
}

interface Sentences {
  readonly what: string;
  readonly help: string;
}

const sentences: Readonly<Record<ByHand, Sentences>> = {
  name: {
    what: 'workflowId stands here without a literal id',
    help: "Call it squadId, and see to it that its value is the squad's id.",
  },
  id: {
    what: 'the id of a workflow stands here that a squad replaces',
    help: "Put the squad's id in its place, and see to it that it is sent as squadId.",
  },
  'not-in-map': {
    what: 'no --map names a squad for this workflow',
    help: 'Add <workflowId>=<squadId> to --map and run again, or change the place by hand.',
  },
  clash: {
    what: 'a squadId stands beside it already',
    help: 'Keep one squadId and remove every workflowId.',
  },
};

const skips: Readonly<Record<Skipped['why'], string>> = {
  binary: 'it is not text in UTF-8',
  'too-large': 'it has more than 2 MB',
  'link-out': 'it is a symbolic link that leads out of the folder',
  fault: 'it cannot be read',
};

/** Every place that is left to do by hand, and every file that was not looked at. */
export function callersText({ files, skipped }: CallersReport): string {
  const places = files.flatMap(({ path, byHand }) => byHand.map((each) => placeText(path, each)));
  const left = skipped.map(
    ({ path, why, reason }) => `skipped ${path}: ${skips[why]}${reason ? `: ${reason}` : ''}\n`,
  );
  return printable([...places, ...left].join(''));
}

function placeText(path: string, { line, column, why, workflowId }: HandPlace & Place): string {
  const { what, help } = sentences[why];
  const named = workflowId === undefined ? '' : ` (workflow ${shortened(workflowId)})`;
  return `${path}:${line}:${column}: callers/${why}: ${what}${named}\n  help: ${help}\n`;
}

function shortened(text: string): string {
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}

/** The last lines: how much was found. */
export function summaryOf({ files, skipped }: CallersReport, written: boolean): string {
  const rewrites = files.reduce((sum, each) => sum + each.rewrites.length, 0);
  const changed = files.filter((each) => each.changed !== null).length;
  const byHand = files.reduce((sum, each) => sum + each.byHand.length, 0);
  const verb = written ? 'rewritten' : 'to rewrite';
  const hint = !written && rewrites > 0 ? ' (--write does it)' : '';
  return (
    `${counted(rewrites, 'place')} ${verb} in ${counted(changed, 'file')}${hint}, ` +
    `${counted(byHand, 'place')} left to do by hand, ${counted(skipped.length, 'file')} skipped\n`
  );
}

function counted(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

/** The report as JSON. */
export function callersJson({ files, skipped }: CallersReport, written: boolean): unknown {
  return {
    written,
    rewrites: files.flatMap(({ path, rewrites }) =>
      rewrites.map(({ line, column, workflowId, squadId }) => ({
        file: path,
        line,
        column,
        workflowId,
        squadId,
      })),
    ),
    byHand: files.flatMap(({ path, byHand }) =>
      byHand.map(({ line, column, why, workflowId }) => ({
        file: path,
        line,
        column,
        code: `callers/${why}`,
        workflowId: workflowId ?? null,
        message: sentences[why].what,
        help: sentences[why].help,
      })),
    ),
    skipped: skipped.map(({ path, why, reason }) => ({
      file: path,
      reason: reason ? `${skips[why]}: ${reason}` : skips[why],
    })),
    diff: files.map(({ diff }) => diff).join(''),
  };
}
