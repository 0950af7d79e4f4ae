import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { base } from '../../kernel/index.ts';
import type { GivenAuth } from './stored.ts';

export const AppConnectionEntity = defineEntity({
  name: 'AppConnection',
  tableName: 'app_connections',
  properties: {
    ...base,
    organizationId: p.uuid(),
    projectId: p.uuid(),
    app: p.text(),
    integration: p.text().nullable(),
    given: p.json().$type<GivenAuth>().nullable(),
    credentials: p.blob().hidden(),
    /** Of a copy: all projects that it comes from. */
    originProjectIds: p.array().$type<string[]>(),
  },
});
export type AppConnectionEntity = InferEntity<typeof AppConnectionEntity>;
