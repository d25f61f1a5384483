/** `squadc explain`: explains a code or a kind of question at length. */
import type { Explanation } from '../../index.js';
import type { Api, CommandData } from '../command.js';
import { explainFault, faultCodes } from '../faults.js';
import { exitCodes } from '../io.js';
import { entry, type Style, styleFor, unknownName } from '../output/terminal.js';

export const command: CommandData<[string | undefined]> = {
  description:
    'Explains a code or a kind of question. Without an argument, lists all of them with ' +
    'their titles.',
  arguments: { '[code]': 'a code, for example flow/unreachable' },
  examples: ['squadc explain cyclic-stages'],
  async action([code], _, { io: { stdout, env }, api }) {
    if (code === undefined) stdout.write(listing(api));
    else {
      const explanation = explanationOf(code, api);
      stdout.write(sections(explanation, styleFor(stdout, env), stdout.columns ?? 80));
    }
    return exitCodes.complete;
  },
};

function allCodes({ codes }: Api): string[] {
  return [...codes(), ...faultCodes].sort();
}

function explanationOf(code: string, api: Api): Explanation {
  const explanation = api.explain(code) ?? explainFault(code);
  if (explanation !== null) return explanation;
  throw unknownName('code', code, allCodes(api), 'squadc explain lists all codes');
}

function listing(api: Api): string {
  const all = allCodes(api);
  const width = Math.max(0, ...all.map((code) => code.length));
  const lines = all.map((code) => `${code.padEnd(width)}  ${explanationOf(code, api).title}\n`);
  return lines.join('');
}

function sections(explanation: Explanation, style: Style, width: number): string {
  const { code, kind, severity, title, why, help, example, choices = [] } = explanation;
  const section = (name: string, text: string | undefined) =>
    text === undefined ? '' : `\n${style.bold(name)}\n${entry('', text, 2, width)}`;
  const lines = choices.map(
    ({ key, label, effect }) => `  ${style.bold(key)}: ${label}\n${entry('', effect, 4, width)}`,
  );
  return [
    `${style.bold(code)} (${severity ?? kind})\n${entry('', title, 0, width)}`,
    section('Why', why),
    section('What to do', help),
    lines.length === 0 ? '' : `\n${style.bold('Choices')}\n${lines.join('')}`,
    section('Example', example),
  ].join('');
}
