/** `squadc graph`: a picture of a workflow or of a squad, without a browser. */
import { type Command, Option } from 'commander';
import type { Json } from '../index.js';
import type { Picture } from '../report/graph/picture.js';
import type { Theme } from '../report/graph/svg-style.js';
import type { CompileFlags } from './compile-flags.js';
import { type CompileInput, readCompileInput } from './compile-input.js';
import { reportOn } from './compile-report.js';
import { type Compiled, compileInput } from './compile-run.js';
import { type ExitCode, exitCodes, exitCodesHelp, Refusal } from './exit.js';
import type { Api, Invocation } from './invocation.js';
import type { Io } from './io.js';
import { standardInput } from './read-input.js';
import { reportingRefutation } from './refutation.js';
import { addCompileOptions, filesOf, refuseTwoStandardInputs } from './squad-options.js';
import { printable } from './terminal.js';
import { refuseOverwriting, writeOutput } from './write-output.js';

const formats = ['svg', 'mermaid', 'dot'] as const;
type Format = (typeof formats)[number];

type Subject = Picture['subject'];

interface GraphFlags extends Omit<CompileFlags, 'emit' | 'json'> {
  readonly format: Format;
  readonly of?: Subject;
  readonly theme: Theme;
}

const help = `${exitCodesHelp}

Examples:
  squadc graph workflow.json -o workflow.svg
  squadc graph workflow.json --of squad --format mermaid`;

/** Adds the command to the program. */
export function addGraphCommand(program: Command, invocation: Invocation): void {
  const command = program
    .command('graph')
    .summary('draw a workflow or a squad')
    .description(
      'Draws the graph of a workflow, its nodes grouped by the assistants that they become, or of ' +
        'a squad: as SVG, as a Mermaid flowchart or for Graphviz. Above 400 nodes each assistant is ' +
        'one box. Open questions are reported; a workflow is drawn with them, a squad is not.',
    )
    .argument('<file>', 'workflow or squad as JSON; - reads standard input')
    .addHelpText('after', help)
    .action(async (file: string, flags: GraphFlags) => {
      refuseTwoStandardInputs([file, ...filesOf(flags)], command);
      invocation.exitCode = await graphCommand(file, flags, invocation);
    });
  command
    .addOption(new Option('--format <format>', 'what to write').choices(formats).default('svg'))
    .addOption(
      new Option(
        '--of <subject>',
        'what to draw of a workflow: itself, or the squad that it becomes (default: workflow)',
      ).choices(['workflow', 'squad']),
    )
    .addOption(
      new Option('--theme <theme>', "colours of an SVG; auto follows the reader's preference")
        .choices(['auto', 'light', 'dark'])
        .default('auto'),
    );
  addCompileOptions(command);
  command
    .option('-o, --output <file>', 'write to this file (in one step) instead of standard output')
    .option('--verbose', 'show informational diagnostics too');
}

async function graphCommand(
  file: string,
  flags: GraphFlags,
  { io, loadApi }: Invocation,
): Promise<ExitCode> {
  const api = await loadApi();
  const input = await readCompileInput(file, flags, api, io);
  await refuseOverwriting(flags.output, [file, ...filesOf(flags)], io);
  const squad = await squadGiven(input, flags);
  if (squad !== null) {
    await deliver(squad, flags, io);
    return exitCodes.complete;
  }
  const compiled = await compileReporting(input, flags, api, io);
  const picture = await pictureOf(input, compiled, flags.of ?? 'workflow');
  if (picture !== null) await deliver(picture, flags, io);
  return exitCodeOf(compiled);
}

/** The picture of a document that is a squad already; null where it is none. */
async function squadGiven(input: CompileInput, { of }: GraphFlags): Promise<Picture | null> {
  if (!isReadWhole(input)) return null;
  const { squadPicture } = await import('../report/graph/squad-picture.js');
  const picture = squadPicture(input.workflow as Json);
  if (picture !== null && of === 'workflow') {
    throw new Refusal(`${input.source.name} is a squad, not a workflow`, exitCodes.wrongUsage);
  }
  return picture;
}

async function compileReporting(
  input: CompileInput,
  flags: GraphFlags,
  api: Api,
  io: Io,
): Promise<Compiled> {
  const compile = () => compileInput(input, flags, api);
  const compiled = await reportingRefutation(compile, input, flags, io);
  reportOn(compiled, input, flags, api, io);
  return compiled;
}

/** What JSON cannot say for sure is not drawn: it would be the picture of another document. */
function isReadWhole({ diagnostics }: CompileInput): boolean {
  return diagnostics.every(({ severity }) => severity !== 'error');
}

/** A workflow that does not compile is drawn without assistants; one that cannot be read, not. */
async function pictureOf(
  input: CompileInput,
  { result, options }: Compiled,
  of: Subject,
): Promise<Picture | null> {
  if (!isReadWhole(input)) return null;
  const { picturesOf } = await import('../report/graph/pictures.js');
  const answers = result.status === 'invalid' ? {} : (options.answers?.answers ?? {});
  const squad = result.output ?? result.draft;
  const pictures = picturesOf(
    { workflow: input.workflow as Json, ledger: result.ledger, answers },
    squad,
  );
  if (of === 'workflow') return pictures.workflow;
  return result.status === 'complete' ? pictures.squad : null;
}

async function deliver(picture: Picture, flags: GraphFlags, io: Io): Promise<void> {
  const text = await textOf(picture, flags);
  const { output } = flags;
  if (output !== undefined && output !== standardInput) await writeOutput(output, text, io);
  else io.stdout.write(io.stdout.isTTY ? printable(text) : text);
}

/** Only what the format needs is loaded. */
async function textOf(picture: Picture, { format, theme }: GraphFlags): Promise<string> {
  const { condense } = await import('../report/graph/condense.js');
  const drawn = condense(picture).picture;
  if (format === 'mermaid') {
    return (await import('../report/graph/render-mermaid.js')).renderMermaid(drawn);
  }
  if (format === 'dot') return (await import('../report/graph/render-dot.js')).renderDot(drawn);
  const { layOut } = await import('../report/graph/layout.js');
  const { renderSvg } = await import('../report/graph/render-svg.js');
  return renderSvg(drawn, layOut(drawn), { theme });
}

function exitCodeOf({ result: { status } }: Compiled): ExitCode {
  if (status === 'complete') return exitCodes.complete;
  return status === 'needs-answers' ? exitCodes.questionsOpen : exitCodes.invalid;
}
