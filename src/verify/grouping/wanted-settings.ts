/**
 * The settings that vertices want, as numbers: a node's own, else the workflow's. Settings that an
 * option gives to every assistant are wanted by nobody.
 */
import type { Json } from '../../compiler/ir/json.js';
import type { Settled } from '../../compiler/ir/options.js';
import { type SettingName, type Settings, settingNames } from '../../compiler/ir/workflow.js';
import type { Quotient } from './quotient.js';

export interface WantedSettings {
  /** Settings that nodes can differ in; none where no node that talks has one of its own. */
  readonly names: readonly SettingName[];
  /** What the vertex wants of a setting; two that want the same have the same number. */
  readonly of: (vertex: number, name: SettingName) => number;
  /** Whether two vertices want the same of every setting. */
  readonly agree: (one: number, other: number) => boolean;
}

export function readSettings({ graph, nodes, talks }: Quotient, options: Settled): WantedSettings {
  const names = settingNames.filter(
    (name) =>
      !isGiven(name, options) &&
      nodes.some((node, vertex) => talks[vertex] === 1 && graph.nodeAt(node).settings[name]),
  );
  if (names.length === 0) return nothingWanted;
  const numbers = new Map<string, number>();
  const number = (value: Json): number => {
    const text = JSON.stringify(value);
    const known = numbers.get(text) ?? numbers.size;
    numbers.set(text, known);
    return known;
  };
  const columns = new Map(
    names.map((name) => {
      const fallback = number(settingOf(graph.workflow.settings, name) ?? null);
      const ofNode = (settings: Settings) => {
        const own = settingOf(settings, name);
        return own === undefined ? fallback : number(own);
      };
      return [name, Int32Array.from(nodes, (node) => ofNode(graph.nodeAt(node).settings))];
    }),
  );
  const of = (vertex: number, name: SettingName) => columns.get(name)![vertex]!;
  return {
    names,
    of,
    agree: (one, other) => names.every((name) => of(one, name) === of(other, name)),
  };
}

const nothingWanted: WantedSettings = { names: [], of: () => 0, agree: () => true };

function isGiven(name: SettingName, { model, memberOverrides }: Settled): boolean {
  return name === 'model' ? model !== null : Object.hasOwn(memberOverrides, name);
}

function settingOf(settings: Settings, name: SettingName): Json | undefined {
  return settings[name]?.value;
}
