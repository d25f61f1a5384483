/**
 * The verifier: is this squad a faithful migration of this workflow?
 *
 *     workflow + answers ──settle──▶ expected: what a call can do, and the assistants that it wants
 *                                         │
 *     squad ──────read─────────────▶ compare: nodes matched to members, then field by field
 *                                         │
 *                    nine items of the checklist, and calls that show what differs
 *
 * It knows the two documents, the options and the answers, and nothing of how the squad was made:
 * with the compiler it shares facts (the reader, the wording, the templates of tools), no decisions.
 */
import { checkTexts, copyJson } from '../compiler/1-read/copy-json.js';
import { parseWorkflow } from '../compiler/1-read/parse-workflow.js';
import type { Dialogue } from '../compiler/2-ask/answers.js';
import { findStart } from '../compiler/2-ask/ask-about-nodes.js';
import { readOptions } from '../compiler/2-ask/options.js';
import { isJsonObject, type JsonObject } from '../compiler/ir/json.js';
import type { Settled, Target } from '../compiler/ir/options.js';
import type {
  ChecklistItem,
  Diagnostic,
  Verification,
  VerifyOptions,
} from '../compiler/ir/result.js';
import type { Workflow } from '../compiler/ir/workflow.js';
import { diagnose } from '../diagnostics/diagnose.js';
import { compare } from './compare.js';
import { judgeItems, listCounterexamples, listDiagnostics } from './report.js';
import { settle } from './settle.js';

/**
 * Decides whether `squad` is a faithful migration of `workflow` (spec/3, "Validation checklist"):
 * the nine items, and whether every call of the workflow finds the same lines, instructions, tools,
 * transfers and variables in the squad, and the squad allows no handoff that the workflow does not.
 * Works on squads of both shapes, whoever made them. Without the answers that the squad was made
 * with, the items that depend on them do not hold. Pure; never throws on bad input.
 */
export function verify(
  workflow: unknown,
  squad: unknown,
  options: VerifyOptions = {},
): Verification {
  const { document, notSquad } = readDocument(squad);
  const { sourceMap: _, ...given } = options;
  // Where the caller does not say it, the shape of the document says for which target it is.
  const target = given.target ?? (isJsonObject(document['squad']) ? 'squad' : 'vapi');
  const { options: settled, diagnostics: faults } = readOptions({ ...given, target });
  const { workflow: source, diagnostics: found } = parseWorkflow(workflow);
  const errors = [...found, ...faults].filter(({ severity }) => severity === 'error');
  if (source === null || errors.length > 0) return unreadable(errors);
  const verification = verifyParsed(source, document, settled, given.target ?? null);
  if (notSquad === null) return verification;
  return { ...verification, holds: false, diagnostics: [notSquad, ...verification.diagnostics] };
}

/** As `verify`, for a workflow that has been read and a document that is JSON. */
export function verifyParsed(
  source: Workflow,
  document: JsonObject,
  options: Settled,
  stated: Target | null = options.target,
): Verification {
  const settlement = settle(source, options);
  if (settlement === null) {
    const start = findStart(source, options.target);
    const { id, at } = source.nodes[start.kind === 'exit' ? start.node : 0]!;
    return unreadable([diagnose('flow/start-is-exit', at, { id })]);
  }
  const comparison = compare(settlement, document, options, stated);
  const checklist = judgeItems(comparison);
  const diagnostics = listDiagnostics(comparison, checklist, settlement.dialogue.diagnostics);
  const holds = diagnostics.every(({ severity }) => severity !== 'error');
  const counterexamples = holds ? [] : listCounterexamples(comparison, checklist);
  return { holds, checklist, counterexamples, diagnostics };
}

/**
 * The checklist of a draft: what the open questions assume counts as answered, and their items do
 * not hold.
 */
export function checkDraft(
  source: Workflow,
  document: JsonObject,
  options: Settled,
  { assumed, open }: Pick<Dialogue, 'assumed' | 'open'>,
): readonly ChecklistItem[] {
  const answers = { ...Object.fromEntries(assumed), ...options.answers.answers };
  const settlement = settle(source, { ...options, answers: { ...options.answers, answers } });
  return settlement === null ? [] : judgeItems({ ...compare(settlement, document, options), open });
}

/** Nothing was checked, so nothing holds. */
function unreadable(diagnostics: readonly Diagnostic[]): Verification {
  return { holds: false, checklist: [], counterexamples: [], diagnostics };
}

/** Texts of a squad may be longer than those of a workflow: a prompt holds many of those. */
function readDocument(squad: unknown): { document: JsonObject; notSquad: Diagnostic | null } {
  const copied = copyJson(squad);
  const notA = (looksLike: string) =>
    diagnose('check/not-a-squad', '', { looksLike }, { in: 'squad' });
  const isJson =
    'value' in copied &&
    checkTexts(copied.value).every(({ code }) => code === 'shape/text-too-long');
  if (!isJson) return { document: {}, notSquad: notA('something that is not JSON') };
  const document = copied.value;
  if (!isJsonObject(document)) {
    const isPage = typeof document === 'string' && /^\s*<!doctype html/i.test(document);
    const kind = Array.isArray(document)
      ? 'a list'
      : isPage
        ? 'a web page'
        : `a ${typeof document}`;
    return { document: {}, notSquad: notA(document === null ? 'null' : kind) };
  }
  const { members } = isJsonObject(document['squad']) ? document['squad'] : document;
  return { document, notSquad: Array.isArray(members) ? null : notA(likenessOf(document)) };
}

/** What of ours, or of the platform's, is taken for a squad by mistake. */
function likenessOf(document: JsonObject): string {
  const has = (...keys: readonly string[]) => keys.every((key) => Object.hasOwn(document, key));
  if (has('status', 'checklist')) return 'a result of squadc, which is not the squad itself';
  if (Array.isArray(document['nodes'])) return 'a workflow';
  return has('model') ? 'an assistant' : 'an object without members';
}
