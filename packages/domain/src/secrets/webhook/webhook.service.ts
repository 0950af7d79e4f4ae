import {
  authorize,
  authorizeById,
  organizationOf,
  readable,
  requireLasting,
  unlessHidden,
} from '../../access/index.ts';
import { mergeConfiguration } from '../../family/index.ts';
import {
  badRequest,
  eventOf,
  inTransaction,
  isId,
  newId,
  notFound,
  record,
  redactedUrl,
  statement,
  type Context,
  type Permission,
  type Transaction,
} from '../../kernel/index.ts';
import { runAsOf } from '../import/replication/index.ts';
import { callWebhook } from './call.ts';
import { beginToFollow } from './cursor.ts';
import { webhooks } from './deliver.ts';
import { openTarget, sealTarget } from './sealed.ts';
import { WebhookEntity } from './webhook.entity.ts';
import {
  webhookCreated,
  webhookDeleted,
  webhookPermissions,
  webhookTested,
  webhooksListed,
  webhookUpdated,
  type CreateWebhook,
  type ListWebhooks,
  type UpdateWebhook,
  type Webhook,
  type WebhookRef,
  type WebhookWithUrl,
} from './webhook.ts';

/** Each of them costs something with every change. */
const MAX_WEBHOOKS = 200;

interface EnvironmentRow {
  id: string;
  name: string;
  slug: string;
}
const ENVIRONMENTS = statement(
  'webhooks.environments',
  'select id, name, slug from environments where organization_id = $1 and project_id = $2',
);
const COUNT = statement('webhooks.count', 'select count(*)::integer as count from webhooks where project_id = $1');

const environmentsOf = (ctx: Context, projectId: string): Promise<EnvironmentRow[]> =>
  ctx.sql<EnvironmentRow>(ENVIRONMENTS, [organizationOf(ctx), projectId]);

async function environmentBySlug(ctx: Context, projectId: string, slug: string): Promise<EnvironmentRow> {
  const found = (await environmentsOf(ctx, projectId)).find((environment) => environment.slug === slug);
  if (!found) throw notFound('environment', { environment: slug });
  return found;
}

const toWebhook = (row: WebhookEntity, environment: EnvironmentRow): Webhook => ({
  id: row.id,
  projectId: row.projectId,
  envId: environment.id,
  environment,
  secretPath: row.secretPath,
  type: row.type,
  isDisabled: row.isDisabled,
  lastStatus: row.lastStatus ?? null,
  lastRunErrorMessage: row.lastRunErrorMessage ?? null,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
});

async function answer(ctx: Context, row: WebhookEntity): Promise<Webhook> {
  const environments = await environmentsOf(ctx, row.projectId);
  const environment = environments.find(({ id }) => id === row.environmentId);
  if (!environment) throw notFound('webhook');
  return toWebhook(row, environment);
}

const eventData = ({ id, environment, secretPath, isDisabled }: Webhook) => ({
  webhookId: id,
  environment: environment.slug,
  secretPath,
  isDisabled,
});

/**
 * Creates a webhook. It gets changes from now on, in folders that the caller sees then (`visible-folders.ts`).
 *
 * @throws DomainError 404 for an unknown project or environment; 403, also for a right that ends (`requireLasting`); 400
 * `webhook.too_many`.
 */
export async function createWebhook(ctx: Context, input: CreateWebhook): Promise<Webhook> {
  const { projectId, secretPath, type, webhookUrl: url, webhookSecretKey } = input;
  await authorize(ctx, webhookPermissions.create, { projectId });
  const organizationId = organizationOf(ctx);
  return inTransaction(ctx, async (tx) => {
    await requireLasting(tx, projectId, { permission: webhookPermissions.create, fields: { projectId } });
    const environment = await environmentBySlug(tx, projectId, input.environment);
    const place = { id: newId(), organizationId, projectId };
    const since = await beginToFollow(tx, place);
    const [{ count }] = (await tx.sql<{ count: number }>(COUNT, [projectId])) as [{ count: number }];
    if (count >= MAX_WEBHOOKS)
      throw badRequest('webhook.too_many', `A project can have at most ${MAX_WEBHOOKS} webhooks`);
    const row = tx.em.create(WebhookEntity, {
      ...place,
      environmentId: environment.id,
      secretPath,
      type,
      ...(await sealTarget(tx, place, { url, secretKey: webhookSecretKey || null })),
      since,
      runAs: runAsOf(tx) ?? null,
    });
    await tx.em.persist(row).flush();
    const webhook = toWebhook(row, environment);
    record(tx, webhookCreated, eventData(webhook), { projectId });
    return webhook;
  });
}

/**
 * The webhooks of a project, oldest first; optionally only those of an environment, or of exactly this path. Addresses
 * are complete for callers who may update them.
 */
export async function listWebhooks(
  ctx: Context,
  { projectId, environment: slug, secretPath }: ListWebhooks,
): Promise<WebhookWithUrl[]> {
  await authorize(ctx, webhookPermissions.read, { projectId });
  const mayEdit = (await readable(ctx, webhookPermissions.edit, { projectId }))({ projectId });
  const shown = (url: string) => (mayEdit ? url : redactedUrl(url));
  const environments = new Map((await environmentsOf(ctx, projectId)).map((one) => [one.id, one]));
  const wanted = slug === undefined ? undefined : await environmentBySlug(ctx, projectId, slug);
  const rows = await ctx.em.find(
    WebhookEntity,
    {
      organizationId: organizationOf(ctx),
      projectId,
      ...(wanted && { environmentId: wanted.id }),
      ...(secretPath !== undefined && { secretPath }),
    },
    { orderBy: { id: 'asc' } },
  );
  // Another environment was created meanwhile.
  const known = rows.flatMap((row) => {
    const environment = environments.get(row.environmentId);
    return environment ? [{ row, environment }] : [];
  });
  const all = await Promise.all(
    known.map(async ({ row, environment }) => ({
      ...toWebhook(row, environment),
      url: shown((await openTarget(ctx, row)).url),
    })),
  );
  if (mayEdit && all.length > 0)
    await ctx.commitRead(eventOf(webhooksListed, { numberOfWebhooks: all.length }, { projectId }), ctx);
  return all;
}

/** A webhook in a project of which the caller is not a member gets the same 404 as an unknown one. */
async function requireWebhook(ctx: Context, webhookId: string, permission: Permission): Promise<WebhookEntity> {
  const row = isId(webhookId)
    ? await ctx.em.findOne(WebhookEntity, { id: webhookId, organizationId: organizationOf(ctx) })
    : null;
  if (!row) throw notFound('webhook');
  await unlessHidden('webhook', authorizeById(ctx, permission, { projectId: row.projectId }));
  return row;
}

const LOCK = statement('webhooks.lock', 'select id from webhooks where id = $1 for update');

async function lock(tx: Transaction, id: string): Promise<WebhookEntity> {
  const [there] = await tx.sql(LOCK, [id]);
  const row = there && (await tx.em.findOne(WebhookEntity, id));
  if (!row) throw notFound('webhook');
  return row;
}

/** The key signs messages to this address. */
const SENT_TO = new Map([['webhookSecretKey', { sentTo: ['webhookUrl'] }]]);
const DROP = statement('webhook_deliveries.drop', 'delete from webhook_deliveries where webhook_id = $1');

/**
 * Updates the given fields. If it gets another scope, or is enabled or disabled, waiting deliveries are dropped, and it
 * gets changes from then on. It runs as the caller from then on, unless it is only enabled or disabled.
 *
 * @throws DomainError 404, 403 as creating one; 400 `webhook.key_needed` for a new address without the key, if there is one.
 */
export async function updateWebhook(ctx: Context, { webhookId, ...changes }: UpdateWebhook): Promise<Webhook> {
  const found = await requireWebhook(ctx, webhookId, webhookPermissions.edit);
  const { projectId, organizationId } = found;
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  return inTransaction(ctx, async (tx) => {
    // Only to disable it, the right of this moment is enough.
    const isOfCaller = Object.keys(given).some((name) => name !== 'isDisabled');
    if (isOfCaller || given['isDisabled'] === false)
      await requireLasting(tx, projectId, { permission: webhookPermissions.edit, fields: { projectId } });
    // Locked before its own row, as in the creation of deliveries.
    const since = await beginToFollow(tx, { projectId, organizationId });
    const row = await lock(tx, found.id);
    const before = await openTarget(tx, row);
    const old = { webhookUrl: before.url, webhookSecretKey: before.secretKey };
    const { webhookUrl: url, webhookSecretKey: secretKey } = mergeConfiguration(
      SENT_TO,
      old,
      given,
      'webhook.key_needed',
    );
    const { isDisabled = row.isDisabled, secretPath = row.secretPath, environment } = changes;
    const place = environment === undefined ? undefined : await environmentBySlug(tx, projectId, environment);
    const environmentId = place?.id ?? row.environmentId;
    const hearsAnew =
      isDisabled !== row.isDisabled || secretPath !== row.secretPath || environmentId !== row.environmentId;
    if (hearsAnew) await tx.sql(DROP, [row.id]);
    tx.em.assign(row, {
      isDisabled,
      secretPath,
      environmentId,
      ...(await sealTarget(tx, row, { url, secretKey })),
      ...(hearsAnew && { since }),
      ...(isOfCaller && { runAs: runAsOf(tx) ?? null }),
      failures: 0,
      restsUntil: null,
    });
    await tx.em.flush();
    webhooks.enqueue(tx, { id: row.id, organizationId });
    const webhook = await answer(tx, row);
    record(tx, webhookUpdated, { ...eventData(webhook), changed: Object.keys(given) }, { projectId });
    return webhook;
  });
}

export async function deleteWebhook(ctx: Context, { webhookId }: WebhookRef): Promise<Webhook> {
  const found = await requireWebhook(ctx, webhookId, webhookPermissions.delete);
  return inTransaction(ctx, async (tx) => {
    const row = await lock(tx, found.id);
    const webhook = await answer(tx, row);
    await tx.em.remove(row).flush();
    record(tx, webhookDeleted, eventData(webhook), { projectId: row.projectId });
    return webhook;
  });
}

const PROJECT = statement('webhooks.project_name', 'select name from projects where id = $1');

/**
 * Calls a webhook now, also a disabled one, with a test event signed by its key, and stores the result.
 *
 * @throws DomainError 404, 403 without the right to update it, as for other runs with stored credentials.
 */
export async function testWebhook(ctx: Context, { webhookId }: WebhookRef): Promise<Webhook> {
  const row = await requireWebhook(ctx, webhookId, webhookPermissions.edit);
  const { projectId, secretPath } = row;
  const { environment } = await answer(ctx, row);
  const [project] = await ctx.sql<{ name: string }>(PROJECT, [projectId]);
  const failure = await callWebhook(ctx, row, {
    id: newId(),
    event: 'test',
    projectId,
    projectName: project?.name ?? '',
    environment: environment.slug,
    secretPath,
    actor: undefined,
  });
  return inTransaction(ctx, async (tx) => {
    const tested = await lock(tx, row.id);
    tx.em.assign(tested, {
      lastStatus: failure === undefined ? 'success' : 'failed',
      lastRunErrorMessage: failure ?? null,
    });
    await tx.em.flush();
    const webhook = await answer(tx, tested);
    record(tx, webhookTested, { ...eventData(webhook), isReached: failure === undefined }, { projectId });
    return webhook;
  });
}
