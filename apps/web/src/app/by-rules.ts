import type { PublishedRule } from '@coffer/client';

/** `may('member', 'edit')`: whether to offer it. The server decides: a rule may depend on more than a screen knows. */
export type May = (subject: string, action: string) => boolean;

/** Rights to the history, by both of their names: a rule that forbids one of the two forbids both. */
const OTHER_NAMES: Readonly<Record<string, readonly [subject: string, action: string]>> = {
  'commits:read': ['secret-rollback', 'read'],
  'commits:perform-rollback': ['secret-rollback', 'create'],
  'secret-rollback:read': ['commits', 'read'],
  'secret-rollback:create': ['commits', 'perform-rollback'],
};

/** What the rules say of an action, from the last one on that forbids it everywhere. */
function decide(rules: readonly PublishedRule[], subject: string, action: string) {
  const about = rules.filter((rule) => rule.subject === subject && [rule.action].flat().includes(action));
  const last = about.findLastIndex(({ inverted, conditions }) => inverted && !conditions);
  const isAllowed = about.slice(last + 1).some(({ inverted }) => !inverted);
  return { isAllowed, isForbidden: last >= 0 && !isAllowed };
}

export const byRules =
  (rules: readonly PublishedRule[] | undefined, isRefused: boolean): May =>
  (subject, action) => {
    // Those who administer a project without being a member of it have no rules there.
    if (!rules) return isRefused;
    const other = OTHER_NAMES[`${subject}:${action}`];
    return decide(rules, subject, action).isAllowed && !(other && decide(rules, ...other).isForbidden);
  };
