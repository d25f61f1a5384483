/**
 * Prompts in a terminal: choose one, or type text. Escapes control characters here,
 * so that no caller can forget to.
 */
import { isCancel, select, text } from '@clack/prompts';
import { linesWithin } from '../../diagnostics/quote.js';
import { escapeControls } from '../../text/escape.js';
import { exitCodes, type Io, Refusal, type Terminal } from '../io.js';

/** Thrown if the user wants to stop: by Ctrl-C, Ctrl-D, Escape, or closing the terminal. */
export class Stopped extends Error {
  override readonly name = 'Stopped';
}

export interface Option<Value> {
  readonly value: Value;
  readonly label: string;
  /** Shown on separate lines below the label. */
  readonly detail?: string;
}

export interface Prompts {
  readonly columns: number;
  /** Writes text unchanged, so it must be safe for a terminal. */
  write(text: string): void;
  choose<Value>(
    message: string,
    options: readonly Option<Value>[],
    initial?: Value,
  ): Promise<Value>;
  /** Asks again until `faultOf` returns null; otherwise shows what it returns. */
  text(
    message: string,
    initial: string,
    faultOf?: (text: string) => string | null,
  ): Promise<string>;
}

/** Longer lists scroll. */
const mostShown = 12;
/** Width of what the prompts put before an option, in columns. */
const lead = 2;

/**
 * Asks in the user's terminal until `ask` is done or the user stops. Without a terminal it refuses,
 * and the message says what to do instead.
 */
export async function inTerminal(
  io: Io,
  instead: string,
  ask: (prompts: Prompts) => Promise<void>,
): Promise<void> {
  const terminal = io.terminal ?? { input: process.stdin, output: process.stdout };
  if (!terminal.input.isTTY || !terminal.output.isTTY) {
    const message = `questions need a terminal, and this is not one\n  help: ${instead}`;
    throw new Refusal(message, exitCodes.wrongUsage);
  }
  const stop = new AbortController();
  const ignore = io.onInterrupt(() => stop.abort());
  try {
    await ask(openPrompts(terminal, stop.signal));
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
  } finally {
    ignore();
  }
}

function openPrompts({ input, output }: Terminal, stop: AbortSignal): Prompts {
  const columns = () => Math.max(24, output.columns || 80);
  const wrapped = (message: string) =>
    linesWithin(escapeControls(message), columns() - lead - 2).join('\n');
  const labelOf = ({ label, detail }: Option<unknown>) => {
    const room = columns() - lead - 3;
    const details = detail === undefined ? [] : linesWithin(escapeControls(detail), room);
    return [escapeControls(label), ...details.map((line) => `    ${line}`)].join('\n');
  };

  async function ask<Value>(prompt: (common: object) => Promise<Value | symbol>): Promise<Value> {
    if (stop.aborted || input.readableEnded || input.destroyed) throw new Stopped();
    const leaving = new AbortController();
    const leave = () => leaving.abort();
    const onKey = (_: unknown, key?: { ctrl?: boolean; name?: string }) => {
      // Ctrl-D closes the line editor, and the prompt would then wait forever.
      if (key?.ctrl && key.name === 'd') leave();
    };
    input.on('keypress', onKey).on('end', leave).on('close', leave);
    try {
      const signal = AbortSignal.any([stop, leaving.signal]);
      const value = await prompt({ input, output, signal, withGuide: false });
      if (isCancel(value)) throw new Stopped();
      return value as Value;
    } finally {
      input.off('keypress', onKey).off('end', leave).off('close', leave);
    }
  }

  return {
    get columns() {
      return columns();
    },
    write: (text) => void output.write(text),
    async choose(message, options, initial) {
      const found = options.findIndex(({ value }) => value === initial);
      const chosen = await ask<number>((common) =>
        select<number>({
          ...common,
          message: wrapped(message),
          options: options.map((option, value) => ({ value, label: labelOf(option) })),
          initialValue: Math.max(0, found),
          maxItems: mostShown,
        }),
      );
      return options[chosen]!.value;
    },
    async text(message, initial, faultOf = () => null) {
      const given = await ask<string | undefined>((common) =>
        text({
          ...common,
          message: wrapped(message),
          initialValue: escapeControls(initial),
          validate: (typed = '') => {
            const fault = faultOf(typed);
            return fault === null ? undefined : escapeControls(fault);
          },
        }),
      );
      return given ?? '';
    },
  };
}
