/** The platform's side of a guard: what a rejection plan prints, and what that means. */
import { Liquid, type Template } from 'liquidjs';
import { expect } from 'vitest';
import type { Tool } from './vapi-documents.js';

const liquid = new Liquid();
const parsed = new Map<string, Template[]>();

export type Values = Readonly<Record<string, unknown>>;

/** Whether the platform refuses the call: all conditions have printed `true`. */
export function isRefused(tool: Tool | undefined, values: Values): boolean {
  const printed = (tool?.rejectionPlan?.conditions ?? []).map((condition) =>
    render(condition.liquid, values),
  );
  expect(printed.filter((text) => text !== 'true' && text !== 'false')).toEqual([]);
  expect(printed.length).toBeGreaterThan(0);
  return printed.every((text) => text === 'true');
}

/** Every combination of the values of some variables. */
export function combine(domains: Readonly<Record<string, readonly unknown[]>>): Values[] {
  return Object.entries(domains).reduce<Values[]>(
    (all, [name, values]) => all.flatMap((one) => values.map((it) => ({ ...one, [name]: it }))),
    [{}],
  );
}

function render(text: string, values: Values): string {
  const template = parsed.get(text) ?? liquid.parse(text);
  parsed.set(text, template);
  return liquid.renderSync(template, { ...values });
}
