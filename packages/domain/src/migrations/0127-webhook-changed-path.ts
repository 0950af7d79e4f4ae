import { migration } from './migration.ts';

/** A folder that has changed, where a notification names the one that contains it and many others: its path is to be seen. */
export const m0127WebhookChangedPath = migration(
  '0127-webhook-changed-path',
  `
alter table webhook_deliveries add column changed_path text;
`,
);
