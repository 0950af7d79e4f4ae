import { migration } from './migration.ts';

/** Whose rights decide what an alert tells: whoever saved it last. Null for alerts of earlier releases, which tell everything. */
export const m0046AlertRunAs = migration(
  '0046-alert-run-as',
  `
alter table pki_alerts add column run_as jsonb;
`,
);
