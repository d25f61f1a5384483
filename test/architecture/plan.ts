/** The plan of the architecture, as data: how large a folder may be, and what it may import. */

/** Lines of formatted `.ts`, and files: as planned, and as they were when the row was last looked at. */
type Budget = readonly [plan: readonly [number, number], now: readonly [number, number]];

/** By folder below src/; '' are the files directly in src/. A room may grow to the larger of both. */
export const rooms: Readonly<Record<string, Budget>> = {
  '': [
    [300, 7],
    [320, 7],
  ],
  'graph/': [
    [250, 4],
    [295, 4],
  ],
  'text/': [
    [150, 4],
    [218, 5],
  ],
  'io/': [
    [200, 4],
    [278, 3],
  ],
  'compiler/': [
    [8000, 56],
    [10_897, 58],
  ],
  'call/': [
    [1750, 10],
    [1_740, 8],
  ],
  'verify/': [
    [2900, 16],
    [6_819, 33],
  ],
  'diagnostics/': [
    [2000, 14],
    [2_264, 14],
  ],
  'scenarios/': [
    [850, 9],
    [1_346, 11],
  ],
  'replay/': [
    [750, 7],
    [750, 7],
  ],
  'testing/': [
    [1900, 15],
    [2_854, 18],
  ],
  'clients/': [
    [2300, 24],
    [2_886, 24],
  ],
  'serve/': [
    [1850, 12],
    [2_263, 12],
  ],
  'sandbox/': [
    [1200, 9],
    [1_721, 10],
  ],
  'platform/': [
    [1500, 10],
    [1_569, 9],
  ],
  'batch/': [
    [1600, 14],
    [2_013, 13],
  ],
  'report/': [
    [5000, 44],
    [4_634, 42],
  ],
  'cli/': [
    [3600, 35],
    [5_102, 39],
  ],
};

export const mostLinesOfFile = 400;
export const mostFilesOfFolder = 20;

/** Files that run in a browser and give the same result everywhere. */
export const pure =
  /^(?:(?:compiler|call|verify|graph|diagnostics|scenarios|replay|text)\/|serve\/(?:table|arguments)\.)/;

/** Name, files, and the layers that they may import besides their own. */
type Layer = readonly [name: string, files: RegExp, imports: string];

/**
 *     cli → batch, report, replay, scenarios, platform, serve, sandbox, testing → clients, io, index → compile
 *         → phases → diagnostics → ir → graph, text
 *
 * and separately verify, the independent verifier. A file belongs to the first matching row. The
 * clients and the compiler do not depend on each other.
 */
export const layers: readonly Layer[] = [
  ['index', /^index\.ts$/, 'compile verify replay own'],
  ['clients', /^(?:clients\/|(?:bills|documents)(?:-schemas)?\.ts$)/, 'own'],
  ['serve', /^(?:serve\/|tools\.ts$)/, 'clients index own'],
  ['sandbox', /^sandbox\//, 'clients own'],
  ['testing', /^testing(?:\.ts$|\/)/, 'call scenarios sandbox compile verify index own'],
  [
    'cli',
    /^cli\//,
    'batch report replay scenarios platform serve sandbox clients testing io index own',
  ],
  ['batch', /^batch\//, 'report platform serve io index own'],
  ['report', /^report\//, 'call replay scenarios compile serve io index own'],
  ['replay', /^replay\//, 'call scenarios compile phase own'],
  ['scenarios', /^scenarios\//, 'call compile phase own'],
  ['platform', /^platform\//, 'clients io index own'],
  ['io', /^io\//, 'own'],
  ['targets', /^compiler\/targets\.ts$/, 'ir text'],
  ['compile', /^compiler\/[a-z-]+\.ts$/, 'phase ask verify own'],
  ['ask', /^compiler\/2-ask\//, 'phase own'],
  ['phase', /^compiler\/\d-[a-z]+\//, 'own'],
  // For sceptics: shares nothing with the compiler.
  ['conserve', /^verify\/conserve/, 'graph text'],
  ['verify', /^verify\//, 'call conserve phase ask own'],
  ['call', /^call\//, 'own'],
  ['diagnostics', /^diagnostics\//, 'schemas names targets ir graph text'],
  ['schemas', /^schemas\//, 'text'],
  ['names', /^compiler\/names\//, 'ir text'],
  ['ir', /^compiler\/ir\//, 'targets graph text'],
  ['graph', /^graph\//, ''],
  ['text', /^text\//, ''],
];

/** The layers that every layer may import: `own` in the table. */
export const own = 'diagnostics schemas names targets ir graph text';

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
  replay: /^compiler\/1-read\//,
};
