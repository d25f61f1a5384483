/** What the platform and its editor write down for themselves, and what no call depends on. */

/** Fields of a document, or of an assistant in it, as the platform's API returns it. */
export const recordFields = ['id', 'orgId', 'createdAt', 'updatedAt', 'isServerUrlSecretSet'];
export const platformRecord = 'the platform keeps this for itself';

/** Fields of nodes and edges that say where the editor draws them. */
export const layoutFields = ['metadata', 'position'];
export const editorLayout = 'the layout of the editor';
