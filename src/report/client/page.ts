/** The script of a workflow's page. */

import { linkPictures } from './pictures.js';
import { openForm } from './questions-form.js';
import { openLedgerFilter, showScripted, unfoldForPrint } from './unfold.js';

showScripted();
linkPictures();
openForm();
openLedgerFilter();
unfoldForPrint();
