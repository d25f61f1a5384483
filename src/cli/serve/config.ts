/**
 * Reads the configuration of `squadc serve`. The file is untrusted: faults are reported all at
 * once, and never repeat a value, which may be a secret.
 */
import type { Limits, ToolHandlerOptions } from '../../adapters/tools/options.js';
import type { ServerLimits } from '../../adapters/tools/server.js';
import { child, type JsonPointer } from '../../compiler/ir/ids.js';
import { faultInWords, soleFaults } from '../../diagnostics/schema-fault.js';
import { schemaDocuments } from '../../schemas/documents.generated.js';
import { type SchemaFault, validateServeConfig } from '../../schemas/validators.generated.js';
import type { Context } from '../command.js';
import { exitCodes, Refusal } from '../exit.js';
import { inputName, readInput } from '../input/read.js';

/** Members that end in `Env` name environment variables. */
export interface ServeConfig
  extends Pick<ToolHandlerOptions, 'allow' | 'tools' | 'fileHosts' | 'say'> {
  readonly secret?: { readonly env: string | readonly string[]; readonly header?: string };
  readonly bills?: ServicePlace;
  readonly documents?: ServicePlace;
  readonly bind?: Readonly<Record<string, unknown>>;
  /** Limits for calls. */
  readonly limits?: Partial<Limits>;
  /** Limits for connections and requests. */
  readonly server?: Partial<ServerLimits>;
}

/** An address and the names of environment variables; the schema says which. */
export type ServicePlace = Readonly<Record<string, string>>;

export interface Fault {
  readonly at: JsonPointer;
  readonly what: string;
}

export async function readConfig(file: string, { io, api }: Context): Promise<ServeConfig> {
  // The reader of workflows only parses, so it reads any JSON.
  const { workflow: value, diagnostics } = api.readWorkflow(await readInput(file, io));
  // These have a line. A pointer would not help, since nothing was read.
  const faults: Fault[] = diagnostics.map(({ line, column, message }) => ({
    at: '',
    what: `line ${line}, column ${column}: ${message}`,
  }));
  if (faults.length === 0 && !validateServeConfig(value)) {
    faults.push(...soleFaults(validateServeConfig.errors ?? []).map(inWords));
  }
  refuseFaulty(file, faults);
  return value as ServeConfig;
}

/** Throws if there are faults. */
export function refuseFaulty(file: string, faults: readonly Fault[]): void {
  if (faults.length === 0) return;
  const count = faults.length === 1 ? 'a fault' : `${faults.length} faults`;
  const lines = faults.map(({ at, what }) => `\n  ${at === '' ? what : `${at} ${what}`}`);
  throw new Refusal(`${inputName(file)} has ${count}:${lines.join('')}`, exitCodes.invalid);
}

/** Credentials in the file itself get their own message. */
const credentials: ReadonlySet<string> = new Set(['apiKey', 'bearer', 'clientId', 'clientSecret']);

function inWords(fault: SchemaFault): Fault {
  const { instancePath: at, params } = fault;
  const extra = String(params['additionalProperty']);
  if (credentials.has(extra)) {
    const what = `is not written into a file: name an environment variable in ${extra}Env`;
    return { at: child(at, extra), what };
  }
  const problem = faultInWords([{ ...fault, instancePath: '' }], schemaDocuments['serve-config']);
  return { at, what: problem.replace('the value ', '') };
}
