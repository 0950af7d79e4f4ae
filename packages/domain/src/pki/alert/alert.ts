import { z } from 'zod';
import { projectPermissions } from '../../access/catalogue.ts';
import {
  defineEvent,
  defineUpdate,
  Email,
  flag,
  Id,
  Instant,
  page,
  slug,
  text,
  Timestamps,
  Uuid,
} from '../../kernel/schema.ts';
import { AlertChannel, AlertChannelInput, MAX_CHANNELS } from './channel.ts';

export const alertPermissions = projectPermissions('pki-alerts');

export const AlertEvent = z.enum(['expiration', 'renewal', 'issuance', 'revocation']);
export type AlertEvent = z.output<typeof AlertEvent>;

const MAX_FILTERS = 20;
const FilterText = text(255).min(1);

/** All filters must match; of several values, one must match. */
export const AlertFilter = z
  .object({
    field: z.enum(['profile_name', 'common_name', 'san', 'include_cas']),
    operator: z
      .enum(['equals', 'matches', 'contains', 'starts_with', 'ends_with'])
      .describe('`matches`: * matches any text'),
    value: z.union([FilterText, z.array(FilterText).min(1).max(50), z.boolean()]),
  })
  .refine(
    ({ field, operator, value }) =>
      field === 'include_cas' ? operator === 'equals' && typeof value === 'boolean' : typeof value !== 'boolean',
    'include_cas takes `equals` with true or false; the other fields are compared with text',
  );
export type AlertFilter = z.output<typeof AlertFilter>;

const DAYS = { d: 1, w: 7, m: 30, y: 365 } as const;
const MAX_DAYS = 3650;

/** Days of `30d`, `2w`, `3m` (thirty days each), `1y`. */
export const daysOf = (before: string): number =>
  Number(before.slice(0, -1)) * DAYS[before.slice(-1) as keyof typeof DAYS];

const AlertBefore = z
  .string()
  .max(5, { abort: true })
  .regex(/^[1-9]\d{0,3}[dwmy]$/, 'Expected days, weeks, months or years, for example 30d')
  .refine((before) => daysOf(before) <= MAX_DAYS, 'The maximum is ten years')
  .meta({ examples: ['30d'] })
  .describe('Time before the end, in d, w, m (30 days) or y. Required for expirations, not allowed for other events');

/** The result of the last notification. */
export const AlertRun = z.object({ timestamp: Instant, status: z.string(), error: z.string().nullable() });

export const Alert = z.object({
  id: Uuid,
  name: z.string(),
  description: z.string().nullable(),
  eventType: AlertEvent,
  alertBefore: z.string().nullable(),
  filters: z.array(AlertFilter),
  enabled: z.boolean(),
  projectId: Uuid,
  channels: z.array(AlertChannel),
  lastRun: AlertRun.nullable(),
  ...Timestamps.shape,
});
export type Alert = z.output<typeof Alert>;

const Channels = z.array(AlertChannelInput).min(1).max(MAX_CHANNELS);
const Filters = z.array(AlertFilter).max(MAX_FILTERS);
const AlertName = slug(1, 255);

export const CreateAlert = z.object({
  projectId: Id,
  name: AlertName,
  description: text(1000).optional(),
  eventType: AlertEvent,
  alertBefore: AlertBefore.optional(),
  filters: Filters.default([]),
  enabled: z.boolean().default(true),
  channels: Channels,
});
export type CreateAlert = z.output<typeof CreateAlert>;

export const AlertRef = z.object({ alertId: Id });
export type AlertRef = z.output<typeof AlertRef>;

export const UpdateAlert = AlertRef.extend({
  name: AlertName.optional(),
  description: text(1000).nullish(),
  eventType: AlertEvent.optional(),
  alertBefore: AlertBefore.optional(),
  filters: Filters.optional(),
  enabled: z.boolean().optional(),
  channels: Channels.optional().describe(
    'All channels; one with the ID of an existing channel updates that, and what it omits stays unchanged',
  ),
});
export type UpdateAlert = z.output<typeof UpdateAlert>;

export const ListAlerts = z.object({
  projectId: Id,
  eventType: AlertEvent.optional(),
  enabled: flag().optional(),
  search: text(255).optional().describe('A part of the name'),
  ...page({ limit: 25 }).shape,
});
export type ListAlerts = z.output<typeof ListAlerts>;

/** The older kind: about a collection, by e-mail. */
export const CollectionAlert = z.object({
  id: Uuid,
  ...Timestamps.shape,
  projectId: Uuid,
  pkiCollectionId: Uuid,
  name: z.string(),
  alertBeforeDays: z.number(),
  recipientEmails: z.string().describe('Comma-separated'),
});
export type CollectionAlert = z.output<typeof CollectionAlert>;

const OlderName = text(255).trim().min(1);
const Days = z.int().min(1).max(MAX_DAYS);
const Emails = z.array(Email).min(1).max(50);

export const CreateCollectionAlert = z.object({
  projectId: Id,
  pkiCollectionId: Id,
  name: OlderName,
  alertBeforeDays: Days,
  emails: Emails,
});
export type CreateCollectionAlert = z.output<typeof CreateCollectionAlert>;

export const UpdateCollectionAlert = AlertRef.extend({
  name: OlderName.optional(),
  alertBeforeDays: Days.optional(),
  pkiCollectionId: Id.optional(),
  emails: Emails.optional(),
});
export type UpdateCollectionAlert = z.output<typeof UpdateCollectionAlert>;

const data = z.object({ pkiAlertId: z.string(), name: z.string(), eventType: z.string() });
export const alertAddressesRead = defineEvent(
  'pki_alert.addresses_read',
  'get-pki-alert-addresses',
  z.object({ pkiAlertIds: z.array(z.string()) }),
);
export const alertCreated = defineEvent('pki_alert.created', 'create-pki-alert', data);
export const alertUpdated = defineUpdate('pki_alert.updated', 'update-pki-alert', data);
export const alertDeleted = defineEvent('pki_alert.deleted', 'delete-pki-alert', data);
export const alertRaised = defineEvent('pki_alert.raised', 'raise-pki-alert', data.extend({ total: z.number() }));
