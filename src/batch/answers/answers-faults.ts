/** What is wrong with answers of a run by themselves: their form, and their policies. */
import { pointer } from '../../compiler/ir/ids.js';
import { findNearest } from '../../compiler/ir/names.js';
import { diagnose } from '../../diagnostics/diagnose.js';
import { choicesOf, needsValue, questionKinds } from '../../diagnostics/questions.js';
import { faultInWords } from '../../diagnostics/schema-fault.js';
import type { Diagnostic, Target } from '../../index.js';
import { schemaDocuments } from '../../schemas/documents.generated.js';
import { type SchemaFault, validateRunAnswers } from '../../schemas/validators.generated.js';
import { answersShape, inAnswers, plainAnswers } from './answers-findings.js';

/** None where a file has the form of answers of a run. */
export function faultsOfForm(value: unknown): Diagnostic[] {
  if (validateRunAnswers(value)) return [];
  return (validateRunAnswers.errors ?? []).map((fault) => {
    if (isPlain(fault)) return inAnswers(plainAnswers(), '/answers');
    const document = schemaDocuments['run-answers'];
    const problem = faultInWords([{ ...fault, instancePath: '' }], document);
    return inAnswers(answersShape(problem), placeOf(fault));
  });
}

function isPlain({ keyword, instancePath, params }: SchemaFault): boolean {
  const isKey = keyword === 'additionalProperties' && instancePath === '';
  return isKey && params['additionalProperty'] === 'answers';
}

/** A key that must not be there is the place itself. */
function placeOf({ keyword, instancePath, params }: SchemaFault): string {
  return keyword === 'additionalProperties'
    ? instancePath + pointer(String(params['additionalProperty']))
    : instancePath;
}

/** Said here once, rather than by the compiler for each workflow of the run. */
export function faultOfPolicy(kind: string, choice: string, target: Target): Diagnostic | null {
  const place = pointer('policies', kind);
  const more = { in: 'answers' } as const;
  const kinds = questionKinds();
  const known = kinds.find((each) => each === kind);
  if (known === undefined) {
    const near = findNearest(kind, kinds);
    return diagnose('api/policy-kind', place, { kind, kinds, near }, more);
  }
  const choices = choicesOf(known, target);
  if (!choices.includes(choice)) {
    return diagnose('api/policy-choice', place, { kind, choice, choices }, more);
  }
  return needsValue(known, choice)
    ? diagnose('api/policy-needs-value', place, { kind, choice }, more)
    : null;
}
