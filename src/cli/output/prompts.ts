/**
 * Prompts on a terminal: one of several, some of several, a text.
 *
 * Whoever wants to stop (Ctrl-C, Ctrl-D, Escape, a closed terminal) ends all of it at once, by way
 * of `Stopped`. Texts are made printable here, so that nobody forgets to.
 */
import type { Readable, Writable } from 'node:stream';
import { escapeControls, linesWithin } from '../../diagnostics/quote.js';

/** The keyboard and the screen. */
export interface Terminal {
  readonly input: Readable & { readonly isTTY?: boolean };
  readonly output: Writable & { readonly isTTY?: boolean; readonly columns?: number };
}

/** Thrown where the user wants to stop. */
export class Stopped extends Error {
  override readonly name = 'Stopped';
}

export interface Option<Value> {
  readonly value: Value;
  readonly label: string;
  /** On lines of its own below the label. */
  readonly detail?: string;
}

type Clack = typeof import('@clack/prompts');

/** More options than these are scrolled. */
const mostShown = 12;
/** Columns that the prompts put in front of an option. */
const lead = 2;

export class Prompts {
  /** Loads the package at first use; most commands ask nothing. */
  static async open(terminal: Terminal, stop: AbortSignal): Promise<Prompts> {
    return new Prompts(await import('@clack/prompts'), terminal, stop);
  }

  private constructor(
    private readonly clack: Clack,
    private readonly terminal: Terminal,
    private readonly stop: AbortSignal,
  ) {}

  get columns(): number {
    return Math.max(24, this.terminal.output.columns || 80);
  }

  /** Text of ours, as it is. */
  write(text: string): void {
    this.terminal.output.write(text);
  }

  async choose<Value>(
    message: string,
    options: readonly Option<Value>[],
    initial?: Value,
  ): Promise<Value> {
    const found = options.findIndex(({ value }) => value === initial);
    const chosen = await this.ask<number>((common) =>
      this.clack.select<number>({
        ...common,
        message: this.wrapped(message),
        options: options.map((option, value) => ({ value, label: this.labelOf(option) })),
        initialValue: Math.max(0, found),
        maxItems: mostShown,
      }),
    );
    return options[chosen]!.value;
  }

  async chooseSome(message: string, values: readonly string[]): Promise<readonly string[]> {
    const chosen = await this.ask<number[]>((common) =>
      this.clack.multiselect<number>({
        ...common,
        message: this.wrapped(message),
        options: values.map((each, value) => ({ value, label: escapeControls(each) })),
        required: false,
        maxItems: mostShown,
      }),
    );
    return chosen.map((index) => values[index]!);
  }

  async text(
    message: string,
    initial: string,
    faultOf: (text: string) => string | null,
  ): Promise<string> {
    const given = await this.ask<string | undefined>((common) =>
      this.clack.text({
        ...common,
        message: this.wrapped(message),
        initialValue: escapeControls(initial),
        validate: (text) => {
          const fault = faultOf(text ?? '');
          return fault === null ? undefined : escapeControls(fault);
        },
      }),
    );
    return given ?? '';
  }

  private wrapped(message: string): string {
    return linesWithin(escapeControls(message), this.columns - lead - 2).join('\n');
  }

  private labelOf({ label, detail }: Option<unknown>): string {
    const room = this.columns - lead - 1;
    const details = detail === undefined ? [] : linesWithin(escapeControls(detail), room - 2);
    return [escapeControls(label), ...details.map((line) => `    ${line}`)].join('\n');
  }

  private async ask<Value>(
    prompt: (common: object) => Promise<Value | symbol | undefined>,
  ): Promise<Value> {
    const { input, output } = this.terminal;
    if (this.stop.aborted || input.readableEnded || input.destroyed) throw new Stopped();
    const leaving = new AbortController();
    const leave = () => leaving.abort();
    const onKey = (_: unknown, key?: { ctrl?: boolean; name?: string }) => {
      // The line editor takes Ctrl-D for its own end, and the prompt would wait for ever.
      if (key?.ctrl && key.name === 'd') leave();
    };
    this.stop.addEventListener('abort', leave);
    input.on('keypress', onKey).on('end', leave).on('close', leave);
    try {
      const value = await prompt({ input, output, signal: leaving.signal, withGuide: false });
      if (this.clack.isCancel(value)) throw new Stopped();
      return value as Value;
    } finally {
      this.stop.removeEventListener('abort', leave);
      input.off('keypress', onKey).off('end', leave).off('close', leave);
    }
  }
}
