/** Squads for target vapi, and what tests want to see of them. */
import { expect } from 'vitest';
import type { JsonObject } from '../../../src/compiler/ir/json.js';
import { type CompileOptions, type CompileResult, compile } from '../../../src/index.js';
import { validateVapiSquad } from '../../../src/schemas/validators.generated.js';

/** The parts of a tool that are written for this target; all that is there is seen by `toEqual`. */
export interface Tool {
  readonly type: string;
  readonly name?: string;
  readonly destinations?: readonly Record<string, unknown>[];
  readonly function?: { readonly name: string; readonly parameters?: unknown };
  readonly messages?: readonly unknown[];
  readonly rejectionPlan?: { readonly conditions: readonly { liquid: string }[] };
  readonly headers?: unknown;
  readonly body?: unknown;
  readonly parameters?: unknown;
}

export interface Assistant {
  readonly name: string;
  readonly firstMessage: string;
  readonly firstMessageMode?: string;
  readonly model: { readonly tools?: readonly Tool[] };
}

export interface Document {
  readonly name?: string;
  readonly members: readonly { readonly assistant: Assistant }[];
  readonly membersOverrides?: unknown;
}

/** Compiles for the platform; fails where that is not complete or not of the published shape. */
export function compileVapi(workflow: unknown, options: CompileOptions = {}) {
  const result: CompileResult = compile(workflow, { ...options, target: 'vapi' });
  expect(result.questions.map(({ id }) => id)).toEqual([]);
  expect(result.status).toBe('complete');
  validateVapiSquad(result.output);
  expect(validateVapiSquad.errors ?? []).toEqual([]);
  const document = result.output as unknown as Document;
  return { result, document };
}

/** The tools of the assistant with this name. */
export function toolsOf({ members }: Document, name: string): readonly Tool[] {
  const found = members.find(({ assistant }) => assistant.name === name);
  return found?.assistant.model.tools ?? expect.unreachable(`no assistant ${name} with tools`);
}

export function handoffsOf(document: Document, name: string): readonly Tool[] {
  return toolsOf(document, name).filter(({ type }) => type === 'handoff');
}

/** The names of the assistants that a handoff tool leads to. */
export function targetsOf({ destinations = [] }: Tool): unknown[] {
  return destinations.map(({ assistantName }) => assistantName);
}

interface Settings {
  readonly members: readonly { readonly assistant?: JsonObject }[];
  readonly membersOverrides?: object;
}

/** Voices and the like go through as they are; those of the examples are made up. */
export function withoutSettings(squad: object): object {
  const { membersOverrides, members, ...rest } = squad as Settings;
  const own = members.map(({ assistant, ...saved }) => {
    if (assistant === undefined) return saved;
    const { voice: _, transcriber: __, ...kept } = assistant;
    return { assistant: kept };
  });
  const shared = membersOverrides === undefined ? {} : { membersOverrides: {} };
  return { ...rest, members: own, ...shared };
}
