/** `squadc walk`: walks a call through a workflow and its squad. The user decides for the model. */
import { quote } from '../../diagnostics/quote.js';
import { hanging } from '../../report/check-text.js';
import { type Call, type CallState, playCall, tracksOf } from '../../report/live/walk.js';
import type { CommandData } from '../command.js';
import { compileFile, reportSummary } from '../compiling.js';
import { exitCodes } from '../io.js';
import { type CompileFlags, compileOptions } from '../options.js';
import { inTerminal, type Option, type Prompts, Stopped } from '../output/prompts.js';
import { type Style, styleFor } from '../output/terminal.js';

export const command: CommandData<[file: string], CompileFlags> = {
  description:
    'Walks a call step by step in a terminal: the active assistant, its prompt as the platform ' +
    'renders it, the variables, what is said, and the choices. Each choice is played through ' +
    'the workflow and the squad, and any difference is shown.',
  arguments: { '<file>': 'workflow as JSON' },
  hasConfig: true,
  options: compileOptions,
  exits: [2],
  examples: ['squadc walk workflow.json'],
  async action([file], flags, context) {
    const { io } = context;
    const compiled = await compileFile(file, flags, context);
    const { input, result, options } = compiled;
    const tracks = result.status === 'complete' ? tracksOf(input.workflow, options, result) : null;
    if (tracks === null) return reportSummary(compiled, io);
    const instead = 'Run it in a terminal, or use squadc playground in a browser.';
    const style = styleFor(io.stdout, io.env);
    await inTerminal(io, instead, (prompts) => walk(tracks, prompts, style));
    return exitCodes.complete;
  },
};

type Move = { readonly step: number } | 'back' | 'say' | 'stop';

async function walk(
  tracks: NonNullable<ReturnType<typeof tracksOf>>,
  prompts: Prompts,
  style: Style,
): Promise<void> {
  let state: CallState = { choices: [], values: {} };
  for (let shown = -1; ; ) {
    const call = playCall(tracks, state);
    if (call.steps !== shown) prompts.write(stepText(call, prompts.columns, style));
    shown = call.steps;
    const move = await prompts.choose('What happens next?', movesOf(call));
    if (move === 'stop') throw new Stopped();
    if (move === 'back') state = { ...state, choices: state.choices.slice(0, -1) };
    else if (move !== 'say') state = { ...state, choices: [...state.choices, move.step] };
    else {
      const names = Array.from(call.values, ([name]) => ({ value: name, label: name }));
      const name = await prompts.choose('Which variable?', names);
      const value = await prompts.text(`What is ${name}?`, call.values.get(name) ?? '');
      state = { ...state, values: { ...state.values, [name]: value } };
      // Shows all steps again: the new value may change what was said in them.
      shown = -1;
    }
  }
}

function movesOf({ next, steps, values }: Call): Option<Move>[] {
  const moves: Option<Move>[] = next.map(({ condition, isGlobal, to }, step) => ({
    value: { step },
    label: `${isGlobal ? 'at any time: ' : ''}${condition ?? 'go on'} → ${to}`,
  }));
  if (steps > 0) moves.push({ value: 'back', label: 'Back' });
  if (values.size > 0) moves.push({ value: 'say', label: 'Change what the caller says' });
  return [...moves, { value: 'stop', label: next.length > 0 ? 'Hang up' : 'The call has ended' }];
}

function stepText(call: Call, columns: number, style: Style): string {
  const now = ({ visit }: { readonly visit: number }) => visit === call.steps;
  const lines: string[] = [];
  const add = (lead: string, text: string) => lines.push(...hanging(lead, text, columns));
  const differing = (lead: string, event: Heard) =>
    hanging(lead, wordsFor(event), columns).map(style.red);
  const squad = call.squad.filter(now);
  lines.push('', ...hanging('', `Step ${call.steps + 1}: ${call.at}`, columns).map(style.bold));
  for (const event of squad) {
    if (event.kind === 'found' || event.kind === 'response') {
      add('  variable  ', `${event.variable} = ${event.value ?? 'nothing'}`);
    } else if (event.kind === 'handoff') {
      const carried = Array.from(event.carried, ([name, value]) => `${name} = ${value}`);
      const what = carried.length === 0 ? 'carries nothing' : `carries ${carried.join(', ')}`;
      add('  handoff   ', `to ${event.to}, ${what}`);
    } else if (event.kind === 'active') add('  active    ', event.assistant);
  }
  const inSquad = squad.filter(isHeard);
  for (const event of call.workflow.filter(now).filter(isHeard)) {
    const at = inSquad.findIndex((each) => isCarriedOut(event, each));
    if (at !== -1) add('  ', wordsFor(inSquad.splice(at, 1)[0]!));
    else lines.push(...differing('  ! only in the workflow: ', event));
  }
  for (const event of inSquad) lines.push(...differing('  ! only in the squad: ', event));
  const { active } = call;
  if (active !== undefined && squad.includes(active)) {
    for (const line of active.prompt.split('\n'))
      lines.push(...hanging('  | ', line, columns).map(style.dim));
    const bag = Array.from(active.bag, ([name, value]) => `${name} = ${value}`);
    add('  knows     ', bag.join(', ') || 'no variable is set yet');
  }
  return `${lines.join('\n')}\n`;
}

type Heard = Extract<Call['squad'][number], { kind: 'said' | 'sent' }>;

function isHeard(event: Call['squad'][number]): event is Heard {
  return event.kind === 'said' || event.kind === 'sent';
}

/** Whether the squad does the same. Its request may have more fields, which the model fills in. */
function isCarriedOut(event: Heard, inSquad: Heard): boolean {
  if (event.kind === 'said') return inSquad.kind === 'said' && event.text === inSquad.text;
  if (inSquad.kind !== 'sent') return false;
  const { request } = inSquad;
  return Object.entries(event.request).every(([field, text]) => request[field] === text);
}

function wordsFor(event: Heard): string {
  if (event.kind === 'said') return `says      ${quote(event.text)}`;
  const fields = Object.entries(event.request).map(([field, text]) => `${field}: ${text ?? '…'}`);
  return `sends     ${fields.join('  ')}`;
}
