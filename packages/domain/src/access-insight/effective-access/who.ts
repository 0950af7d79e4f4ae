import { eventOf, mapInTurns, WorkBudget, type Context } from '../../kernel/index.ts';
import { abilityIn, organizationOf, rulesAt } from '../../access/index.ts';
import { holdersAt, visibilityOf, type Holder } from './holders.ts';
import { findPlace } from './place.ts';
import { Publisher } from './publish.ts';
import { RuleSets } from './rule-sets.ts';
import { accessViewed, type AccessQuery, type AccessReport } from './insight.ts';

/**
 * The actors who may access a secret or a folder, and which grant decides it: of all members and service tokens of the
 * project, those whom the caller may see; the others are only counted.
 *
 * @throws DomainError 403 and 404 as reading the secret, or the folder, does.
 */
export async function whoCanAccess(ctx: Context, input: AccessQuery): Promise<AccessReport> {
  const { projectId, environment, secretPath, secretName, action, offset, limit } = input;
  const organizationId = organizationOf(ctx);
  const ability = await abilityIn(ctx, projectId);
  const { secretTags, fields, permissions } = await findPlace(ctx, ability, input);
  const asked = permissions.filter((permission) => action === undefined || permission.action === action);
  const visibility = visibilityOf(ctx, { organizationId, projectId }, ability);
  const now = ctx.now().getTime();
  const [books, pace] = [new RuleSets(), new WorkBudget()];

  const seen: Holder[] = [];
  let hiddenCount = 0;
  for await (const holder of holdersAt(ctx, { organizationId, projectId })) {
    const book = books.of(rulesAt(holder.grants, now, holder.facts).rules);
    await pace.spendAndRest(asked.length + book.rules.length);
    const isDecided = asked.some((permission) => {
      const { isAllowed, decidedBy, overridden } = book.decide(permission, fields);
      const allows = (index: number) => book.rules[index]!.inverted !== true;
      return isAllowed !== false || (decidedBy !== undefined && overridden.some(allows) && action === undefined);
    });
    if (!isDecided) continue;
    if (visibility.sees(holder)) seen.push(holder);
    else hiddenCount++;
  }

  const page = seen.slice(offset, offset + limit);
  const publisher = await Publisher.for(ctx, organizationId, visibility, page);
  const cost = ({ grants }: Holder) => grants.reduce((sum, { rules }) => sum + rules.length, asked.length);
  const actors = await mapInTurns(page, cost, (holder) => {
    const { rules, sources } = rulesAt(holder.grants, now, holder.facts);
    const book = books.of(rules);
    return {
      actor: holder.actor,
      actions: asked
        .map((permission) => publisher.decision(holder, book, sources, permission, fields))
        .filter(({ isAllowed, overridden }) => isAllowed !== false || overridden.some(({ allows }) => allows)),
    };
  });
  const where = { environment, secretPath, secretName: secretName ?? null };
  await ctx.commitRead(eventOf(accessViewed, { actorId: null, ...where }, { projectId }), ctx);
  return { ...where, secretTags, actors, totalCount: seen.length, hiddenCount };
}
