import { badRequest } from '../../kernel/index.ts';

/**
 * What a target says against a call: nothing of the call remains there. A 400 with its words.
 * `who` is its host or name; `words` are its own. The engine takes credentials out before anybody sees them, and cuts it.
 */
export const rejectedBy = (who: string, words: string) =>
  badRequest('dynamic_secret.rejected', `${who} says: ${words.trim() || 'nothing further'}`);

/** The same where something of the call may have been done all the same. */
export const ambiguousOutcome = (who: string, words: string) =>
  badRequest('dynamic_secret.ambiguous', `${who} says: ${words.trim() || 'nothing further'}`);
