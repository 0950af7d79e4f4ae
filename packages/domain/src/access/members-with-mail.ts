import { mapInTurns, statement, type Ability, type Context } from '../kernel/index.ts';
import { compile } from './ability.ts';
import { factsOf } from './facts.ts';
import type { Facts } from './template.ts';
import { grantsOf, grantsWithin, type Grant } from './grants.ts';
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

/** The users in a project who have a mailbox, with their rights there, compiled in turns: compare with them in turns, too. */
export async function membersWithMail(ctx: Context, { organizationId, projectId }: Place): Promise<MemberWithMail[]> {
  const { grants } = await grantsWithin(ctx, organizationId, { projectIds: [projectId] });
  return withRights(ctx, organizationId, grants.get(projectId) ?? new Map<string, readonly Grant[]>());
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
