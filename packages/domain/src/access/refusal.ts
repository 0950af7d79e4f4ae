import { z } from 'zod';
import {
  forbidden,
  Uuid,
  type Ability,
  type DomainError,
  type Fields,
  type Permission,
  type Rule,
} from '../kernel/index.ts';
import { subjectsOf } from './catalogue.ts';
import { HIDDEN, RuleSet } from './decision.ts';
import { OrganizationRules, ProjectRules, PublishedRule, publishRules } from './rule.ts';
import { factsIn, hasGoodTemplates } from './template.ts';

/** The source of a rule, as published. */
export const PublishedSource = z.object({
  kind: z.enum(['role', 'privilege']),
  id: Uuid.describe('ID of the role assignment or of the privilege'),
  slug: z.string().describe('Name of the role or of the privilege'),
  groupId: z.string().nullable().describe('The group that holds the grant; null if the actor holds it directly'),
});

/**
 * The reason of a 403, in the body as `explanation` beside `details`. It contains only the caller's own rules and what
 * the caller itself requested.
 */
export const Explanation = z.object({
  reason: z
    .enum(['forbidden', 'not_allowed', 'undisclosed'])
    .describe(
      '`forbidden`: a rule forbids it. `not_allowed`: no rule allows it. `undisclosed`: the reason would reveal what the caller may not know',
    ),
  decidedBy: z
    .object({
      rule: z.number().int().describe('Index in `details`, from 0'),
      source: PublishedSource.nullable().describe('The role or privilege that contains the rule'),
    })
    .nullable(),
  smallestGrant: PublishedRule.nullable().describe(
    'The rule that would allow this and nothing else, as an additional privilege of the caller; null where it cannot be said',
  ),
});
export type Explanation = z.output<typeof Explanation>;

/** The fields by which callers name resources. Other fields are derived, and errors do not disclose them. */
const NAMING = ['environment', 'secretPath', 'secretName', 'identityId'] as const;

export interface Refused {
  /** The fields that the caller already knows; default: those by which it named the resource. */
  readonly known?: readonly string[];
  /** All permissions that the call needs on the same resource; default: only the refused one. */
  readonly wanted?: readonly Permission[];
  /** Replaces the default message. */
  readonly message?: string;
  /** The project, where `fields` do not name it. */
  readonly projectId?: string | undefined;
}

/**
 * 403 with the rules that match the request: the caller's own, so nothing that it may not see. It includes the deciding
 * rule and the smallest grant that would allow the request, as far as these follow from what the caller named: without
 * `fields` the resource was named by its ID, and its location and name are not disclosed.
 */
export function denied(
  ability: Ability,
  permission: Permission,
  fields?: Fields,
  { known = NAMING, wanted = [permission], message, projectId }: Refused = {},
): DomainError {
  const { subject, action, scope } = permission;
  const where = NAMING.filter((field) => typeof fields?.[field] === 'string')
    .map((field) => `${field} ${String(fields?.[field])}`)
    .join(', ');
  const visible = fields ? hidden(fields, known) : EVERYTHING_HIDDEN;
  // Of two who have to be allowed, the caller is shown its own rules alone.
  const shown = ability.own ?? ability;
  const isLimited = shown !== ability && fields !== undefined && shown.can(permission, fields);
  const book = new RuleSet(shown.rules);
  const rules = book.rulesFor(permission);
  const { isAllowed, decidedBy } = book.decide(permission, visible);
  const missing = wanted.filter((one) => one === permission || book.may(one, visible) !== true);
  const source = decidedBy === undefined ? undefined : shown.sources[decidedBy];
  const explanation: Explanation = {
    reason: isAllowed !== false ? 'undisclosed' : decidedBy === undefined ? 'not_allowed' : 'forbidden',
    decidedBy:
      isAllowed === false && decidedBy !== undefined
        ? { rule: rules.indexOf(decidedBy), source: source ? publishSource(source) : null }
        : null,
    smallestGrant: fields && !isLimited ? smallestGrant(permission, missing, fields, known) : null,
  };
  return forbidden(
    'permission.denied',
    message ??
      `You may not ${action} ${subject}${where ? ` (${where})` : ''}${isLimited ? LIMITED : because(explanation)}`,
    {
      name: 'PermissionDenied',
      details: rules.map((index) => {
        const rule = shown.rules[index]!;
        return {
          action: rule.action,
          inverted: rule.inverted ?? false,
          subject: rule.subject,
          conditions: rule.conditions ?? null,
        };
      }),
      explanation,
      refused: {
        permission: `${subject}: ${action}`,
        projectId:
          projectId ??
          (typeof fields?.['projectId'] === 'string' ? fields['projectId'] : scope === 'project' ? undefined : null),
      },
    },
  );
}

/** Why a service token may not do what its own rules allow. */
const LIMITED =
  ': the user who created this service token may not do it; grant them the permission, or use a token of a user who holds it';

const publishSource = ({ kind, id, slug, groupId }: z.output<typeof PublishedSource>) => ({ kind, id, slug, groupId });

function because({ reason, decidedBy, smallestGrant: grant }: Explanation): string {
  const { source } = decidedBy ?? {};
  const why =
    reason === 'forbidden'
      ? `: a rule${source ? ` of the ${source.kind} ${source.slug}` : ''} forbids it`
      : reason === 'not_allowed'
        ? ': no rule allows it'
        : '';
  return grant ? `${why}. This would allow it: ${JSON.stringify(grant)}` : why;
}

/** Every requested field exists and must not be disclosed. */
const EVERYTHING_HIDDEN: Fields = new Proxy({}, { get: () => HIDDEN });

const hidden = (fields: Fields, known: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(fields).map(([field, value]) => [field, known.includes(field) ? value : HIDDEN]));

/**
 * The narrowest rule that can be stored in roles and privileges and allows what is refused; none if there is no such
 * rule.
 */
function smallestGrant(
  { subject, scope }: Permission,
  missing: readonly Permission[],
  fields: Fields,
  known: readonly string[],
): Explanation['smallestGrant'] {
  const conditions = Object.fromEntries(
    (subjectsOf(scope)[subject]?.conditions ?? [])
      .filter((field) => known.includes(field) && typeof fields[field] === 'string')
      .map((field) => [field, fields[field]]),
  );
  const grant: Rule = {
    subject,
    action: missing.map(({ action }) => action),
    ...(Object.keys(conditions).length > 0 && { conditions }),
  };
  // A name that looks like a template would be parsed as one, or rejected.
  if (!hasGoodTemplates(conditions) || factsIn(grant).size > 0) return null;
  const read = (scope === 'project' ? ProjectRules : OrganizationRules).safeParse([grant]);
  const allows = read.success && new RuleSet(read.data);
  const isEnough = allows && missing.every((permission) => allows.may(permission, fields));
  return isEnough ? publishRules([grant])[0]! : null;
}
