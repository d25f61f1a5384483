/** The values that the flags of `squadc compile` and `squadc check` take, and what they mean. */
import { InvalidArgumentError } from 'commander';
import type { ContextEngineeringPlan, HandoffTools, Pass } from '../index.js';

/** The flags that say what squad is wanted, as the argument parser hands them over. */
export interface SquadFlags {
  readonly answers?: string;
  readonly policy?: readonly Policy[];
  readonly target?: 'squad' | 'vapi';
  readonly boundary: 'branch' | 'tools';
  readonly handoffTools?: HandoffTools;
  readonly pass?: Pass;
  readonly model?: { provider: string; model: string };
  readonly overrides?: string;
  readonly context?: ContextEngineeringPlan;
  readonly dynamic?: string[];
  readonly critical?: string[];
  readonly toolNames?: string;
  readonly bindings?: string;
  readonly tools?: 'server' | 'direct';
  readonly toolServer?: string;
  readonly toolCredential?: string;
  readonly serviceUrl?: readonly ServiceUrl[];
}

/** The flags of `squadc compile`. */
export interface CompileFlags extends SquadFlags {
  readonly acceptProposals?: true;
  readonly output?: string;
  readonly emit?: EmitKind;
  readonly json?: true;
  readonly verbose?: true;
}

export const emitKinds = [
  'flow-graph',
  'regions',
  'squad-ir',
  'source-map',
  'ledger',
  'tool-bindings',
] as const;
export type EmitKind = (typeof emitKinds)[number];

/** A choice for every question of a kind. */
export type Policy = readonly [kind: string, choice: string];

/** `openai/gpt-4o` or `openai:gpt-4o`; whatever follows the first of both signs is the model. */
export function parseModel(text: string): { provider: string; model: string } {
  const separator = text.search(/[/:]/);
  const provider = text.slice(0, Math.max(separator, 0)).trim();
  const model = text.slice(separator + 1).trim();
  if (provider === '' || model === '') {
    throw new InvalidArgumentError('Expected <provider>/<model>, for example openai/gpt-4o.');
  }
  return { provider, model };
}

const contextPlans: Readonly<Record<string, ContextEngineeringPlan>> = {
  all: { type: 'all' },
  none: { type: 'none' },
  'user-and-assistant': { type: 'userAndAssistantMessages' },
  'previous-assistant': { type: 'previousAssistantMessages' },
};

export const contextForms = 'all, none, last:<n>, user-and-assistant, previous-assistant';

/** `all`, `none`, `last:<n>`, `user-and-assistant` or `previous-assistant`. */
export function parseContext(text: string): ContextEngineeringPlan {
  const named = Object.hasOwn(contextPlans, text) ? contextPlans[text] : undefined;
  if (named !== undefined) return named;
  const count = Number(/^last:([1-9]\d{0,8})$/.exec(text)?.[1] ?? 0);
  if (count > 0) return { type: 'lastNMessages', maxMessages: count };
  throw new InvalidArgumentError(`Allowed are ${contextForms}; <n> is a number from 1 on.`);
}

/** `<kind>=<choice>`, added to the policies before it. Whether both exist is the compiler's check. */
export function parsePolicy(text: string, before: readonly Policy[] = []): readonly Policy[] {
  const separator = text.indexOf('=');
  const kind = text.slice(0, Math.max(separator, 0)).trim();
  const choice = text.slice(separator + 1).trim();
  if (kind === '' || choice === '') {
    throw new InvalidArgumentError(
      'Expected <kind>=<choice>, for example cyclic-stages=consolidate.',
    );
  }
  return [...before, [kind, choice]];
}

/** The base address of a service. */
export type ServiceUrl = readonly [service: string, url: string];

/** `<service>=<url>`, added to those before it. Whether both are right is the compiler's check. */
export function parseServiceUrl(text: string, before: readonly ServiceUrl[] = []): ServiceUrl[] {
  const separator = text.indexOf('=');
  const [service, url] = [text.slice(0, Math.max(separator, 0)), text.slice(separator + 1)];
  if (service === '' || url === '') {
    throw new InvalidArgumentError(
      'Expected <service>=<url>, for example bills=https://api.example.com/api.',
    );
  }
  return [...before, [service, url]];
}
