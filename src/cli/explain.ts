/** `squadc explain`: the long text of a code or of a kind of question. */
import type { Command } from 'commander';
import type { Explanation } from '../index.js';
import { exitCodes, Refusal } from './exit.js';
import type { Api, Invocation, LoadApi } from './invocation.js';
import type { Io } from './io.js';
import { didYouMean } from './nearest.js';
import { type Style, styleFor } from './terminal.js';
import { indented } from './wrap.js';

const help = `
Exit codes:
  0   printed
  64  wrong usage, for example an unknown code

Example:
  squadc explain cyclic-stages`;

/** Adds the command to the program. */
export function addExplainCommand(program: Command, { io, loadApi }: Invocation): void {
  program
    .command('explain')
    .summary('explain a code or a kind of question')
    .description(
      'Explains a code that any command or client shows, or a kind of question; without one, ' +
        'lists all with their titles.',
    )
    .argument('[code]', 'code as it is shown, for example flow/unreachable')
    .addHelpText('after', help)
    .action(async (code: string | undefined) => {
      const texts = await allTexts(loadApi);
      io.stdout.write(code === undefined ? listing(texts) : longText(code, texts, io));
    });
}

type Texts = Pick<Api, 'codes' | 'explain'>;

/** Of diagnostics and questions, and of what commands and clients say with a code. */
async function allTexts(loadApi: LoadApi): Promise<Texts> {
  const [{ codes, explain }, { explainFault, faultCodes }] = await Promise.all([
    loadApi(),
    import('./faults/explain-fault.js'),
  ]);
  return {
    codes: () => [...codes(), ...faultCodes].sort(),
    explain: (code) => explain(code) ?? explainFault(code),
  };
}

function listing({ codes, explain }: Texts): string {
  const all = codes();
  const width = Math.max(0, ...all.map((code) => code.length));
  return all.map((code) => `${code.padEnd(width)}  ${explain(code)?.title ?? ''}\n`).join('');
}

function longText(code: string, texts: Texts, io: Io): string {
  const explanation = texts.explain(code);
  if (explanation === null) {
    const hint = didYouMean(code, texts.codes()) || '\n(squadc explain lists all codes)';
    throw new Refusal(`unknown code '${code}'${hint}`, exitCodes.wrongUsage);
  }
  return sections(explanation, styleFor(io.stdout, io.env), io.stdout.columns ?? 80);
}

function sections(explanation: Explanation, style: Style, width: number): string {
  const { code, kind, severity, title, why, help: whatToDo, example, choices } = explanation;
  const section = (name: string, text: string) =>
    `\n${style.bold(name)}\n${indented(text, width)}\n`;
  const head = `${style.bold(code)} (${severity ?? kind})\n${indented(title, width, 0)}\n`;
  const parts = [head];
  if (why !== undefined) parts.push(section('Why', why));
  parts.push(section('What to do', whatToDo));
  if (choices !== undefined && choices.length > 0) {
    const lines = choices.map(({ key, label, effect }) => {
      return `  ${style.bold(key)}: ${label}\n${indented(effect, width, 4)}\n`;
    });
    parts.push(`\n${style.bold('Choices')}\n${lines.join('')}`);
  }
  if (example !== undefined) parts.push(section('Example', example));
  return parts.join('');
}
