/**
 * Stands in a draft where only a human knows the text, so that nobody mistakes the draft for the
 * squad. A draft is for preview; nothing complete ever holds it.
 */
export const draftMarker = 'TODO';
