/**
 * unknown → Settled: the options of `compile` and `verify` with their defaults.
 *
 * In: anything, and the usual target of the workflow. Out: the settled options, and a diagnostic
 * for each option that does not exist or is invalid, which counts as absent. No code of the caller
 * runs while they are read.
 */
import { checkAnswers } from '../../diagnostics/answers.js';
import { diagnose } from '../../diagnostics/diagnose.js';
import { faultInWords, soleFaults } from '../../diagnostics/schema-fault.js';
import { optionsSchema } from '../../schemas/options-document.generated.js';
import { validateOptions } from '../../schemas/options-validator.generated.js';
import { kinds } from '../../schemas/questions.generated.js';
import { asObject, type Json, type JsonObject } from '../../text/json.js';
import { elements } from '../../text/parts.js';
import { type JsonPointer, pointer } from '../../text/pointer.js';
import { isPlain, readJson } from '../1-read/copy-json.js';
import { textsWithin } from '../1-read/template.js';
import type { FlowGraph } from '../ir/flow-graph.js';
import { findNearest } from '../ir/names.js';
import type {
  Answer,
  CompileOptions,
  ContextEngineeringPlan,
  Settled,
  Target,
  ToolName,
} from '../ir/options.js';
import type { Diagnostic } from '../ir/result.js';
import { textsOf } from '../ir/texts.js';
import type { Capture, WorkflowNode } from '../ir/workflow.js';
import { type TargetShape, targets } from '../targets.js';

type Report = (option: string, problem: string, at?: JsonPointer) => void;

export function readOptions(given: CompileOptions, usual: Target) {
  const diagnostics: Diagnostic[] = [];
  const report: Report = (option, problem, at = pointer(option)) => {
    diagnostics.push(diagnose('api/option', at, { option, problem }, { in: 'options' }));
  };
  const fields = takeFields(given, report);
  const options = Object.keys(asObject(optionsSchema['properties']));
  const known = [...options, 'answers'];
  for (const option of [...fields.keys()].filter((it) => !known.includes(it)).sort()) {
    const args = { option, near: findNearest(option, known) };
    diagnostics.push(diagnose('api/unknown-option', pointer(option), args, { in: 'options' }));
  }
  const values = new Map<string, Json>();
  for (const [option, field] of fields) {
    // Answers are read separately.
    if (!options.includes(option)) continue;
    const { value, faults } = readJson(field);
    if (faults.length === 0) values.set(option, value!);
    for (const { code, at } of faults) {
      const where = at === '' ? 'its value' : `the value at ${at}`;
      const problem = `${where} is not JSON (${code.replace('shape/', '')})`;
      report(option, problem, `${pointer(option)}${at}`);
    }
  }
  // If the target itself is invalid, its features are unknown.
  const shape = targets[(values.get('target') ?? usual) as Target] as TargetShape | undefined;
  if (values.get('pass') === 'arguments' && shape?.hasFunctions === false) {
    const problem = 'only handoffs of the target vapi have arguments';
    report('pass', `${problem}; set \`target\` to vapi, or \`pass\` to plan`);
    values.delete('pass');
  }
  const isValid = validateOptions(Object.fromEntries(values));
  for (const fault of isValid ? [] : soleFaults(validateOptions.errors ?? [])) {
    const [, option = '', ...path] = fault.instancePath.split('/');
    const instancePath = path.map((key) => `/${key}`).join('');
    const own = `\`${path.join('.')}\` comes from the workflow, so it cannot be set here`;
    const isOwn = fault.keyword === 'false schema';
    report(option, isOwn ? own : faultInWords([{ ...fault, instancePath }], optionsSchema, 'it'));
    values.delete(option);
  }
  const take = <T extends Json>(option: string, preset: T) => (values.get(option) ?? preset) as T;
  const target = take<Target>('target', usual);
  const { value, faults } = readJson(fields.has('answers') ? fields.get('answers') : {});
  const { answers, diagnostics: ofAnswers } = checkAnswers(value, faults, target);
  const { type, maxMessages } = take<JsonObject>('context', { type: 'all' });
  // Without properties that the plan does not have.
  const context = type === 'lastNMessages' ? { type, maxMessages } : { type };
  const settled: Settled = {
    answers: { ...answers, ...(answers.answers && { answers: withMembers(answers.answers) }) },
    target,
    model: take<JsonObject | null>('model', null),
    memberOverrides: take<JsonObject>('memberOverrides', {}),
    handoffTools: take('handoffTools', targets[target].handoffTools),
    pass: take('pass', 'plan'),
    context: context as ContextEngineeringPlan,
    boundary: take('boundary', 'branch'),
    names: new Map(Object.entries(take<Record<string, string>>('names', {}))),
    toolNames: new Map(Object.entries(take('toolNames', {}) as Record<string, ToolName>)),
    dynamicVariables: new Set(take<readonly string[]>('dynamicVariables', [])),
    criticalVariables: new Set(take<readonly string[]>('criticalVariables', [])),
  };
  return { options: settled, diagnostics: [...diagnostics, ...ofAnswers] };
}

/** A text stands for an object whose only required member is a text. */
function withMembers(answers: Readonly<Record<string, Answer>>) {
  const completed = Object.entries(answers).map(([id, answer]): [string, Answer] => {
    const { choice, value } = answer;
    const kind = asObject(asObject(kinds as unknown as Json)[id.split(':', 1)[0]!]);
    const form = asObject(asObject(asObject(kind['choices'])[choice])['value']);
    const [member, ...others] = elements(form['required']).map(String);
    const { type } = asObject(asObject(form['properties'])[member ?? '']);
    if (typeof value !== 'string' || type !== 'string' || others.length > 0) return [id, answer];
    return [id, { choice, value: { [member!]: value } }];
  });
  return Object.fromEntries(completed);
}

/** The options that are set, unchanged; none if they cannot be read. */
function takeFields(given: unknown, report: Report): ReadonlyMap<string, unknown> {
  const fields = new Map<string, unknown>();
  try {
    const options = given ?? {};
    const isObject = typeof options === 'object' && !Array.isArray(options) && isPlain(options);
    if (!isObject) report('options', 'they must be a plain object');
    const all = isObject ? Object.entries(Object.getOwnPropertyDescriptors(options)) : [];
    for (const [option, { value, get }] of all) {
      if (get !== undefined) report(option, 'it is a getter');
      else if (value !== undefined) fields.set(option, value);
    }
  } catch {
    report('options', 'they cannot be read', '');
  }
  return fields;
}

/**
 * Warns about names in options that nothing reads. A saved assistant or tool may read variables
 * that squadc cannot see. With `isReported`, captures are reported after the call.
 */
export function warnAboutUnread(
  { workflow, order, leaving }: FlowGraph,
  { criticalVariables, dynamicVariables, memberOverrides }: Settled,
  isReported: boolean,
): Diagnostic[] {
  const nodes = order.map((index) => workflow.nodes[index]!);
  const isKept = (node: WorkflowNode) =>
    node.assistant?.savedAs != null || node.tools.some(({ value }) => value === null);
  if (criticalVariables.size + dynamicVariables.size === 0 || nodes.some(isKept)) return [];
  const own = nodes.flatMap(({ assistant }) => assistant?.settings ?? []);
  const passed = [
    ...[workflow, ...nodes].flatMap((it) => Object.values(it.settings)),
    ...[...workflow.shared, ...own].map(({ value }) => value),
  ].map(({ value }) => value);
  const conditions = order.flatMap((node) => leaving[node]!.map(({ condition }) => condition));
  const texts = [
    ...[workflow.globalPrompt, ...conditions, ...nodes.map(({ global }) => global?.condition)],
    ...nodes.flatMap((node) => textsOf(node).map(({ value }) => value)),
    ...textsWithin([memberOverrides, ...passed], '', []),
  ];
  const read = new Set(texts.flatMap((text) => (text?.uses ?? []).map(({ name }) => name)));
  return Object.entries({ criticalVariables, dynamicVariables }).flatMap(([option, listed]) =>
    [...listed].flatMap((variable) => {
      if (read.has(variable)) return [];
      const isIt = ({ name, alias }: Capture) => name === variable && alias === undefined;
      const isFound = nodes.some(({ captures }) => captures.some(isIt));
      if (option === 'criticalVariables' && isReported && isFound) {
        return [diagnose('data/best-effort', pointer(option), { variable }, { in: 'options' })];
      }
      const args = { option, variable, near: findNearest(variable, read) };
      return [diagnose('api/unread-variable', pointer(option), args, { in: 'options' })];
    }),
  );
}
