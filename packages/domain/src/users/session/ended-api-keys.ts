import { at, invalidate, record, type Transaction } from '../../kernel/index.ts';
import { apiKeyDeleted } from '../api-key/api-key.ts';

/** A deleted API key, by `ENDED_API_KEY`. */
export interface EndedApiKey {
  readonly id: string;
  readonly organizationId: string;
  readonly userId: string;
  readonly name: string;
  readonly expiresAt: string;
}

/** What a statement that deletes API keys `c` returns. */
export const ENDED_API_KEY = `c.id, c.organization_id as "organizationId", c.user_id as "userId", c.name, c.expires_at as "expiresAt"`;

/** Each key that ends with something else leaves its own event, as one that is deleted by itself does. */
export function recordEndedApiKeys(tx: Transaction, keys: readonly EndedApiKey[]): void {
  for (const { id, organizationId, userId, name, expiresAt } of keys) {
    invalidate(tx, `api-key:${id}`);
    const data = { apiKeyId: id, userId, name, expiresAt: at(expiresAt).toISOString() };
    record(tx, apiKeyDeleted, data, { organizationId });
  }
}
