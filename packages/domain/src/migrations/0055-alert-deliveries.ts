import { migration } from './migration.ts';

/** Messages of alerts become reconciled work. What the previous release writes and left waiting is due immediately. */
export const m0055AlertDeliveries = migration(
  '0055-alert-deliveries',
  `
alter table pki_alert_deliveries
  add column due_at timestamptz(3) default now(),
  add column failures integer not null default 0,
  add column claim_id uuid,
  add column claimed_until timestamptz(3),
  -- Messages to the same host are sent one after the other. Null for e-mail, and for messages of the previous release.
  add column queue text;
create index pki_alert_deliveries_due on pki_alert_deliveries (due_at) where due_at is not null;
`,
);
