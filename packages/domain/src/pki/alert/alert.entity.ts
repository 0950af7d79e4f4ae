import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { base } from '../../kernel/index.ts';
import type { RunAs } from '../../secrets/import/replication/index.ts';
import type { AlertFilter } from './alert.ts';

export const AlertEntity = defineEntity({
  name: 'PkiAlert',
  tableName: 'pki_alerts',
  properties: {
    ...base,
    organizationId: p.uuid(),
    projectId: p.uuid(),
    pkiCollectionId: p.uuid().nullable(),
    name: p.text(),
    description: p.text().nullable(),
    eventType: p.text(),
    alertBefore: p.text().nullable(),
    alertBeforeDays: p.integer().nullable(),
    filters: p.json<AlertFilter[]>(),
    enabled: p.boolean(),
    runAs: p.json().$type<RunAs>().nullable(),
    since: p.datetime(),
    lastRunAt: p.datetime().nullable(),
    lastRunStatus: p.text().nullable(),
    lastRunError: p.text().nullable(),
  },
});
export type AlertEntity = InferEntity<typeof AlertEntity>;
