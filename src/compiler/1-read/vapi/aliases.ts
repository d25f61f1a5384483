/**
 * Variables that a node derives from others, by templates.
 *
 * In: the extraction plan of a node that talks. Out: a capture for each alias; its value is a text
 * like any other, and its key is what the platform takes as one. The value of an alias is read when
 * the call is handed over, so the variables in it are none of the node's own texts.
 */
import { diagnose } from '../../../diagnostics/diagnose.js';
import { child } from '../../ir/ids.js';
import { fromSource } from '../../ir/provenance.js';
import type { Capture } from '../../ir/workflow.js';
import { requireString } from '../fields.js';
import { aliasKey } from '../read-request.js';
import { textAt } from '../texts.js';
import { checkVariableName } from '../variable-names.js';
import { type Reading, take, takeInsides } from './reading.js';

export function takeAliases(plan: Reading): Capture[] {
  return take(plan, 'aliases') === null ? [] : takeInsides(plan, 'aliases').flatMap(readAlias);
}

function readAlias(entry: Reading): Capture[] {
  const name = requireString(entry, 'key', 'an alias');
  const value = requireString(entry, 'value', 'an alias');
  take(entry, 'key');
  take(entry, 'value');
  if (name === null || value === null) return [];
  const { at, faults } = entry;
  const nameAt = child(at, 'key');
  checkVariableName(name, nameAt, faults);
  if (!aliasKey.test(name)) faults.push(diagnose('data/alias-key', nameAt, { variable: name }));
  return [
    {
      name,
      type: 'string',
      description: null,
      enum: null,
      details: null,
      alias: textAt(value, child(at, 'value'), faults),
      at,
      origin: fromSource(at),
      places: { name: nameAt, type: at, enum: at },
    },
  ];
}
