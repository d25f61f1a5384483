/**
 * What is doubtful about requests as they are after the answers.
 *
 * A request may hold a credential of the platform and say in a header who sends it. Both are
 * carried, because nothing of the source is dropped; which of them is sent only the platform knows.
 */
import { diagnose } from '../../diagnostics/diagnose.js';
import { child, type NodeIndex } from '../ir/ids.js';
import type { Diagnostic } from '../ir/result.js';
import type { Workflow } from '../ir/workflow.js';
import { findAuthorization } from './auth-headers.js';

export function warnAboutRequests(
  { nodes }: Workflow,
  reachable: readonly NodeIndex[],
): Diagnostic[] {
  const warnings: Diagnostic[] = [];
  for (const index of reachable) {
    const { request, id, at } = nodes[index]!;
    if (request === null || request.credentialId === null || request.headers === null) continue;
    const { credentialId, headers } = request;
    const path = findAuthorization(headers.value);
    if (path === null) continue;
    const related = headers.origin.kind === 'source' ? [path.reduce(child, headers.origin.at)] : [];
    const place = credentialId.origin.kind === 'source' ? credentialId.origin.at : at;
    warnings.push(diagnose('data/two-authorizations', place, { node: id }, { related }));
  }
  return warnings;
}
