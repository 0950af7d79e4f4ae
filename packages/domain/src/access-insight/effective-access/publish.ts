import { statement, type Context, type Fields, type Permission, type Rule } from '../../kernel/index.ts';
import { publishRules, type RuleSet } from '../../access/index.ts';
import type { HeldGrant, Holder, Visibility } from './holders.ts';
import type { SeenDecision, SeenGrant } from './insight.ts';

type Group = NonNullable<SeenGrant['group']>;

const GROUPS = statement(
  'access.groups',
  'select id, name, slug from groups where organization_id = $1 and id = any($2::uuid[])',
);

/** Filters grants and decisions of some holders by what the caller may see. */
export class Publisher {
  readonly #visibility: Visibility;
  readonly #groups: ReadonlyMap<string, Group>;

  private constructor(visibility: Visibility, groups: ReadonlyMap<string, Group>) {
    this.#visibility = visibility;
    this.#groups = groups;
  }

  static async for(
    ctx: Context,
    organizationId: string,
    visibility: Visibility,
    holders: readonly Pick<Holder, 'grants'>[],
  ): Promise<Publisher> {
    const ids = visibility.seesGroups
      ? [...new Set(holders.flatMap(({ grants }) => grants.flatMap(({ groupId }) => groupId ?? [])))]
      : [];
    const rows = ids.length > 0 ? await ctx.sql<Group>(GROUPS, [organizationId, ids]) : [];
    return new Publisher(visibility, new Map(rows.map((row) => [row.id, row])));
  }

  grant({ kind, id, slug, groupId, start, end }: HeldGrant): SeenGrant {
    return {
      kind,
      id,
      slug,
      isByGroup: groupId !== null,
      group: (groupId !== null && this.#groups.get(groupId)) || null,
      startsAt: Number.isFinite(start) ? new Date(start) : null,
      endsAt: Number.isFinite(end) ? new Date(end) : null,
    };
  }

  rule(holder: Holder, grant: HeldGrant, rule: Rule) {
    return this.#visibility.seesRules(holder.actor, grant) ? publishRules([rule])[0]! : null;
  }

  /** The decision of rules, each with its grant, about one resource. */
  decision(
    holder: Holder,
    book: RuleSet,
    sources: readonly HeldGrant[],
    permission: Permission,
    fields: Fields,
  ): SeenDecision {
    const { isAllowed, decidedBy, overridden, open } = book.decide(permission, fields);
    const word = (index: number) => {
      const [grant, rule] = [sources[index]!, book.rules[index]!];
      return {
        grant: this.grant(grant),
        rule: this.rule(holder, grant, rule),
        allows: rule.inverted !== true,
      };
    };
    // A decision that depends on hidden fields has no deciding rule; the rules that may decide are listed first.
    const certain = isAllowed === undefined ? undefined : decidedBy;
    const others = isAllowed === undefined && decidedBy !== undefined ? [decidedBy, ...overridden] : overridden;
    return {
      subject: permission.subject,
      action: permission.action,
      isAllowed: isAllowed ?? null,
      decidedBy: certain === undefined ? null : word(certain),
      overridden: [...open, ...others].map(word),
    };
  }
}
