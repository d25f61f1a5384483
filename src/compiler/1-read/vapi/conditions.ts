/**
 * When an edge is taken (PLATFORM dialect: a text, or an object with a type).
 *
 * An edge that lists several texts is taken when one of them holds, so it is as many edges. What
 * the source says by a mark alone (a tool that failed) gets words of squadc's own.
 */
import { diagnose } from '../../../diagnostics/diagnose.js';
import { child, type JsonPointer } from '../../ir/ids.js';
import { isJsonObject } from '../../ir/json.js';
import type { Condition } from '../../ir/workflow.js';
import { nameType, readList } from '../fields.js';
import { conditionAt, readCondition } from '../texts.js';
import { type Reading, take, takeInside, takeString } from './reading.js';

/** Ways of one edge; null for a way without a condition. At least one. */
export type Ways = readonly (Condition | null)[];

const unconditional: Ways = [null];
/** Fields that hold the words of a condition, by the type that uses them first. */
const wordFields = ['prompt', 'liquid', 'expression', 'condition', 'text', 'description', 'value'];
const spoken: ReadonlySet<string> = new Set(['ai', 'semantic']);
const exact: ReadonlySet<string> = new Set(['logic', 'logical', 'programmatic', 'liquid']);
const failing: ReadonlySet<string> = new Set(['failed', 'failure', 'error']);
const always: ReadonlySet<string> = new Set(['always', 'none', 'default', 'unconditional']);

/** The ways of the edge. */
export function takeWays(edge: Reading): Ways {
  if (!isJsonObject(edge.value['condition'])) {
    const field = take(edge, 'condition');
    return field === null ? unconditional : [readCondition(edge, field)];
  }
  const condition = takeInside(edge, 'condition');
  return condition === null ? unconditional : takeTyped(condition);
}

function takeTyped(condition: Reading): Ways {
  const said = takeString(condition, 'type') ?? 'ai';
  const type = said.toLowerCase();
  if (always.has(type)) return unconditional;
  if (failing.has(type)) return [failedCondition(condition.at)];
  const ways = takeWords(condition, exact.has(type));
  const isKnown = spoken.has(type) || exact.has(type);
  if (ways !== null && !isKnown) {
    const at = child(condition.at, 'type');
    condition.faults.push(diagnose('shape/unknown-condition-type', at, { type: said }));
  }
  if (ways !== null || spoken.has(type)) return ways ?? unconditional;
  const args = { field: 'prompt', of: `a condition of the type ${type}` };
  condition.faults.push(diagnose('shape/missing-field', condition.at, args));
  return unconditional;
}

/** What the condition says, whatever its type; null where it has no field for that. */
function takeWords(condition: Reading, marked: boolean): Ways | null {
  const listed = takeMatches(condition, marked);
  if (listed.length > 0) return listed;
  const field = take(condition, ...wordFields);
  return field === null ? null : [readCondition(condition, field, marked)];
}

/** The texts of `matches`, one of which has to hold. */
function takeMatches(condition: Reading, marked: boolean): Condition[] {
  if (take(condition, 'matches') === null) return [];
  const at = child(condition.at, 'matches');
  return (readList(condition, 'matches') ?? []).flatMap((value, index) => {
    if (typeof value === 'string') {
      return value.trim() === ''
        ? []
        : [conditionAt(value, child(at, index), condition.faults, marked)];
    }
    const args = { field: `matches[${index}]`, expected: 'a text', found: nameType(value) };
    condition.faults.push(diagnose('shape/wrong-type', child(at, index), args));
    return [];
  });
}

/** The source marks the branch for a tool that failed, and has no words for it. */
function failedCondition(at: JsonPointer): Condition {
  const text = conditionAt('the tool call failed', at, [], false);
  return { ...text, rule: 'failed-tool' };
}
