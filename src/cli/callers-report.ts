/** What `squadc callers` says of what it found. */
import type { ByHand, HandPlace, Rewrite } from '../platform/caller-place.js';
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
  shorthand: {
    what: 'the value is a variable that is called workflowId, too',
    help: "Write squadId: <variable>, and give the variable the squad's id.",
  },
  computed: {
    what: 'the name of the property is computed',
    help: "Let the key be squadId and the value the squad's id.",
  },
  expression: {
    what: 'the value is no literal, so which workflow it names shows only at run time',
    help: "Rename the property to squadId, and see to it that its value is the squad's id.",
  },
  template: {
    what: 'the value is a template string',
    help: "Rename the property to squadId, and let the template give the squad's id.",
  },
  'not-in-map': {
    what: 'no --map names a squad for this workflow',
    help: 'Add <workflowId>=<squadId> to --map and run again, or change the place by hand.',
  },
  clash: {
    what: 'the object has a squadId already, or workflowId twice',
    help: 'Keep one squadId and remove every workflowId.',
  },
  access: {
    what: 'workflowId is read or set here by name',
    help: 'Use squadId here, as the objects that this code shares with others do.',
  },
  declaration: {
    what: 'workflowId is declared here: as a field, as a member of a type, or as an attribute',
    help: "Declare squadId in its place, and give it the squad's id where it has a value.",
  },
  variable: {
    what: 'a variable holds the id of a workflow that is in the map',
    help: "Give it the squad's id, and call it squadId.",
  },
  text: {
    what: 'workflowId stands inside of a text',
    help: "Where the text becomes a request, name squadId and the squad's id in it.",
  },
  language: {
    what: 'files in this language are not rewritten',
    help: "Send squadId with the squad's id in its place.",
  },
  unreadable: {
    what: 'the file cannot be read as what its name says (JSON, JavaScript or TypeScript)',
    help: 'Correct the file and run again, or change the place by hand.',
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
