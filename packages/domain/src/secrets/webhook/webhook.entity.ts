import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { base } from '../../kernel/index.ts';
import type { RunAs } from '../import/replication/index.ts';

/** The configuration and the result of the last call. The schedule of calls is in the same row; see `deliver.ts`. */
export const WebhookEntity = defineEntity({
  name: 'Webhook',
  tableName: 'webhooks',
  properties: {
    ...base,
    organizationId: p.uuid(),
    projectId: p.uuid(),
    environmentId: p.uuid(),
    secretPath: p.text(),
    type: p.text(),
    url: p.blob().hidden(),
    secretKey: p.blob().nullable().hidden(),
    isDisabled: p.boolean().default(false),
    lastStatus: p.text().nullable(),
    lastRunErrorMessage: p.text().nullable(),
    since: p.bigint('string'),
    failures: p.integer().default(0),
    restsUntil: p.datetime().nullable(),
    runAs: p.json().$type<RunAs>().nullable(),
  },
});
export type WebhookEntity = InferEntity<typeof WebhookEntity>;
