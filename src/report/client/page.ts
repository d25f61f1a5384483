/** The script of a workflow's page. */
import { openLedgerFilter } from './ledger-filter.js';
import { linkPictures } from './pictures.js';
import { openForm } from './questions-form.js';
import { showScripted, unfoldForPrint } from './unfold.js';

showScripted();
linkPictures();
openForm();
openLedgerFilter();
unfoldForPrint();
