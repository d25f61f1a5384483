/**
 * Warnings about a finished squad that the platform accepts, but that will not work well in a call.
 *
 * In: the document with its source map. Out: each warning once, at the first place that shows it.
 */
import { type ArgsOf, type Code, diagnose } from '../../diagnostics/diagnose.js';
import { asObject, textOf } from '../../text/json.js';
import { elements, findPlaces } from '../../text/parts.js';
import { type JsonPointer, valueAt } from '../../text/pointer.js';
import type { FlowGraph } from '../ir/flow-graph.js';
import type { Target } from '../ir/options.js';
import type { Diagnostic } from '../ir/result.js';
import { targets } from '../targets.js';
import type { Assembled } from './assemble.js';

const mostAssistants = 12;
/** With fewer, a model that reasons may have none left to speak. */
const fewestTokens = 1000;
const defaultTokens = 250;

const realtime = /realtime|(?:^|-)live(?:-|$)/;
const reasoning = /^o[1-9]|^gpt-5(?!.*chat)|reason|thinking|-r1\b/;
/** What can end a call, besides exits: tools of a talk node, settings, and what only the platform knows. */
const ending =
  /^(?:endCallPhrases|endCallFunctionEnabled|assistantId|toolIds|toolRefs|endCall|transferCall)$/;

export function adviseOn(assembled: Assembled, graph: FlowGraph, target: Target): Diagnostic[] {
  const { document, sourceMap, memberAt } = assembled;
  const { root, sharedKey, isOfPlatform } = targets[target];
  const squad = asObject(valueAt(document, root));
  const shared = asObject(squad[sharedKey]);
  const assistants = elements(squad['members']).map((member, index) => {
    const { name = '', ...others } = asObject(asObject(member)['assistant']);
    const { model, firstMessage = '', firstMessageMode = '' } = { ...others, ...shared };
    const { model: called = '', maxTokens: tokens = defaultTokens } = asObject(model);
    const isGenerated = textOf(firstMessageMode).includes('generated');
    const line = isGenerated ? '' : textOf(firstMessage);
    const at = `${memberAt(index)}/assistant`;
    return { at, name, line, isGenerated, model: textOf(called), tokens: Number(tokens) };
  });
  const report = <C extends Code>(code: C, output: JsonPointer, args: ArgsOf<C>): Diagnostic => {
    const origin = sourceMap.find((it) => it.output === output)?.origin;
    if (origin && 'option' in origin) {
      return diagnose(code, `/${origin.option}`, args, { in: 'options' });
    }
    return diagnose(code, origin?.kind === 'source' ? origin.at : '', args);
  };
  const reports: Diagnostic[] = [];
  const [first] = assistants;
  const isFirst = (key: string, value: unknown) => key === 'assistantName' && value === first?.name;
  if (first?.line && findPlaces(squad, isFirst).length > 0) {
    const args = { assistant: textOf(first.name), line: first.line };
    reports.push(report('lower/greets-again', `${first.at}/firstMessage`, args));
  }
  const isEnding = (key: string, value: unknown) => ending.test(key === 'type' ? `${value}` : key);
  const last = graph.order.filter((node) => graph.successors[node]!.length === 0);
  // Without a last node, the call is endless, which is reported elsewhere.
  const isOpen = last.length > 0 && last.every((it) => graph.workflow.nodes[it]!.role !== 'exit');
  if (isOpen && findPlaces(squad, isEnding).length === 0) {
    reports.push(diagnose('flow/no-end', '', {}));
  }
  if (!isOfPlatform) return reports;
  const silent = assistants.find((it) => it.isGenerated && realtime.test(it.model));
  if (silent !== undefined) {
    const args = { assistant: textOf(silent.name), model: silent.model };
    reports.push(report('lower/realtime', `${silent.at}/model/model`, args));
  }
  const brief = assistants.find((it) => it.tokens < fewestTokens && reasoning.test(it.model));
  if (brief !== undefined) {
    const { model, tokens } = brief;
    reports.push(report('lower/few-tokens', `${brief.at}/model/model`, { model, tokens }));
  }
  if (assistants.length > mostAssistants) {
    reports.push(diagnose('lower/many-assistants', '', { count: assistants.length }));
  }
  return reports;
}
