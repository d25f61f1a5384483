/**
 * What each target can, as named properties; whoever needs to know asks here.
 *
 * Target `squad` is the shape of spec/3, `vapi` the body of the platform's create-squad call.
 */
import type { Target } from './ir/options.js';

export interface TargetShape {
  /** Where the squad stands in the document. */
  readonly root: '' | '/squad';
  /** The key of the settings that all members share. */
  readonly sharedKey: 'memberOverrides' | 'membersOverrides';
  /** Whether the squad, its handoff tools and what ends a call have names that it can show. */
  readonly hasFunctions: boolean;
  /** Whether what a tool sends and receives is described by JSON Schemas. */
  readonly hasSchemas: boolean;
  /** Whether an assistant without a first message would fall silent after a handoff. */
  readonly needsOpening: boolean;
  /** Whether a member can add settings and tools to a saved assistant. */
  readonly extendsSaved: boolean;
  /** Whether numbers must be E.164 unless the check is turned off, and plans must have a mode. */
  readonly checksTransfers: boolean;
}

export const targets: Readonly<Record<Target, TargetShape>> = {
  squad: {
    root: '/squad',
    sharedKey: 'memberOverrides',
    hasFunctions: false,
    hasSchemas: false,
    needsOpening: false,
    extendsSaved: false,
    checksTransfers: false,
  },
  vapi: {
    root: '',
    sharedKey: 'membersOverrides',
    hasFunctions: true,
    hasSchemas: true,
    needsOpening: true,
    extendsSaved: true,
    checksTransfers: true,
  },
};
