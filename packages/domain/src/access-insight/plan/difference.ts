import type { Fields, Permission, PermissionScope, Rule, WorkBudget } from '../../kernel/index.ts';
import { HIDDEN, subjectsOf, type RuleSet } from '../../access/index.ts';
import type { RuleSets } from '../effective-access/index.ts';
import { gainedBetween, type OpenRule } from './conditional.ts';
import type { Folder, Things } from './things.ts';

/** One action that is gained or lost, on one resource or on all. */
export interface Difference {
  readonly isGained: boolean;
  readonly subject: string;
  readonly action: string;
  readonly environment: string | null;
  readonly secretPath: string | null;
  readonly secretName: string | null;
  /** Of the secret that is named. */
  readonly secretTags: readonly string[] | null;
  readonly conditions: Readonly<Record<string, unknown>> | null;
  /** On all folders or secrets that the conditions allow, existing or not. */
  readonly anywhereIn: 'folders' | 'secrets' | null;
}

const ANYWHERE = {
  environment: null,
  secretPath: null,
  secretName: null,
  secretTags: null,
  conditions: null,
  anywhereIn: null,
};

interface Comparison {
  readonly books: RuleSets;
  readonly things: Things;
  readonly pace: WorkBudget;
  /** The places that the caller may see; changes at other places are counted by the rules, not by what exists. */
  readonly seen: 'all' | 'some' | 'none';
}

/**
 * What `after` allows and `before` does not, and the reverse: for each action in general, and for each environment,
 * folder or secret that exists, as deep as the rules distinguish. Stops when the budget is used up.
 */
export async function differencesOf(
  { books, things, pace, seen }: Comparison,
  scope: PermissionScope,
  before: RuleSet,
  after: RuleSet,
): Promise<Difference[]> {
  const found: Difference[] = [];
  const open = new Map<Folder, Permission[]>();
  const compare = (permission: Permission, fields: Fields, where: Partial<Difference> = {}): boolean => {
    pace.spend(2 + before.rulesFor(permission).length + after.rulesFor(permission).length);
    const [was, is] = [before.may(permission, fields), after.may(permission, fields)];
    if (was === undefined || is === undefined) return false;
    const { subject, action } = permission;
    if (was === is) return true;
    pace.spend(5);
    found.push({ ...ANYWHERE, ...where, isGained: is, subject, action });
    return true;
  };
  /** What depends on resources that cannot be listed is described by the conditions of the rules. */
  const compareConditions = (permission: Permission, fields: Fields, where: Partial<Difference> = {}) => {
    pace.spend(50);
    const [was, is] = [openRules(before, permission, fields), openRules(after, permission, fields)];
    const { subject, action } = permission;
    const push = (isGained: boolean) => (conditions: Difference['conditions']) =>
      found.push({ ...ANYWHERE, ...where, isGained, subject, action, conditions });
    gainedBetween(was, is).forEach(push(true));
    gainedBetween(is, was).forEach(push(false));
  };

  for (const permission of permissionsOf(scope)) {
    if (books.speech(before, permission) === books.speech(after, permission)) continue;
    const fields = new Set([...fieldsOf(before, permission), ...fieldsOf(after, permission)]);
    const hidden = Object.fromEntries([...fields].map((field) => [field, HIDDEN]));
    const hasPlace = subjectsOf(scope)[permission.subject]?.conditions?.includes('environment');
    if (!hasPlace) {
      if (!compare(permission, hidden)) compareConditions(permission, hidden);
      continue;
    }
    const isSame = fields.size === 0;
    const isByEnvironment = fields.size === 1 && fields.has('environment');
    // A resource to be created does not exist yet.
    const areListed = permission.subject === 'secrets' && permission.action !== 'create';
    if (!isSame && (seen === 'none' || (seen === 'some' && !isByEnvironment)))
      compareConditions(permission, hidden, { anywhereIn: areListed && looksDeeper(fields) ? 'secrets' : 'folders' });
    if (isSame) compare(permission, {});
    else if (isByEnvironment)
      for (const environment of things.environments) compare(permission, { environment }, { environment });
    else {
      for (const folder of things.folders) {
        if (pace.isExhausted) return found;
        if (pace.shouldYield) await pace.rest();
        const place = { environment: folder.environment, secretPath: folder.path };
        if (compare(permission, { ...hidden, ...place }, place)) continue;
        if (areListed) open.set(folder, [...(open.get(folder) ?? []), permission]);
        else compareConditions(permission, { ...hidden, ...place }, place);
      }
    }
  }

  for await (const [folder, secrets] of things.secretsIn([...open.keys()])) {
    const { environment, path: secretPath } = folder;
    for (const { name: secretName, tags } of secrets) {
      if (pace.isExhausted) return found;
      if (pace.shouldYield) await pace.rest();
      const fields = { environment, secretPath, secretName, secretTags: tags };
      for (const permission of open.get(folder)!) compare(permission, fields, fields);
    }
  }
  return found;
}

const everything = new Map<PermissionScope, Permission[]>();

/** Every subject and action. */
function permissionsOf(scope: PermissionScope): readonly Permission[] {
  let permissions = everything.get(scope);
  if (!permissions) {
    permissions = Object.entries(subjectsOf(scope)).flatMap(([subject, { actions }]) =>
      actions.map((action) => ({ scope, subject, action, key: `${scope}:${subject}:${action}` })),
    );
    everything.set(scope, permissions);
  }
  return permissions;
}

const looksDeeper = (fields: ReadonlySet<string>): boolean =>
  [...fields].some((field) => field !== 'environment' && field !== 'secretPath');

const fieldsOf = (book: RuleSet, permission: Permission): string[] =>
  book.rulesFor(permission).flatMap((index) => Object.keys(book.rules[index]!.conditions ?? {}));

/** The rules that may match a resource with some hidden fields, with their decision for those. */
function openRules(book: RuleSet, permission: Permission, fields: Fields): OpenRule[] {
  const { open, decidedBy } = book.decide(permission, fields);
  return [...open, ...(decidedBy === undefined ? [] : [decidedBy])]
    .toReversed()
    .map((index) => book.rules[index]!)
    .map(({ conditions = {}, inverted }: Rule) => ({
      isInverted: inverted === true,
      conditions: Object.fromEntries(Object.entries(conditions).filter(([field]) => fields[field] === HIDDEN)),
    }));
}
