/** What each member of a squad is told and says, as Markdown for a reviewer. */
import type { Json, JsonObject } from '../../src/index.js';
import { valueAt } from '../../src/simulator/squad.js';

/** One heading per member, then its first message and its system message. */
export function renderPrompts(document: object): string {
  const squad = valueAt(document as Json, '/squad') ?? (document as Json);
  const members = valueAt(squad, '/members') as readonly Json[];
  return members.map(renderMember).join('\n');
}

function renderMember(member: Json): string {
  const id = valueAt(member, '/assistantId');
  if (id !== undefined)
    return `# ${id}\n\nSaved on the platform: neither its line nor its prompt is here.\n`;
  const { name, firstMessage } = valueAt(member, '/assistant') as JsonObject;
  const system = valueAt(member, '/assistant/model/messages/0/content');
  const first = firstMessage === undefined ? [] : ['First message:\n', fence(String(firstMessage))];
  return [`# ${name}\n`, ...first, 'System message:\n', fence(String(system))].join('\n');
}

/** A block that no back-ticks of the text can end. */
function fence(text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const ticks = '`'.repeat(longest + 1);
  return `${ticks}text\n${text}${text.endsWith('\n') ? '' : '\n'}${ticks}\n`;
}
