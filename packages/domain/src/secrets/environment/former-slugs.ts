import { abilityIn, projectPermissions } from '../../access/index.ts';
import { at, conflict, statement, type Transaction } from '../../kernel/index.ts';
import type { EnvironmentEntity } from './environment.entity.ts';
import { RESTORABLE_DAYS } from './environment.ts';

/** The period in which clients that use an environment's former slug get no other environment: as long as it can be restored. */
const RESERVED_MS = RESTORABLE_DAYS * 86_400_000;

const NOTE = statement(
  'environment.note_former_slug',
  `with expired as (delete from former_environment_slugs
     where organization_id = $1 and project_id = $2 and reserved_until <= $6 and slug <> $3)
   insert into former_environment_slugs (organization_id, project_id, slug, environment_id, actor_id, reserved_until)
   values ($1, $2, $3, $4, $5, $7)
   on conflict (organization_id, project_id, slug) do update
     set environment_id = excluded.environment_id, actor_id = excluded.actor_id, reserved_until = excluded.reserved_until`,
);
const RESERVED = statement(
  'environment.reserved_slug',
  `select reserved_until as "reservedUntil" from former_environment_slugs
   where organization_id = $1 and project_id = $2 and slug = $3 and environment_id <> $4
     and actor_id is distinct from $5 and reserved_until > $6`,
);

type Named = Pick<EnvironmentEntity, 'id' | 'organizationId' | 'projectId' | 'slug'>;

const idOf = ({ actor }: Transaction): string | null => ('id' in actor ? actor.id : null);

/** Call it when an environment loses a slug, by a change or by its deletion. The order of environments is locked. */
export async function reserveSlug(
  tx: Transaction,
  { id, organizationId, projectId }: Named,
  slug: string,
): Promise<void> {
  const now = tx.now();
  const until = new Date(now.getTime() + RESERVED_MS);
  await tx.sql(NOTE, [organizationId, projectId, slug, id, idOf(tx), now, until]);
}

/**
 * Clients, rules and service tokens name environments by slug, and would continue to do so if another environment had it. So a
 * former slug can be given to another environment only by whoever took it from the one that had it, or by those who may
 * edit the project. Folders need no such rule: the right to create one is asked at its path, the right to create an
 * environment is the same for every slug. Call it after the environment has the slug in the database; the order of
 * environments is locked.
 *
 * @throws DomainError 400 `environment.slug_reserved`.
 */
export async function requireUnreservedSlug(
  tx: Transaction,
  { id, organizationId, projectId, slug }: Named,
): Promise<void> {
  const values = [organizationId, projectId, slug, id, idOf(tx), tx.now()];
  const [reserved] = await tx.sql<{ reservedUntil: string }>(RESERVED, values);
  if (!reserved || tx.actor.type === 'platform') return;
  if ((await abilityIn(tx, projectId)).can(projectPermissions('workspace').edit)) return;
  throw conflict(
    'environment.slug_reserved',
    `Another environment of the project had the slug ${slug}, which is reserved until ${at(reserved.reservedUntil).toISOString()}: choose another slug, or ask somebody with the permission workspace: edit`,
  );
}
