/** The rules of `summary.sarif`: everything that squadc can find, with its long text. */
import { codes, explain } from '../diagnostics/explain.js';
import { plainMessage } from './sarif-message.js';

export interface SarifRule {
  readonly id: string;
  readonly shortDescription?: { readonly text: string };
  readonly fullDescription?: { readonly text: string };
  readonly help?: { readonly text: string };
  readonly defaultConfiguration?: { readonly level: 'error' | 'warning' | 'note' };
}

/** All rules by id; with a rule of its own for an id that only the results know. */
export function rulesFor(ids: Iterable<string>): SarifRule[] {
  const rules = new Map(codes().map((code) => [code, ruleOf(code)]));
  for (const id of ids) if (!rules.has(id)) rules.set(id, { id });
  return [...rules.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}

const levels = { error: 'error', warning: 'warning', info: 'note' } as const;

function ruleOf(code: string): SarifRule {
  const explained = explain(code);
  if (explained === null) return { id: code };
  const { title, why, help, severity = 'warning' } = explained;
  return {
    id: code,
    shortDescription: plainMessage(title),
    ...(why !== undefined && { fullDescription: plainMessage(why) }),
    help: plainMessage(help),
    defaultConfiguration: { level: levels[severity] },
  };
}
