/** The sentences of the validation checklist: the items' titles and what their evidence says. */

import { quote, quoteAll } from './quote.js';
import { faultInWords } from './schema-fault.js';
