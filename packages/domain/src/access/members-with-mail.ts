import { isForbiddenError, mapInTurns, statement, type Ability, type Context } from '../kernel/index.ts';
import { compile } from './ability.ts';
import { TURN_LIMIT } from './evaluation-cost.ts';
import { stepsInAll } from './evaluation-step.ts';
import { factsOf } from './facts.ts';
import type { Facts } from './template.ts';
import { grantsOf, grantsWithin, type Grant } from './grants.ts';
import { Turns } from './in-turns.ts';
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
