/** The body of `POST {base_url}/squad`: read from a file's text, refused where it is another thing. */
import { createHash } from 'node:crypto';
import { compact } from './json-layout.js';

export interface SquadBody {
  /** What is sent. */
  readonly text: string;
  readonly bytes: number;
  /** Of the content: the same for the same squad, however it is laid out. */
  readonly hash: string;
  /** Names of the squad and of its members, as the document gives them. */
  readonly name: string | null;
  readonly members: readonly string[];
}

export type BodyFault =
  | 'not-json'
  | 'not-object'
  /** `{ squad: … }`: a document of target squad. */
  | 'target-squad'
  | 'workflow'
  | 'no-members'
  | 'member'
  /** A key of target squad that the platform does not know. */
  | 'member-overrides';

/** The body in a text without byte order mark. */
export function readSquadBody(text: string): SquadBody | { readonly fault: BodyFault } {
  const document = parse(text);
  if (document === undefined) return { fault: 'not-json' };
  if (!isObject(document)) return { fault: 'not-object' };
  const fault = faultOf(document);
  if (fault !== null) return { fault };
  const members = membersOf(document).map(nameOf);
  const sent = compact(text);
  return {
    text: sent,
    bytes: Buffer.byteLength(sent),
    hash: `sha256:${createHash('sha256').update(sent).digest('hex')}`,
    name: typeof document.name === 'string' ? document.name : null,
    members: members.map((name) => name ?? ''),
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function faultOf(document: Readonly<Record<string, unknown>>): BodyFault | null {
  if ('squad' in document) return 'target-squad';
  if ('workflow' in document || 'nodes' in document) return 'workflow';
  if ('memberOverrides' in document) return 'member-overrides';
  const members = membersOf(document);
  if (members.length === 0) return 'no-members';
  return members.every((each) => nameOf(each) !== null) ? null : 'member';
}

function membersOf({ members }: Readonly<Record<string, unknown>>): readonly unknown[] {
  return Array.isArray(members) ? members : [];
}

/** What a member is called: its assistant's name, or the id of a saved one; null where it is none. */
function nameOf(member: unknown): string | null {
  if (!isObject(member)) return null;
  const { assistant, assistantId } = member;
  if (isObject(assistant)) return typeof assistant.name === 'string' ? assistant.name : '(no name)';
  return typeof assistantId === 'string' ? assistantId : null;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
