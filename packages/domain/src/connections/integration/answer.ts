import { notFound, type Context } from '../../kernel/index.ts';
import type { EnvironmentEntity } from '../../secrets/environment/index.ts';
import { syncs } from '../registry.ts';
import { messageFor, placesOf, type Source } from '../sync/index.ts';
import type { AuthRow, IntegrationRow } from './find.ts';
import type { IntegrationAuth } from './integration-auth.ts';
import type { Integration, IntegrationWithEnvironment } from './integration.ts';

/** The current source of an integration: a renamed folder has its new path. */
export async function sourceOf(ctx: Context, row: IntegrationRow): Promise<Source> {
  const [placed] = await placesOf(ctx, [row]);
  if (!placed) throw notFound('integration');
  return placed.source;
}

export async function answer(ctx: Context, row: IntegrationRow): Promise<IntegrationWithEnvironment> {
  const [found] = await answerAll(ctx, [row]);
  if (!found) throw notFound('integration');
  return found;
}

/** Integrations as their readers are shown them, except those that were deleted meanwhile with their environment. */
export async function answerAll(ctx: Context, rows: readonly IntegrationRow[]): Promise<IntegrationWithEnvironment[]> {
  const answers: IntegrationWithEnvironment[] = [];
  for (const placed of await placesOf(ctx, rows)) {
    const integration = toIntegration(placed.row, placed.source.secretPath);
    const syncMessage = await messageFor(ctx, placed, integration.syncMessage);
    answers.push(withEnvironment({ ...integration, syncMessage }, placed.environment));
  }
  return answers;
}

const withEnvironment = (
  integration: Integration,
  { id, name, slug }: EnvironmentEntity,
): IntegrationWithEnvironment => ({ ...integration, environment: { id, name, slug } });

/** The published name of the service that an integration writes to. */
export const nameOf = ({ destination }: IntegrationRow): string =>
  syncs.require(destination).integration?.name ?? destination;

const NOTHING = {
  url: null,
  app: null,
  appId: null,
  targetEnvironment: null,
  targetEnvironmentId: null,
  targetService: null,
  targetServiceId: null,
  owner: null,
  path: null,
  region: null,
  scope: null,
};

const toIntegration = (row: IntegrationRow, secretPath: string): Integration => ({
  id: row.id,
  isActive: row.isActive,
  ...NOTHING,
  ...row.given.fields,
  integration: nameOf(row),
  metadata: row.given.metadata,
  integrationAuthId: row.connectionId,
  envId: row.environmentId,
  secretPath,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
  lastUsed: row.lastUsed ?? null,
  isSynced: row.isSynced ?? null,
  syncMessage: row.syncMessage ?? null,
  lastSyncJobId: row.lastSyncJobId ?? null,
});

/** The published form of credentials: without secrets. */
export const toAuth = (row: AuthRow): IntegrationAuth => ({
  id: row.id,
  projectId: row.projectId,
  integration: row.integration,
  teamId: null,
  url: row.given?.url ?? null,
  namespace: row.given?.namespace ?? null,
  accountId: null,
  metadata: null,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
});

/** The event data of an integration. */
export const eventData = (row: IntegrationRow, source: Source) => ({
  integrationId: row.id,
  integrationAuthId: row.connectionId,
  integration: nameOf(row),
  environment: source.environment,
  secretPath: source.secretPath,
});
