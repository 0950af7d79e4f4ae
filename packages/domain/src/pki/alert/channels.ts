import { columnSeal } from '../../crypto/index.ts';
import { mergeConfiguration } from '../../family/index.ts';
import { badRequest, newId, notFound, statement, type Context, type Transaction } from '../../kernel/index.ts';
import {
  shownConfig,
  type AlertChannel,
  type AlertChannelInput,
  type AlertChannelType,
  type ChannelConfig,
} from './channel.ts';

/** A channel with its sealed part. */
export interface Channel {
  readonly id: string;
  readonly channelType: AlertChannelType;
  readonly config: ChannelConfig;
  readonly enabled: boolean;
}

interface Of {
  readonly id: string;
  readonly organizationId: string;
  readonly projectId: string;
}

interface ChannelRow {
  id: string;
  alertId: string;
  channelType: AlertChannelType;
  config: Buffer;
  enabled: boolean;
}
const OF_ALERTS = statement(
  'pki_alert_channels.of_alerts',
  `select id, alert_id as "alertId", channel_type as "channelType", config, enabled
   from pki_alert_channels where alert_id = any($1::uuid[]) order by alert_id, position`,
);
const KEEP = statement(
  'pki_alert_channels.keep',
  'delete from pki_alert_channels where alert_id = $1 and not (id = any($2::uuid[]))',
);
const SET = statement(
  'pki_alert_channels.set',
  `insert into pki_alert_channels
     (id, organization_id, project_id, alert_id, position, channel_type, config, enabled, created_at, updated_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9)
   on conflict (id) do update set position = excluded.position, channel_type = excluded.channel_type,
     config = excluded.config, enabled = excluded.enabled, updated_at = excluded.updated_at`,
);

/** The key signs messages to this address. */
const SENT_TO = new Map([['signingSecret', { sentTo: ['url'] }]]);

const configs = columnSeal('pki_alert_channels.config');

/** Whether it goes to an address that whoever has it can write to. */
export const hasAddress = ({ config }: Channel): boolean => !('recipients' in config);

export const shown = ({ id, channelType, config, enabled }: Channel, mayEdit: boolean): AlertChannel => ({
  id,
  channelType,
  config: shownConfig(config, mayEdit),
  enabled,
});

/** The input that leaves a channel unchanged. */
export const asGiven = (channel: Channel): AlertChannelInput => ({ ...channel }) as AlertChannelInput;

/** The channels of a project's alerts, by alert. */
export async function channelsOf(ctx: Context, alerts: readonly Of[]): Promise<Map<string, Channel[]>> {
  const [first] = alerts;
  if (!first) return new Map();
  const { organizationId, projectId } = first;
  const rows = await ctx.sql<ChannelRow>(OF_ALERTS, [alerts.map(({ id }) => id)]);
  const channels = new Map<string, Channel[]>();
  for (const { alertId, id, config, ...row } of rows) {
    const opened = await configs.openJson<ChannelConfig>(ctx, { id, organizationId, projectId }, config);
    const own = channels.get(alertId) ?? [];
    own.push({ id, ...row, config: opened });
    channels.set(alertId, own);
  }
  return channels;
}

/**
 * Sets the channels of an alert.
 *
 * @throws DomainError 404 for an ID that is not one of its channels; 400 `pki_alert.key_needed` if a webhook gets a new
 * address without its key.
 */
export async function setChannels(tx: Transaction, of: Of, given: readonly AlertChannelInput[]): Promise<Channel[]> {
  const before = new Map(((await channelsOf(tx, [of])).get(of.id) ?? []).map((one) => [one.id, one]));
  const channels = given.map((one) => merged(one, before));
  if (new Set(channels.map(({ id }) => id)).size < channels.length)
    throw badRequest('pki_alert.channel_twice', 'Two channels have the same ID');
  await tx.sql(KEEP, [of.id, channels.map(({ id }) => id)]);
  for (const [position, { id, channelType, config, enabled }] of channels.entries()) {
    const sealed = await configs.sealJson(tx, { ...of, id }, config);
    const values = [id, of.organizationId, of.projectId, of.id, position, channelType, sealed, enabled, tx.now()];
    await tx.sql(SET, values);
  }
  return channels;
}

function merged(given: AlertChannelInput, before: ReadonlyMap<string, Channel>): Channel {
  const old = given.id === undefined ? undefined : before.get(given.id);
  if (given.id !== undefined && !old) throw notFound('alert channel');
  const { channelType, enabled = old?.enabled ?? true } = given;
  return { id: old?.id ?? newId(), channelType, enabled, config: configOf(given, old?.config) };
}

function configOf(given: AlertChannelInput, old: ChannelConfig | undefined): ChannelConfig {
  switch (given.channelType) {
    case 'email':
      return given.config;
    case 'slack': {
      const before = old && 'webhookUrl' in old ? old : { channel: null, mentionUsers: [] };
      const { webhookUrl, channel = before.channel, mentionUsers = before.mentionUsers } = given.config;
      return { webhookUrl, channel, mentionUsers };
    }
    case 'webhook': {
      const { url, signingSecret } = given.config;
      const before = old && 'url' in old ? old : { url, signingSecret: null };
      const changes = signingSecret === undefined ? { url } : { url, signingSecret };
      return mergeConfiguration(SENT_TO, before, changes, 'pki_alert.key_needed');
    }
  }
}
