import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { base } from '../../kernel/index.ts';

export const IntegrationAuthEntity = defineEntity({
  name: 'IntegrationAuth',
  tableName: 'integration_auths',
  properties: {
    ...base,
    organizationId: p.uuid(),
    projectId: p.uuid(),
    integration: p.text(),
    teamId: p.text().nullable(),
    url: p.text().nullable(),
    namespace: p.text().nullable(),
    accountId: p.text().nullable(),
    metadata: p.json().$type<Record<string, unknown>>().nullable(),
    sealed: p.blob().hidden(),
  },
});
export type IntegrationAuthEntity = InferEntity<typeof IntegrationAuthEntity>;
