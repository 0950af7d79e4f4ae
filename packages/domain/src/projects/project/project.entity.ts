import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { base } from '../../kernel/index.ts';

export const ProjectEntity = defineEntity({
  name: 'Project',
  tableName: 'projects',
  properties: {
    ...base,
    organizationId: p.uuid(),
    name: p.text(),
    slug: p.text(),
    type: p.text(),
    description: p.text().nullable(),
    autoCapitalization: p.boolean().default(false),
    hasDeleteProtection: p.boolean().default(false),
    pitVersionLimit: p.integer().default(10),
    offlineCacheMaxAge: p.integer().default(0),
    auditLogsRetentionDays: p.integer().nullable(),
    secretSharing: p.boolean().default(true),
    showSnapshotsLegacy: p.boolean().default(false),
    secretDetectionIgnoreValues: p.json().$type<string[]>().default([]),
  },
});
export type ProjectEntity = InferEntity<typeof ProjectEntity>;
