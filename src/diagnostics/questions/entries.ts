/** All kinds of question, in the order of the table that they are specified in. */
import { carrying } from './carrying.js';
import type { QuestionEntries } from './entry.js';
import { missing } from './missing.js';
import { routing } from './routing.js';

export const questions: QuestionEntries = {
  'logical-condition': routing['logical-condition'],
  'critical-variable': carrying['critical-variable'],
  'cyclic-stages': routing['cyclic-stages'],
  'missing-destination': missing['missing-destination'],
  'missing-endpoint': missing['missing-endpoint'],
  'missing-parameter': missing['missing-parameter'],
  'missing-auth': missing['missing-auth'],
  'ambiguous-start': routing['ambiguous-start'],
  'undefined-variable': carrying['undefined-variable'],
  'conflicting-settings': carrying['conflicting-settings'],
};
