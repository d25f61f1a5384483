/** Rules of the compiler, broken one at a time by a patch of the module that holds the rule. */

// biome-ignore lint/suspicious/noExplicitAny: the patches replace functions of many types
type Any = any;
export type Module = Record<string, Any>;
export type Patch = (original: Module) => Module;

/** What is broken, the module that it is in, and how. */
export const patches: readonly (readonly [rule: string, module: string, patch: Patch])[] = [
  [
    'a plan forgets its first variable',
    '5-lower/plans.js',
    ({ computePlans }) => ({
      computePlans: (...given: Any[]) => {
        const plans = computePlans(...given);
        return {
          ofStep: (step: Any) => plans.ofStep(step).slice(1),
          ofGlobal: (...way: Any[]) => plans.ofGlobal(...way),
          variables: plans.variables,
        };
      },
    }),
  ],
  [
    'handoffs to global nodes have no plans',
    '5-lower/plans.js',
    ({ computePlans }) => ({
      computePlans: (...given: Any[]) => {
        const plans = computePlans(...given);
        return {
          ofStep: (step: Any) => plans.ofStep(step),
          ofGlobal: () => [],
          variables: plans.variables,
        };
      },
    }),
  ],
  [
    'every variable is live everywhere',
    '3-analyze/liveness.js',
    ({ createLiveIn }) => ({
      createLiveIn: (...given: Any[]) => {
        const liveIn = createLiveIn(...given);
        return (variable: Any) => liveIn(variable).fill(1);
      },
    }),
  ],
  [
    'no variable is live anywhere',
    '3-analyze/liveness.js',
    ({ createLiveIn }) => ({
      createLiveIn: (...given: Any[]) => {
        const liveIn = createLiveIn(...given);
        return (variable: Any) => liveIn(variable).fill(0);
      },
    }),
  ],
  [
    'properties of plans are all texts',
    '5-lower/plan-properties.js',
    ({ planProperties }) => ({
      planProperties: (...given: Any[]) =>
        planProperties(...given).map((it: Any) => ({ ...it, type: 'string', enum: null })),
    }),
  ],
  [
    'what is to be demanded stands in plans',
    '5-lower/arguments.js',
    () => ({ chooseArguments: () => () => false }),
  ],
  [
    'what stands in plans is demanded',
    '5-lower/arguments.js',
    ({ canBeArgument }) => ({ chooseArguments: () => canBeArgument }),
  ],
  [
    'arguments may be left out',
    '6-emit/vapi-calls.js',
    ({ assembleHandoffFunction }) => ({
      assembleHandoffFunction: (...given: Any[]) => {
        const { parameters, ...others } = assembleHandoffFunction(...given);
        if (parameters === undefined) return others;
        return { ...others, parameters: { ...parameters, required: ['destination'] } };
      },
    }),
  ],
  ['global nodes are not spoken of', '5-lower/next-steps.js', () => ({ writeGlobals: () => [] })],
  [
    'global nodes have no handoffs',
    '5-lower/handoffs.js',
    () => ({ lowerGlobalHandoffs: () => [] }),
  ],
  [
    'the last handoff of a node is skipped',
    '5-lower/handoffs.js',
    ({ lowerHandoffs }) => ({
      lowerHandoffs: (...given: Any[]) => lowerHandoffs(...given).slice(0, -1),
    }),
  ],
  [
    'chains are left apart',
    '4-group/chains.js',
    () => ({ mergeChains: (_within: Any, stages: Any) => stages }),
  ],
  [
    'stages are merged across a boundary',
    '4-group/tool-only-stages.js',
    ({ placeTools }) => ({
      placeTools: (within: Any, given: Any) => {
        const [first, second, ...others] = placeTools(within, given);
        if (second === undefined) return [first];
        const nodes = [...new Set([...first.nodes, ...second.nodes])];
        return [{ ...first, nodes }, ...others];
      },
    }),
  ],
  [
    'equal nodes are left apart',
    '4-group/equal-nodes.js',
    () => ({
      computeRepresentatives: ({ workflow }: Any) =>
        new Int32Array(workflow.nodes.length).map((_, node) => node),
    }),
  ],
  ['lines are lost', '5-lower/spoken.js', () => ({ writeLine: () => {} })],
  ['calls of tools are lost', '5-lower/spoken.js', () => ({ writeToolCalls: () => {} })],
  [
    'texts lose their white space',
    '5-lower/pens.js',
    ({ composeBy }) => quotingAs(composeBy, (text) => text.replaceAll(/\s+/g, ' ').trim()),
  ],
  [
    'texts lose their last word',
    '5-lower/pens.js',
    ({ composeBy }) => quotingAs(composeBy, (text) => text.replace(/\s\S+$/, '')),
  ],
  [
    'conditions are reworded',
    '5-lower/conditions.js',
    ({ Speaker }) => ({
      Speaker: class extends Speaker {
        whenHandedOff(step: Any) {
          const said = super.whenHandedOff(step);
          return { ...said, value: `probably ${said.value}` };
        }
      },
    }),
  ],
  ['transfers are lost', '5-lower/transfers.js', () => ({ lowerTransfers: () => new Map() })],
  [
    'transfers go to another number',
    '5-lower/transfers.js',
    () => ({ writeDestinations: (pen: Any) => pen.words('+14155550199') }),
  ],
  [
    'names that were given are ignored',
    '5-lower/assistant-names.js',
    ({ nameAll }) => ({
      nameAll: (graph: Any, map: Any, features: Any, options: Any) =>
        nameAll(graph, map, features, { ...options, names: new Map() }),
    }),
  ],
  [
    'responses set nothing',
    '5-lower/aliases.js',
    () => ({
      responsesOf: () => ({ schema: null, aliases: [] }),
    }),
  ],
  [
    'requests call another url',
    '5-lower/request-tools.js',
    ({ lowerRequest }) => ({
      lowerRequest: (...given: Any[]) => {
        const tool = lowerRequest(...given);
        return 'url' in tool ? { ...tool, url: { ...tool.url, value: 'https://x.example' } } : tool;
      },
    }),
  ],
  ['exact conditions are not guarded', '5-lower/guards.js', () => ({ rejectionsOf: () => [] })],
  [
    'settings are forgotten',
    '5-lower/settings.js',
    ({ lowerSettings }) => ({
      lowerSettings: (...given: Any[]) => {
        const settings = lowerSettings(...given);
        return { ...settings, shared: [], own: settings.own.map(() => []) };
      },
    }),
  ],
  [
    'answers about conditions are not carried out',
    '5-lower/assistant-tools.js',
    ({ lowerTools }) => ({
      lowerTools: (...given: Any[]) =>
        lowerTools(...given).filter(({ kind }: Any) => kind !== 'function'),
    }),
  ],
];

/** Long texts whose quotations are changed. */
function quotingAs(composeBy: Any, change: (text: string) => string): Module {
  const changed = (pen: Any) => ({
    words: (text: string) => pen.words(text),
    quote: (text: Any) => pen.quote({ ...text, value: change(text.value) }),
    derive: (...given: Any[]) => pen.derive(...given),
  });
  return {
    composeBy: (write: Any, about: Any) =>
      composeBy((pen: Any) => write(changed(pen), about), about),
  };
}
