/** Overrides that say what nobody asked for. */
import { child } from '../compiler/ir/ids.js';
import { ofSettings } from '../diagnostics/checklist.js';
import type { Comparison } from './comparison.js';
import { type Finding, finding } from './item.js';
import { type Layer, objectOf } from './squad-reading.js';

/** What the layer says beside what was asked for. */
export function findUnasked(
  { value, at }: Layer,
  asked: ReadonlySet<string>,
  faults: Finding[],
): void {
  for (const key of Object.keys(value)) {
    if (asked.has(key)) continue;
    faults.push(finding(false, () => ofSettings.unasked(key), [], [child(at, key)]));
  }
}

/** A saved assistant that the source names keeps its prompt and its tools. */
export function findUnsayable(
  overrides: Layer,
  sayable: ReadonlySet<string>,
  faults: Finding[],
): void {
  findUnasked(overrides, sayable, faults);
  findUnasked(promptsOf(overrides), new Set(), faults);
}

/** Prompt and tools that the squad's overrides put in the place of every assistant's own. */
export function findSharedPrompts(
  { squad: { overrides }, options }: Comparison,
  faults: Finding[],
): void {
  if (overrides === null) return;
  const asked = new Set(Object.keys(objectOf(options.memberOverrides['model'])));
  findUnasked(promptsOf(overrides), asked, faults);
}

function promptsOf({ value, at }: Layer): Layer {
  const { messages, tools, toolIds } = objectOf(value['model']);
  return {
    value: {
      ...(messages === undefined ? {} : { messages }),
      ...(tools === undefined ? {} : { tools }),
      ...(toolIds === undefined ? {} : { toolIds }),
    },
    at: `${at}/model`,
  };
}
