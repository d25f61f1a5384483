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
  return reachable.flatMap((index) => {
    const { request, id, at } = nodes[index]!;
    const { credentialId = null, headers = null } = request ?? {};
    const path = credentialId === null ? null : findAuthorization(headers?.value ?? null);
    if (path === null) return [];
    const { origin } = headers!;
    const related = origin.kind === 'source' ? [path.reduce(child, origin.at)] : [];
    const place = credentialId!.origin.kind === 'source' ? credentialId!.origin.at : at;
    return [diagnose('data/two-authorizations', place, { node: id }, { related })];
  });
}
