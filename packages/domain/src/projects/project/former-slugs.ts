import { abilityIn, accessAllProjects, formerSlugs } from '../../access/index.ts';
import type { Transaction } from '../../kernel/index.ts';

interface Slug {
  readonly organizationId: string;
  readonly projectId: string;
  readonly slug: string;
}

/** Machines name projects by slug. Administrators of all projects of the organization may give former ones to others. */
const former = formerSlugs({
  thing: 'project',
  within: ['organization_id'],
  container: 'organization',
  isFreeToTaker: false,
  mayGive: async (tx) => (await abilityIn(tx, undefined)).can(accessAllProjects),
  giver: 'an administrator of the organization',
  reservedDays: 30,
});

const slugOf = ({ organizationId, projectId: id, slug }: Slug) => ({ place: [organizationId], id, slug });

/** As `reserve` of `FormerSlugs`. */
export const reserveSlug = (tx: Transaction, slug: Slug): Promise<void> => former.reserve(tx, slugOf(slug));

/** As `requireUnreserved` of `FormerSlugs`. @throws DomainError 400 `project.slug_reserved`. */
export const requireUnreservedSlug = (tx: Transaction, slug: Slug): Promise<void> =>
  former.requireUnreserved(tx, slugOf(slug));
