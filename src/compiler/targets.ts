/**
 * What each target can, as named properties; whoever needs to know asks here.
 *
 * Target `squad` is the shape of spec/3, `vapi` the body of the platform's create-squad call.
 */
import { isObject, type JsonObject } from '../text/json.js';
import type { HandoffTools, Target } from './ir/options.js';
import type { Dialect } from './ir/workflow.js';

export interface TargetShape {
  readonly name: Target;
  /** Where the squad stands in the document. */
  readonly root: '' | '/squad';
  /** The key of the settings that all members share. */
  readonly sharedKey: 'memberOverrides' | 'membersOverrides';
  /** Whether the squad, its handoff tools and what ends a call have names that it can show. */
  readonly hasFunctions: boolean;
  /** Whether what a tool sends and receives is described by JSON Schemas. */
  readonly hasSchemas: boolean;
  /** Whether a name that only the conversation fills in is marked, so that it is never rendered. */
  readonly marksTokens: boolean;
  /** Whether an assistant without a first message would fall silent after a handoff. */
  readonly needsOpening: boolean;
  /** Whether a member can add settings and tools to a saved assistant. */
  readonly extendsSaved: boolean;
  /** Whether numbers must be E.164 unless the check is turned off, and plans must have a mode. */
  readonly checksTransfers: boolean;
  /** Whether the schema of a squad is the platform's, which may know more than is published. */
  readonly isOfPlatform: boolean;
  /** The usual handoff tools. */
  readonly handoffTools: HandoffTools;
}

export const targets: Readonly<Record<Target, TargetShape>> = {
  squad: {
    name: 'squad',
    root: '/squad',
    sharedKey: 'memberOverrides',
    hasFunctions: false,
    hasSchemas: false,
    marksTokens: false,
    needsOpening: false,
    extendsSaved: false,
    checksTransfers: false,
    isOfPlatform: false,
    handoffTools: 'grouped',
  },
  vapi: {
    name: 'vapi',
    root: '',
    sharedKey: 'membersOverrides',
    hasFunctions: true,
    hasSchemas: true,
    marksTokens: true,
    needsOpening: true,
    extendsSaved: true,
    checksTransfers: true,
    isOfPlatform: true,
    handoffTools: 'auto',
  },
};

/** The target that a document has the shape of. */
export function targetOf(document: JsonObject): Target {
  return isObject(document['squad']) ? 'squad' : 'vapi';
}

/** The usual target of a workflow; null if its dialect is unknown. */
export function usualTarget(dialect: Dialect | null): Target {
  return dialect === 'spec' ? 'squad' : 'vapi';
}
