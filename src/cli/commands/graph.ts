/** `squadc graph`: draws a workflow or a squad, without a browser. */
import type { Json } from '../../index.js';
import { condense } from '../../report/graph/condense.js';
import type { Picture } from '../../report/graph/picture.js';
import { picturesOf } from '../../report/graph/pictures.js';
import { renderDot, renderMermaid } from '../../report/graph/render-text.js';
import { squadPicture } from '../../report/graph/squad-picture.js';
import type { CommandData } from '../command.js';
import {
  type Compiled,
  compileInput,
  exitCodeOf,
  isReadWhole,
  readToCompile,
  reportOn,
} from '../compiling.js';
import { deliver } from '../files.js';
import type { Input } from '../input/workflow.js';
import { exitCodes, Refusal } from '../io.js';
import { type CompileFlags, compileOptions, outputOptions } from '../options.js';

interface Flags extends CompileFlags {
  readonly format: 'svg' | 'mermaid' | 'dot';
  readonly of?: Picture['subject'];
}

export const command: CommandData<[string], Flags> = {
  description:
    'Draws a workflow, its nodes grouped by assistant, or a squad, as SVG, as a Mermaid ' +
    'flowchart or for Graphviz. With more than 400 nodes each assistant is one box. ' +
    'A workflow with open questions can be drawn, a squad cannot.',
  arguments: { '<file>': 'workflow or squad as JSON; - reads standard input' },
  hasConfig: true,
  options: {
    ...compileOptions,
    'Output:': {
      '--format <format>': [
        'what to write',
        (it) => it.choices(['svg', 'mermaid', 'dot']).default('svg'),
      ],
      '--of <subject>': [
        'draw the workflow, or the squad that it becomes (default: workflow)',
        (it) => it.choices(['workflow', 'squad']),
      ],
      ...outputOptions,
    },
  },
  exits: [2],
  examples: [
    'squadc graph workflow.json -o workflow.svg',
    'squadc graph workflow.json --of squad --format mermaid',
  ],
  async action([file], flags, context) {
    const { io } = context;
    const input = await readToCompile(file, flags, context);
    const squad = squadGiven(input, flags);
    if (squad !== null) {
      await deliver(await textOf(squad, flags), flags.output, io);
      return exitCodes.complete;
    }
    const compiled = await compileInput(input, flags, context);
    reportOn(compiled, flags, context);
    const picture = pictureOf(compiled, flags.of ?? 'workflow');
    if (picture !== null) await deliver(await textOf(picture, flags), flags.output, io);
    return exitCodeOf(compiled);
  },
};

/** The picture of an input that is already a squad; null if it is not one. */
function squadGiven(input: Input, { of }: Flags): Picture | null {
  if (!isReadWhole(input)) return null;
  const picture = squadPicture(input.workflow as Json);
  if (picture !== null && of === 'workflow') {
    throw new Refusal(`${input.source.name} is a squad, not a workflow`, exitCodes.wrongUsage);
  }
  return picture;
}

/** Draws an invalid workflow without assistants; null if the input is unreadable. */
function pictureOf({ input, result, options }: Compiled, of: Picture['subject']): Picture | null {
  if (!isReadWhole(input)) return null;
  const answers = result.status === 'invalid' ? {} : (options.answers?.answers ?? {});
  const workflow = { workflow: input.workflow as Json, ledger: result.ledger, answers };
  const pictures = picturesOf(workflow, result.output ?? result.draft);
  if (of === 'workflow') return pictures.workflow;
  return result.status === 'complete' ? pictures.squad : null;
}

/** Renders the picture. Loads only the renderer of this format. */
async function textOf(picture: Picture, { format }: Flags): Promise<string> {
  const drawn = condense(picture).picture;
  if (format === 'mermaid') return renderMermaid(drawn);
  if (format === 'dot') return renderDot(drawn);
  // Loads the layout of pictures only if it is needed.
  const { renderSvg } = await import('../../report/graph/render-svg.js');
  return renderSvg(drawn);
}
