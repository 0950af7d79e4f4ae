import { migration } from './migration.ts';

/** Whose rights decide which folders a webhook names: whoever saved it last. Null for webhooks of earlier releases, which name all. */
export const m0125WebhookRunAs = migration(
  '0125-webhook-run-as',
  `
alter table webhooks add column run_as jsonb;
`,
);
