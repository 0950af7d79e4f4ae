import {
  isForbiddenError,
  mapInTurns,
  statement,
  type Ability,
  type Context,
  type Fields,
  type Permission,
  type Rule,
} from '../kernel/index.ts';
import { compile } from './ability.ts';
import { builtInRoles } from './built-in-roles.ts';
import { TURN_LIMIT } from './evaluation-cost.ts';
import { stepsInAll } from './evaluation-step.ts';
import { factsOf } from './facts.ts';
import type { Facts } from './template.ts';
import { grantsOf, grantsWithin, type Grant } from './grants.ts';
import { Turns } from './in-turns.ts';
import { rowsOf } from './rows-of.ts';
import { rulesAt } from './rules-at.ts';

/** A user with a mailbox. */
export interface PersonWithMail {
  readonly id: string;
  readonly username: string;
  readonly email: string;
}

/** With the present rights in a project. */
export interface MemberWithMail {
  readonly person: PersonWithMail;
  readonly ability: Ability;
}

const PEOPLE = statement(
  'access.people_with_mail',
  `select id, username, email from users where id = any($1::uuid[]) and is_accepted and email is not null order by id`,
);

interface Place {
  readonly organizationId: string;
  readonly projectId: string;
}

/**
 * Those at a place ($1, $2) who have a built-in role ($3), or a role or privilege that speaks of a permission ($4): whoever has that
 * is among them.
 */
const spokenOf = (name: string, isThere: string, isRoleThere: string) =>
  statement(
    `access.people_spoken_of_${name}`,
    `with speaking as materialized (
       select id from roles where organization_id = $1 and ${isRoleThere} and permissions @? $4::jsonpath
     ), held as materialized (
       select h.actor_id, h.membership_id from effective_memberships h where h.organization_id = $1 and ${isThere}
     )
     select h.actor_id as id from held h cross join lateral (${rowsOf('membership_roles', 'membership_id = h.membership_id')}) r
     where r.role = any($3::text[]) or r.custom_role_id in (select id from speaking)
     union
     select h.actor_id from held h cross join lateral (${rowsOf('additional_privileges', 'membership_id = h.membership_id')}) p
     where p.permissions @? $4::jsonpath`,
  );
const SPOKEN_OF = {
  project: spokenOf('in_project', 'h.project_id = $2::uuid', 'project_id = $2::uuid'),
  organization: spokenOf(
    'in_organization',
    'h.project_id is null and $2::uuid is null',
    'project_id is null and $2::uuid is null',
  ),
};

async function spokenOfAt(
  ctx: Context,
  organizationId: string,
  projectId: string | null,
  { scope, subject, action }: Permission,
): Promise<string[]> {
  const speaks = (rule: Rule) => rule.subject === subject && [rule.action].flat().includes(action);
  const roles = builtInRoles(scope).filter(({ rules }) => rules.some(speaks));
  const path = `$[*] ? (@.subject == "${subject}" && @.action == "${action}")`;
  const asked = [organizationId, projectId, roles.map(({ slug }) => slug), path];
  return (await ctx.sql<{ id: string }>(SPOKEN_OF[scope], asked)).map(({ id }) => id);
}

/**
 * The users with a mailbox who have a permission on something, in its project or in the organization. Only those whose roles or
 * privileges speak of it are asked, in turns: few, also in a large organization.
 *
 * @param onlyId One of them, where no other matters.
 */
export async function peopleWith(
  ctx: Context,
  { organizationId, projectId }: Pick<Place, 'organizationId'> & { readonly projectId: string | null },
  { permission, fields }: { readonly permission: Permission; readonly fields: Fields },
  onlyId?: string,
): Promise<PersonWithMail[]> {
  const onlyIds = onlyId === undefined ? await spokenOfAt(ctx, organizationId, projectId, permission) : [onlyId];
  const there = projectId === null ? { isOrganization: true } : { projectIds: [projectId] };
  const { grants } = await grantsWithin(ctx, organizationId, { ...there, onlyIds });
  const members = await withRights(ctx, organizationId, grants.get(projectId) ?? new Map<string, readonly Grant[]>());
  const found = await askMembers(members, [fields], ({ ability }) => ability.can(permission, fields));
  return found.map(({ member }) => member.person);
}

/** The users in a project who have a mailbox, with their rights there, compiled in turns: ask about them by `askMembers`. */
export async function membersWithMail(ctx: Context, { organizationId, projectId }: Place): Promise<MemberWithMail[]> {
  const { grants } = await grantsWithin(ctx, organizationId, { projectIds: [projectId] });
  return withRights(ctx, organizationId, grants.get(projectId) ?? new Map<string, readonly Grant[]>());
}

/**
 * The members to whom some things matter, with each of these: asked in turns. A member whose rules are too expensive to
 * evaluate is left out from there on, and prevents no messages to others.
 */
export async function askMembers<T>(
  members: readonly MemberWithMail[],
  things: readonly T[],
  matters: (member: MemberWithMail, thing: T) => boolean,
): Promise<{ readonly member: MemberWithMail; readonly thing: T }[]> {
  const turns = new Turns(Infinity);
  const found: { member: MemberWithMail; thing: T }[] = [];
  for (const member of members) {
    let steps = 0;
    for (const thing of things) {
      const before = stepsInAll();
      if (steps < TURN_LIMIT && unlessTooCostly(() => matters(member, thing))) found.push({ member, thing });
      steps += stepsInAll() - before;
      if (turns.isOver) await turns.rest();
    }
  }
  return found;
}

/** Whether something is true that rules can decide at a bearable cost. */
export function unlessTooCostly(isTrue: () => boolean): boolean {
  try {
    return isTrue();
  } catch (error) {
    if (isForbiddenError(error)) return false;
    throw error;
  }
}

/** One of them; `undefined` for users without rights there, and without a mailbox. */
export async function memberWithMail(ctx: Context, place: Place, userId: string): Promise<MemberWithMail | undefined> {
  const grants = await grantsOf(ctx, place, userId);
  return grants.length === 0
    ? undefined
    : (await withRights(ctx, place.organizationId, new Map([[userId, grants]])))[0];
}

async function withRights(
  ctx: Context,
  organizationId: string,
  held: ReadonlyMap<string, readonly Grant[]>,
): Promise<MemberWithMail[]> {
  const people = await ctx.sql<PersonWithMail>(PEOPLE, [[...held.keys()]]);
  const facts = await factsOf(
    ctx,
    organizationId,
    people.map(({ id }) => id),
  );
  const grantsOfPerson = ({ id }: PersonWithMail) => held.get(id) ?? [];
  return mapInTurns(
    people,
    (person) => grantsOfPerson(person).reduce((sum, { rules }) => sum + rules.length, 1),
    (person) => ({ person, ability: abilityOf(ctx, grantsOfPerson(person), facts.get(person.id)) }),
  );
}

const abilityOf = (ctx: Context, grants: readonly Grant[], facts: Facts | undefined): Ability =>
  compile(rulesAt(grants, ctx.now().getTime(), facts).rules);
