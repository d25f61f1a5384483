/** Evaluation sets, their items and runs: what is known of each, and how it is shown. */
import { timestamp } from '../clock.js';
import type { Resource } from './collection.js';
import type { Files, StoredFile } from './files.js';

export interface EvaluationSet extends Resource {
  readonly name: string;
  readonly description: string;
  readonly entity: object;
  readonly entityId: string;
}

export interface Item extends Resource {
  readonly setId: string;
  readonly file: StoredFile;
  readonly expectedOutput: unknown;
}

export interface EvaluationRun extends Resource {
  readonly setId: string;
  readonly entity: object;
  readonly items: number;
}

export function renderSet({
  id,
  name,
  description,
  entity,
  createdAt,
  updatedAt,
}: EvaluationSet): object {
  return {
    object: 'evaluation_set',
    id,
    name,
    description,
    entity,
    createdAt: timestamp(createdAt),
    updatedAt: timestamp(updatedAt),
    createdBy: null,
  };
}

export function renderRun({
  id,
  setId,
  entity,
  items,
  createdAt,
  updatedAt,
}: EvaluationRun): object {
  return {
    object: 'evaluation_set_run',
    id,
    evaluationSetId: setId,
    entity,
    metrics: { numFiles: items, meanRunTimeMs: 1 },
    status: 'PROCESSED',
    options: {},
    createdAt: timestamp(createdAt),
    updatedAt: timestamp(updatedAt),
  };
}

export function renderItem({ id, setId, file, expectedOutput }: Item, files: Files): object {
  return {
    object: 'evaluation_set_item',
    id,
    evaluationSetId: setId,
    file: files.summary(file),
    expectedOutput,
    createdBy: null,
  };
}
