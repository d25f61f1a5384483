/** A row of a run → what the fleet's page shows of it. */
import type { FleetRow } from '../client/fleet-row.js';
import type { WorkflowRow } from '../model.js';

export function fleetRow(row: WorkflowRow, address: string): FleetRow {
  const { name, key, source, line, status, stats, errors, warnings, questions, assessment } = row;
  const kinds = Object.keys(questions);
  return [
    name ?? '',
    line === undefined ? source : `${source}:${line}`,
    key,
    status,
    `${assessment.level}${assessment.size}`,
    stats.nodes,
    stats.assistants,
    kinds.reduce((sum, kind) => sum + questions[kind]!, 0),
    kinds.join(' '),
    errors,
    warnings,
    assessment.minutes,
    address,
  ];
}
