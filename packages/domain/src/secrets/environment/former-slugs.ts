import { abilityIn, formerSlugs, projectPermissions } from '../../access/index.ts';
import type { Transaction } from '../../kernel/index.ts';
import type { EnvironmentEntity } from './environment.entity.ts';
import { RESTORABLE_DAYS } from './environment.ts';

type Named = Pick<EnvironmentEntity, 'id' | 'organizationId' | 'projectId' | 'slug'>;

/**
 * Clients, rules and service tokens name environments by slug. Whoever took a slug from one, and those who may edit the project, may
 * give it to another one. Folders need no such rule: the right to create one is asked at its path, the right to create an environment
 * is the same for every slug.
 */
const former = formerSlugs({
  thing: 'environment',
  within: ['organization_id', 'project_id'],
  container: 'project',
  isFreeToTaker: true,
  mayGive: async (tx, { place: [, projectId] }) =>
    (await abilityIn(tx, projectId)).can(projectPermissions('workspace').edit),
  giver: 'somebody with the permission workspace: edit',
  // As long as the environment can be restored.
  reservedDays: RESTORABLE_DAYS,
});

const slugOf = ({ organizationId, projectId, id, slug }: Named) => ({ place: [organizationId, projectId], id, slug });

/** As `reserve` of `FormerSlugs`. The order of environments is locked. */
export const reserveSlug = (tx: Transaction, environment: Named, slug: string): Promise<void> =>
  former.reserve(tx, { ...slugOf(environment), slug });

/** As `requireUnreserved` of `FormerSlugs`. The order of environments is locked. @throws DomainError 400 `environment.slug_reserved`. */
export const requireUnreservedSlug = (tx: Transaction, environment: Named): Promise<void> =>
  former.requireUnreserved(tx, slugOf(environment));
