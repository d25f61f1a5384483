/** The plan of the architecture, as data: how large a folder may be, and what it may import. */

/** Lines of formatted `.ts`, and files; a change of a number needs a reason in the commit. */
type Budget = readonly [lines: number, files: number];

/** By folder below src/; '' are the files directly in src/. */
export const rooms: Readonly<Record<string, Budget>> = {
  '': [321, 7],
  // Folders above the plan have their present size, so that they can only shrink; the comment has the plan.
  'graph/': [364, 4], // 300
  'compiler/': [11_036, 60], // 8,500 in 56; fills in all tools, tells own settings from shared ones
  'verify/': [5_040, 20], // 3,500 in 24; decides roles, payloads and what tools say itself
  'diagnostics/': [2_281, 14], // 1,900; questions show facts
  'simulator/': [1_049, 6], // 500 in 5
  'testing/': [3_081, 18], // 2,500 in 20
  'adapters/http/': [877, 6], // 500 in 6
  'adapters/bills/': [445, 6], // 500 in 7
  'adapters/documents/': [1_718, 13], // 1,100 in 14
  'adapters/sandbox/': [1_858, 12], // 1,300 in 14
  'platform/': [1_771, 10], // 800 in 9; saves assistants, changes what it made, moves numbers
  'scenarios/': [865, 9], // 700 in 8
  'adapters/tools/': [2_367, 12], // 1,300 in 14; took in the binding of operations, once a part of the compiler
  'batch/': [2_144, 15], // 1,700 in 15
  'report/': [4_689, 44], // 3,900 in 42; a page that compiles, and walks a call
  'cli/': [5_264, 40], // 3,500 in 40; walks a call
};

export const mostLinesOfFile = 400;
export const mostFilesOfFolder = 20;

/** Folders in which files may not form cycles. */
export const rebuilt =
  /^(?:graph|compiler|verify|diagnostics|simulator|testing|adapters\/(?:http|bills|documents))\//;

/** Files that run in a browser and give the same result everywhere. */
export const pure =
  /^(?:(?:compiler|verify|graph|diagnostics|simulator|scenarios)\/|adapters\/tools\/(?:table|arguments)\.)/;

/** Name, files, and the layers that they may import besides their own. */
type Layer = readonly [name: string, files: RegExp, imports: string];

/**
 *     cli → batch, report, scenarios, platform, adapters, testing → index → compile → phases
 *         → diagnostics → ir, graph
 *
 * and separately verify, the independent verifier. A file belongs to the first matching row. The
 * adapters and the compiler do not depend on each other.
 */
export const layers: readonly Layer[] = [
  ['index', /^index\.ts$/, 'compile verify diagnostics ir graph'],
  ['adapters', /^(?:adapters\/|(?:bills|documents)(?:-schemas)?\.ts$|tools\.ts$)/, 'index own'],
  ['testing', /^testing(?:\.ts$|\/)/, 'simulator adapters compile index own'],
  ['simulator', /^simulator\//, 'index ir graph'],
  ['cli', /^cli\//, 'batch report scenarios platform adapters testing index own'],
  ['batch', /^batch\//, 'report platform adapters index own'],
  ['report', /^report\//, 'scenarios simulator compile adapters index own'],
  ['scenarios', /^scenarios\//, 'compile phase own'],
  ['platform', /^platform\//, 'adapters index own'],
  ['compile', /^compiler\/[a-z-]+\.ts$/, 'phase ask verify own'],
  ['ask', /^compiler\/2-ask\//, 'phase own'],
  ['phase', /^compiler\/\d-[a-z]+\//, 'own'],
  ['verify', /^verify\//, 'phase ask own'],
  ['diagnostics', /^diagnostics\//, 'schemas names ir graph'],
  ['schemas', /^schemas\//, 'ir'],
  ['names', /^compiler\/names\//, 'ir'],
  ['ir', /^compiler\/ir\//, 'graph'],
  ['graph', /^graph\//, ''],
];

/** The layers that every layer may import: `own` in the table. */
export const own = 'diagnostics schemas names ir graph';

/**
 * What other layers may import of the phases: the verifier may import the reader of workflows and
 * the application of answers (it decides itself which questions are open), scenarios the reader.
 */
export const sharedOfPhases: Readonly<Record<string, RegExp>> = {
  compile: /./,
  // An answer contains texts, which are read like those of the source.
  ask: /^compiler\/1-read\//,
  // Which nodes can be reached, and where variables are set, read and unset, are facts of the source.
  verify: /^compiler\/(?:1-read\/|3-analyze\/)/,
  scenarios: /^compiler\/1-read\//,
};
