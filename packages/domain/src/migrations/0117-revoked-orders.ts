import { migration } from './migration.ts';

/**
 * Authorities may answer two orders alike: what is revoked for one of them is not stored for the other. Who cancels an order has
 * what was issued for it revoked, by their own rights.
 */
export const m0117RevokedOrders = migration(
  '0117-revoked-orders',
  `
alter table certificate_orders
  -- SHA-256 of the certificate that was issued for it and is not stored, but revoked at its authority.
  add column revoked_fingerprint bytea,
  -- Who has cancelled it; absent where nobody has to have a right for that.
  add column canceller jsonb;
create index certificate_orders_revoked on certificate_orders (organization_id, revoked_fingerprint)
  where revoked_fingerprint is not null;
`,
);
