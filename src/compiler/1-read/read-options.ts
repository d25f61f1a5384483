/** unknown → Settled: compile options with their defaults, and what is wrong with them. */
import type { JsonObject } from '../ir/json.js';
import type {
  Boundary,
  CompileOptions,
  HandoffTools,
  Pass,
  Settled,
  Target,
  Tools,
} from '../ir/options.js';
import type { Diagnostic } from '../ir/result.js';
import { type Fail, failInto, takeOptions } from './given-options.js';
import { readAnswers } from './read-answers.js';
import {
  readContext,
  readModel,
  readNames,
  readOverrides,
  readVariables,
} from './read-assistant-options.js';
import { readBindings, readServiceUrls, readToolServer } from './tools/read-tool-options.js';

export interface ReadOptions {
  readonly options: Settled;
  readonly diagnostics: readonly Diagnostic[];
}

const targets: readonly Target[] = ['squad', 'vapi'];
const boundaries: readonly Boundary[] = ['branch', 'tools'];
const handoffTools: readonly HandoffTools[] = ['grouped', 'separate', 'auto'];
const passes: readonly Pass[] = ['extraction', 'arguments'];
const tools: readonly Tools[] = ['server', 'direct'];

export function readOptions(given: CompileOptions): ReadOptions {
  const faults: Diagnostic[] = [];
  const fail = failInto(faults);
  const { options, answers: givenAnswers } = takeOptions(given, faults);
  const target = oneOf(options, 'target', targets, 'squad', fail);
  const { answers, diagnostics } = readAnswers(givenAnswers, target);
  const reach = oneOf(options, 'tools', tools, 'server', fail);
  const bound = readBindings(options, fail);
  const grouping = target === 'vapi' ? 'auto' : 'grouped';
  return {
    options: {
      answers,
      target,
      model: readModel(options, fail),
      memberOverrides: readOverrides(options, fail),
      handoffTools: oneOf(options, 'handoffTools', handoffTools, grouping, fail),
      pass: readPass(options, target, fail),
      context: readContext(options, fail),
      boundary: oneOf(options, 'boundary', boundaries, 'branch', fail),
      names: readNames(options, fail),
      dynamicVariables: readVariables(options, 'dynamicVariables', fail),
      criticalVariables: readVariables(options, 'criticalVariables', fail),
      bindings: bound.bindings,
      tools: reach,
      toolServer: readToolServer(options, reach, fail),
      serviceUrls: readServiceUrls(options, fail),
    },
    diagnostics: [...faults, ...bound.diagnostics, ...diagnostics],
  };
}

function oneOf<Value extends string>(
  options: JsonObject,
  option: string,
  values: readonly Value[],
  preset: Value,
  fail: Fail,
): Value {
  const given = options[option];
  if (given === undefined) return preset;
  const found = values.find((value) => value === given);
  if (found === undefined) fail(option, `it must be one of ${values.join(', ')}`);
  return found ?? preset;
}

/** Of a target that is wrong itself, nobody knows what it has. */
function readPass(options: JsonObject, target: Target, fail: Fail): Pass {
  const pass = oneOf(options, 'pass', passes, 'extraction', fail);
  if (pass === 'extraction' || target === 'vapi') return pass;
  const hasNone = options['target'] === undefined || options['target'] === target;
  const problem =
    'only handoffs of the target vapi have arguments; ' +
    'set `target` to vapi, or `pass` to extraction';
  if (hasNone) fail('pass', problem);
  return 'extraction';
}
