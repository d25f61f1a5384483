/**
 * The tools of the platform that `tool` nodes hold inline.
 *
 * What is said to a caller who is put through is the destination's message. What is said on entering
 * a node that ends the call can be a message of its tool; that of a request is what fills the wait,
 * so its node's line stands with the node.
 */
import type { SpecNode } from '../spec-workflow.js';
import { responseAliases } from './captures.js';
import { present, type Written } from './dialect.js';

/**
 * The tool of a node that neither talks nor hangs up; null where no tool does what the node does. A
 * request without a name of its own may bear the given one.
 */
export function toolOf(
  node: SpecNode,
  lineIn: 'tool' | 'node',
  name: string | undefined,
): Written | null {
  const messages = lineIn === 'tool' ? spokenAtStart(node) : undefined;
  switch (node.type) {
    case 'apiRequest':
      return present({ type: 'apiRequest', name: node.name ?? name, ...requestFields(node) });
    case 'transferCall':
      return present({ type: 'transferCall', destinations: destinationsOf(node), messages });
    case 'endCall':
      return present({ type: 'endCall', messages });
    default:
      return null;
  }
}

/** What is sent, where to, and what is taken from the response. */
export function requestFields(node: SpecNode): Written {
  const { url, method, headers, body, timeoutSeconds, responseVariables } = node;
  const aliases = responseVariables && responseAliases(responseVariables);
  const variableExtractionPlan = aliases && { aliases };
  return present({ url, method, headers, body, timeoutSeconds, variableExtractionPlan });
}

/** Where a call is put through to; null where the workflow does not say. */
export function destinationOf({ destination, transferPlan }: SpecNode): Written | null {
  if (destination === undefined) return null;
  const message = transferPlan?.message;
  const isSip = /^sips?:/i.test(destination);
  const address = isSip ? { sipUri: destination } : { number: destination };
  return present({ type: isSip ? 'sip' : 'number', ...address, message });
}

/** A transfer that has a message and no number is a destination without one. */
function destinationsOf(node: SpecNode): Written[] {
  const message = node.transferPlan?.message;
  const numberless = message === undefined ? [] : [{ type: 'number', message }];
  const destination = destinationOf(node);
  return destination === null ? numberless : [destination];
}

function spokenAtStart({ firstMessage }: SpecNode): Written[] | undefined {
  if (firstMessage === undefined) return undefined;
  return [{ type: 'request-start', content: firstMessage }];
}
