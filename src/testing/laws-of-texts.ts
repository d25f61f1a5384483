/** The law that no word is lost: each text of the source stands in the squad, where it belongs. */
import { demand, type Ground, type LawOptions, stand, textAt } from './law-ground.js';
import { nodeOf, type SourceEdge } from './source.js';
import { isExit, type SpecNode, type SpecWorkflow } from './spec-workflow.js';
import { memberCount, ownersOf, toolsOf } from './squad-tracks.js';

/** Prompts, lines, conditions and messages stand word for word with the assistant that owns them. */
export function textsStandWordForWord(workflow: SpecWorkflow, options: LawOptions = {}): void {
  const ground = stand(workflow, options);
  const { source } = ground.tracks;
  for (const index of source.reachable) {
    const node = nodeOf(source, index);
    const owners = ownersOf(ground.tracks, index);
    for (const member of owners) nodeTexts(ground, node, member);
    if (node.isGlobal) globalTexts(ground, node);
  }
  for (const edge of source.edges) edgeText(ground, edge);
  for (const member of members(ground)) {
    const { globalPrompt } = workflow;
    demand(globalPrompt === undefined || content(ground, member).includes(globalPrompt), () =>
      missing(globalPrompt, member, 'the prompt'),
    );
  }
}

function nodeTexts(ground: Ground, node: SpecNode, member: number): void {
  const { firstMessage, systemPrompt, transferPlan } = node;
  const prompt = content(ground, member);
  if (systemPrompt !== undefined) {
    demand(prompt.includes(systemPrompt), () => missing(systemPrompt, member, 'the prompt'));
  }
  if (firstMessage !== undefined) {
    const said =
      textAt(ground, `/squad/members/${member}/assistant/firstMessage`) === firstMessage ||
      prompt.includes(`Say: "${firstMessage}"`);
    demand(said, () => missing(firstMessage, member, 'what is said'));
  }
  if (transferPlan !== undefined) {
    const said = transfers(ground, member).some(
      (at) => textAt(ground, `${at}/message`) === transferPlan.message,
    );
    demand(said, () => missing(transferPlan.message, member, 'the transfers'));
  }
}

/** A global's condition stands in every member: it can be entered from anywhere. */
function globalTexts(ground: Ground, { condition, type, transferPlan }: SpecNode): void {
  for (const member of members(ground)) {
    const texts = [content(ground, member), ...descriptions(ground, member)];
    if (condition !== undefined) {
      demand(
        texts.some((text) => text.includes(condition)),
        () => missing(condition, member, `the ways to a global ${type}`),
      );
    }
    if (transferPlan === undefined) continue;
    const messages = transfers(ground, member).map((at) => textAt(ground, `${at}/message`));
    demand(messages.includes(transferPlan.message), () =>
      missing(transferPlan.message, member, 'the global transfers'),
    );
  }
}

/** The condition of a handoff or a transfer describes it; that of an inner step is in the prompt. */
function edgeText(ground: Ground, { index, from, to, condition }: SourceEdge): void {
  if (condition === undefined) return;
  const { tracks } = ground;
  const outputs = tracks.entry('edge', `/edges/${index}`)?.outputs ?? [];
  for (const member of ownersOf(tracks, from)) {
    const here = outputs.filter((at) => at.startsWith(`/squad/members/${member}/`));
    demand(here.length > 0, () => `edge ${index} has no place in member ${member}`);
    for (const at of here) {
      demand(describing(ground, at).includes(condition), () => missing(condition, member, at));
    }
    const transfer = nodeOf(tracks.source, to).type === 'transferCall';
    const wanted = transfer || !isExit(nodeOf(tracks.source, to)) || here.every(isContent);
    demand(
      wanted,
      () => `the way to the end by edge ${index} is not in the prompt: ${here.join()}`,
    );
  }
}

/** The text that says when the output at this place is taken. */
function describing(ground: Ground, at: string): string {
  if (isContent(at)) return textAt(ground, at);
  return textAt(ground, `${at}/description`) || textAt(ground, `${at}/destinations/0/description`);
}

function isContent(at: string): boolean {
  return at.endsWith('/messages/0/content');
}

function members({ tracks }: Ground): number[] {
  return Array.from({ length: memberCount(tracks) }, (_, member) => member);
}

function content(ground: Ground, member: number): string {
  return textAt(ground, `/squad/members/${member}/assistant/model/messages/0/content`);
}

function transfers({ tracks }: Ground, member: number): string[] {
  return toolsOf(tracks, member, 'transferCall').map((at) => `${at}/destinations/0`);
}

/** The descriptions of a member's tools and destinations. */
function descriptions(ground: Ground, member: number): string[] {
  const { tracks } = ground;
  const tools = (['handoff', 'transferCall', 'apiRequest'] as const).flatMap((type) =>
    toolsOf(tracks, member, type),
  );
  return tools.flatMap((tool) =>
    [tool, ...[0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((number) => `${tool}/destinations/${number}`)].map(
      (at) => textAt(ground, `${at}/description`),
    ),
  );
}

function missing(text: string | undefined, member: number, where: string): string {
  return `${JSON.stringify(text)} is not in ${where} of member ${member}`;
}
