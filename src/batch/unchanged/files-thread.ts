/** What runs in the thread that looks at files: one walk, whose count is its only message. */
import { parentPort, workerData } from 'node:worker_threads';
import { countUntouched, type FilesTask } from './files-walk.js';

parentPort?.postMessage(countUntouched(workerData as FilesTask));
