import {
  abilityIn,
  abilityWithinReach,
  organizationOf,
  projectPermissions,
  requireMayRemove,
} from '../../access/index.ts';
import { forbidden, statement, type DomainError, type LeftElsewhere, type Transaction } from '../../kernel/index.ts';
import { policiesCovering, requireMayEndPublication, requireNoPolicyAt } from '../coverage/index.ts';
import { requireMayReplaceAll } from '../secret/index.ts';

/** A folder that an integration publishes at its target, whose readers trust that. It may have been deleted. */
export interface PublishedFolder {
  readonly projectId: string;
  /** The environment's slug. */
  readonly environment: string;
  readonly secretPath: string;
}

export const ofOthers = (): DomainError =>
  forbidden(
    'integration.shared_target',
    'An integration of a project of which you are not a member writes there: ask somebody who may write its secrets',
    { name: 'PermissionDenied' },
  );

/**
 * Rejects a caller who may not write everything in a source, or under a change policy that applies there, since readers
 * of its target get something else then.
 *
 * @throws DomainError 403; ApprovalNeeded, as for writing it.
 */
export async function requireMayReplaceSource(tx: Transaction, source: PublishedFolder): Promise<void> {
  await requireMayWriteSource(tx, source);
  await requireNoPolicyAt(tx, ...placeOf(tx, source));
}

/**
 * The same for what is published from another folder to the same target already: where all policies of the source also
 * cover that folder, what comes from there was approved.
 *
 * @throws DomainError 403; ApprovalNeeded.
 */
export async function requireMayPublishBeside(
  tx: Transaction,
  own: PublishedFolder,
  source: PublishedFolder,
): Promise<void> {
  await requireMayWriteSource(tx, source);
  const covering = await policiesCovering(tx, ...placeOf(tx, source));
  const approving = own.projectId === source.projectId ? await policiesCovering(tx, ...placeOf(tx, own)) : new Set();
  if ([...covering].some((id) => !approving.has(id))) await requireNoPolicyAt(tx, ...placeOf(tx, source));
}

/**
 * The same for deleting an integration, after which everybody may write at its target. No request can ask for that, so
 * whoever may permanently edit the policies that apply needs no approval.
 *
 * @throws DomainError 403; ApprovalNeeded.
 */
export async function requireMayEndSource(tx: Transaction, source: PublishedFolder): Promise<void> {
  await requireMayWriteSource(tx, source);
  await requireMayEndPublication(tx, ...placeOf(tx, source));
}

async function requireMayWriteSource(
  tx: Transaction,
  { projectId, environment, secretPath }: PublishedFolder,
): Promise<void> {
  const ability = await abilityWithinReach(tx, projectId);
  if (!ability) throw ofOthers();
  requireMayReplaceAll(ability, projectId, { environment, secretPath });
}

const placeOf = (tx: Transaction, { projectId, environment, secretPath }: PublishedFolder) =>
  [
    { organizationId: organizationOf(tx), projectId },
    { environment, path: secretPath },
  ] as const;

const SOURCES = statement(
  'publication.sources',
  `select distinct i.project_id as "projectId", e.slug as environment, coalesce(f.path, i.secret_path) as "secretPath",
     i.given is not null as "isIntegration"
   from secret_syncs i join environments e on e.id = i.environment_id
   left join folders f on f.id = i.folder_id and not f.is_reserved
   where i.organization_id = $1 and i.project_id = $2 and ($3::uuid is null or i.environment_id = $3)
   order by 2, 3, 4`,
);

/** What has written copies to another system, which stay there when it ends; an integration is named by its destination. */
const PUBLISHERS = `select case when i.given is null then 'secret-sync' else 'integration' end as kind, i.id,
     coalesce(i.name, i.destination) as name
   from secret_syncs i where i.organization_id = $1`;
const IN_PROJECT = statement(
  'publication.publishers_in_project',
  `${PUBLISHERS} and i.project_id = $2 and ($3::uuid is null or i.environment_id = $3) order by 1, 3, 2`,
);
const IN_ORGANIZATION = statement('publication.publishers_in_organization', `${PUBLISHERS} order by 1, 3, 2`);

/** The integrations and secret syncs that end with an environment, a project or an organization; for the event. */
export const publishersIn = (
  tx: Transaction,
  { projectId, environmentId = null }: { projectId?: string | undefined; environmentId?: string | null },
): Promise<LeftElsewhere> =>
  projectId === undefined
    ? tx.sql<LeftElsewhere[number]>(IN_ORGANIZATION, [organizationOf(tx)])
    : tx.sql<LeftElsewhere[number]>(IN_PROJECT, [organizationOf(tx), projectId, environmentId]);

interface EndingSource extends PublishedFolder {
  readonly isIntegration: boolean;
}

/**
 * Call it before a project, or one of its environments, is deleted: its integrations and secret syncs end with it, also
 * disabled ones.
 *
 * @throws DomainError 403, with an environment also if a rule forbids the caller to delete one of them; ApprovalNeeded.
 */
export async function requireMayEndSourcesIn(
  tx: Transaction,
  { projectId, environmentId }: { readonly projectId: string; readonly environmentId?: string },
): Promise<void> {
  const sources = await tx.sql<EndingSource>(SOURCES, [organizationOf(tx), projectId, environmentId ?? null]);
  for (const source of sources) await requireMayEndSource(tx, source);
  if (environmentId === undefined) return;
  const ability = await abilityIn(tx, projectId);
  const ofKind = (isIntegration: boolean) =>
    sources.flatMap(({ environment, secretPath, ...source }) =>
      source.isIntegration === isIntegration ? { environment, secretPath } : [],
    );
  await requireMayRemove(ability, projectPermissions('secret-syncs').delete, projectId, ofKind(false));
  await requireMayRemove(ability, projectPermissions('integrations').delete, projectId, ofKind(true));
}
