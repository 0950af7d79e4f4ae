import { abilityIn, accessAllProjects } from '../../access/index.ts';
import { at, conflict, statement, type Transaction } from '../../kernel/index.ts';

const DAY_MS = 24 * 3_600_000;
/** The period in which clients that use a project's former slug get no other project. */
const RESERVED_DAYS = 30;

interface Slug {
  readonly organizationId: string;
  readonly projectId: string;
  readonly slug: string;
}

const NOTE = statement(
  'project.note_former_slug',
  `with expired as (delete from former_project_slugs where organization_id = $1 and reserved_until <= $4 and slug <> $2)
   insert into former_project_slugs (organization_id, slug, project_id, reserved_until) values ($1, $2, $3, $5)
   on conflict (organization_id, slug) do update set project_id = excluded.project_id, reserved_until = excluded.reserved_until`,
);
const RESERVED = statement(
  'project.reserved_slug',
  `select reserved_until as "reservedUntil" from former_project_slugs
   where organization_id = $1 and slug = $2 and project_id <> $3 and reserved_until > $4`,
);

/** Call it when a project loses a slug, by a change or by its deletion. */
export async function reserveSlug(tx: Transaction, { organizationId, projectId, slug }: Slug): Promise<void> {
  const now = tx.now();
  const until = new Date(now.getTime() + RESERVED_DAYS * DAY_MS);
  await tx.sql(NOTE, [organizationId, slug, projectId, now, until]);
}

/**
 * Machines name projects by slug, and would continue to do so if another project had it: so a former slug can be
 * assigned only by administrators of all projects of the organization, and to the project that had it. Call it after
 * the project has the slug in the database, where the constraint serializes it with the project that loses it.
 *
 * @throws DomainError 400 `project.slug_reserved`.
 */
export async function requireUnreservedSlug(tx: Transaction, { organizationId, projectId, slug }: Slug): Promise<void> {
  const [reserved] = await tx.sql<{ reservedUntil: string }>(RESERVED, [organizationId, slug, projectId, tx.now()]);
  if (!reserved || tx.actor.type === 'platform' || (await abilityIn(tx, undefined)).can(accessAllProjects)) return;
  throw conflict(
    'project.slug_reserved',
    `Another project of the organization had this slug, which is reserved until ${at(reserved.reservedUntil).toISOString()}: choose another slug, or ask an administrator of the organization`,
  );
}
