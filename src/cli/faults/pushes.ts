/** The faults of what is pushed, of what is taken back, and of the journal of both. */
import type { SquadFault } from '../../platform/push.js';
import type { Fault } from './fault.js';

const compiled = 'Give a file that squadc compile --target vapi wrote.';

const whole =
  'With one such file among them nothing is sent, so that a run is either begun with all or not at all.';

type PushKind = SquadFault | 'edited' | 'unknown' | 'unrecorded';

export const ofPushes: Readonly<Record<`push/${PushKind}`, Fault>> = {
  'push/not-json': {
    title: 'It is not JSON',
    why: `The platform takes a squad as one JSON object. ${whole}`,
    help: compiled,
  },
  'push/not-object': {
    title: 'It is no object',
    why: `The platform takes a squad as one JSON object. ${whole}`,
    help: compiled,
  },
  'push/target-squad': {
    title: 'The squad has the form of target squad',
    why: `A document { squad: … } is for reading and for tests; the platform does not accept it. ${whole}`,
    help: 'Compile the workflow with --target vapi and push that.',
  },
  'push/workflow': {
    title: 'It is a workflow',
    why: `A workflow has nodes, and a squad has members. Only squads are pushed. ${whole}`,
    help: 'Compile it with squadc compile --target vapi and push the result.',
  },
  'push/no-members': {
    title: 'The squad has no members',
    why: `A call begins with the first member, so a squad has at least one. ${whole}`,
    help: compiled,
  },
  'push/member': {
    title: 'A member has neither an assistant nor an assistantId',
    why: `A member is an assistant of its own, or a saved one by its id. ${whole}`,
    help: 'Give each member one of both.',
  },
  'push/member-overrides': {
    title: 'The squad has memberOverrides',
    why: `The platform calls that key membersOverrides, and does not know the other. ${whole}`,
    help: 'Compile the workflow with --target vapi; there the key is membersOverrides.',
  },
  'push/same-names': {
    title: 'Two members have the same name',
    why: `Handoffs go by name, so the platform takes no two members of one name. ${whole}`,
    help: 'Rename one of them, and the handoffs that lead to it.',
  },
  'push/edited': {
    title: 'Somebody edited it on the platform since it was pushed',
    why: 'What the platform holds is neither what was sent nor what it answered then. A change would overwrite the edit, so nothing of this squad is sent.',
    help: 'Bring the edit into the workflow and undo it on the platform, then push again; or push the squad under another file name, as a new one.',
  },
  'push/unknown': {
    title: 'Whether it exists is not known',
    why: 'A request to create it was sent, and no answer said what became of it. Sent once more, there might be two.',
    help: 'Look for it on the platform. Where there is none, push again with --retry-unknown.',
  },
  'push/unrecorded': {
    title: 'The journal could not be written after a request',
    why: 'What was created stands in the journal, so that it is not created twice and rollback finds it. This one does not stand there.',
    help: 'Keep the id that is told, and make room for the journal before the next push.',
  },
};

export const ofRollbacks: Readonly<Record<`rollback/${'addresses' | 'unknown'}`, Fault>> = {
  'rollback/addresses': {
    title: 'The journal names more than one address',
    why: 'Each squad is deleted where it was created, with a key for that place, so one run works at one address.',
    help: 'Say with --base-url which of them is meant.',
  },
  'rollback/unknown': {
    severity: 'warning',
    title: 'Something may exist whose id is not known',
    why: 'A request to create it was sent, and no answer named its id. Without an id nothing can be deleted.',
    help: 'Look for it on the platform, and delete it there.',
  },
};

type JournalKind = 'file' | 'line' | 'locked' | 'missing';

export const ofJournals: Readonly<Record<`journal/${JournalKind}`, Fault>> = {
  'journal/file': {
    title: 'The journal cannot be read or written',
    why: 'Without its journal a push could create squads twice, and nobody could take them back; so nothing is sent.',
    help: 'Correct the path of --journal or its rights.',
  },
  'journal/line': {
    title: 'A line of the journal is no entry',
    why: 'Each line is one entry that squadc push wrote. Reading past one that is none could miss a squad, so nothing is sent.',
    help: 'Name the journal that squadc push wrote, or restore the line; nothing was sent.',
  },
  'journal/locked': {
    title: 'Another run uses the journal',
    why: 'Two runs that write one journal could create the same squad twice, so the second one waits for nobody and ends.',
    help: 'Wait until the other run has ended; if there is none, remove the lock that is named.',
  },
  'journal/missing': {
    title: 'There is no journal',
    why: 'Only what stands in a journal of squadc push is deleted, so without one there is nothing to do.',
    help: 'Name the journal that squadc push wrote with --journal.',
  },
};
