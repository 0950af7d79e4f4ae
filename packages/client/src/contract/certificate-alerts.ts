// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';

export type Alert = {
  id: string;
  name: string;
  description: string | null;
  eventType: 'expiration' | 'renewal' | 'issuance' | 'revocation';
  alertBefore: string | null;
  filters: AlertFilter[];
  enabled: boolean;
  projectId: string;
  channels: AlertChannel[];
  lastRun: { timestamp: string; status: string; error: string | null } | null;
  createdAt: string;
  updatedAt: string;
};

export type AlertChannel = {
  id: string;
  channelType: 'email' | 'webhook' | 'slack';
  config: { recipients: string[] } | { url: string; hasSigningSecret: boolean } | { webhookUrl: string; channel: string | null; mentionUsers: string[] };
  enabled: boolean;
};

export type AlertChannelInput = {
  /** ID of an existing channel */ id?: string;
  /** Default: true */ enabled?: boolean;
  channelType: 'email';
  config: { recipients: string[] };
} | {
  /** ID of an existing channel */ id?: string;
  /** Default: true */ enabled?: boolean;
  channelType: 'webhook';
  config: {
    url: string;
    /** The key that signs the calls. If omitted, it stays unchanged; null removes it. Never returned */
    signingSecret?: string | null;
  };
} | {
  /** ID of an existing channel */ id?: string;
  /** Default: true */ enabled?: boolean;
  channelType: 'slack';
  config: { webhookUrl: string; channel?: string | null; mentionUsers?: string[] };
};

export type AlertFilter = {
  field: 'profile_name' | 'common_name' | 'san' | 'include_cas';
  /** `matches`: * matches any text */ operator: 'equals' | 'matches' | 'contains' | 'starts_with' | 'ends_with';
  value: string | string[] | boolean;
};

export type CreateAlert = {
  projectId: string;
  name: string;
  description?: string;
  eventType: 'expiration' | 'renewal' | 'issuance' | 'revocation';
  /** Time before the end, in d, w, m (30 days) or y. Required for expirations, not allowed for other events */
  alertBefore?: string;
  /** Default: `[]` */ filters?: AlertFilter[];
  /** Default: `true` */ enabled?: boolean;
  channels: AlertChannelInput[];
};

export type ListAlerts = {
  projectId: string;
  eventType?: 'expiration' | 'renewal' | 'issuance' | 'revocation';
  enabled?: boolean;
  /** A part of the name */ search?: string;
  /** Number of items to skip (default: `0`) */ offset?: number;
  /** Maximum number of items (default: `25`) */ limit?: number;
};

export type UpdateAlert = {
  alertId: string;
  name?: string;
  description?: string | null;
  eventType?: 'expiration' | 'renewal' | 'issuance' | 'revocation';
  /** Time before the end, in d, w, m (30 days) or y. Required for expirations, not allowed for other events */
  alertBefore?: string;
  filters?: AlertFilter[];
  enabled?: boolean;
  /** All channels; one with the ID of an existing channel updates that, and what it omits stays unchanged */
  channels?: AlertChannelInput[];
};

export interface CertificateAlertsApi {
  /** List the certificate alerts of a project. `GET /api/v1/cert-manager/alerts`. Needs `read` on `pki-alerts`. */
  list: Query<ListAlerts, { alerts: Alert[]; total: number }>;
  /**
   * Create a certificate alert.
   * Also needs a permission to read certificates. The alert runs as the user who created it, or last updated more of it than its name and description or disabling it: it notifies each of its channels, once, of each certificate that this user may read and that ends within `alertBefore`, or that was issued, renewed or revoked since. Authorities are included if a filter names them (`include_cas`).
   * `POST /api/v1/cert-manager/alerts`. Needs `create` on `pki-alerts`.
   */
  create: Mutation<CreateAlert, { alert: Alert }>;
  /** Read a certificate alert. `GET /api/v1/cert-manager/alerts/{alertId}`. Needs `read` on `pki-alerts`. */
  get: Query<{ alertId: string }, { alert: Alert }>;
  /** Update a certificate alert. `PATCH /api/v1/cert-manager/alerts/{alertId}`. Needs `edit` on `pki-alerts`. */
  update: Mutation<UpdateAlert, { alert: Alert }>;
  /** Delete a certificate alert. `DELETE /api/v1/cert-manager/alerts/{alertId}`. Needs `delete` on `pki-alerts`. */
  delete: Mutation<{ alertId: string }, { alert: Alert }>;
}
