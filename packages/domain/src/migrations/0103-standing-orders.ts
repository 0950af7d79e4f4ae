import { migration } from './migration.ts';

/**
 * Who has placed an order of a certificate, and needs the right until it is issued. An order outlives its subscriber, until what was
 * made for it elsewhere is removed.
 */
export const m0103StandingOrders = migration(
  '0103-standing-orders',
  `
alter table certificate_orders add column requester jsonb;
alter table certificate_orders drop constraint certificate_orders_pki_subscriber_id_fkey;
alter table certificate_orders add constraint certificate_orders_pki_subscriber_id_fkey
  foreign key (pki_subscriber_id) references pki_subscribers on delete set null;
`,
);
