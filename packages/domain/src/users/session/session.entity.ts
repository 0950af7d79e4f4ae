import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { base } from '../../kernel/index.ts';
import { UserEntity } from '../user/user.entity.ts';

export const SessionEntity = defineEntity({
  name: 'Session',
  tableName: 'user_sessions',
  properties: {
    ...base,
    userId: () => p.manyToOne(UserEntity).mapToPk().fieldName('user_id'),
    refreshHash: p.blob().hidden(),
    refreshFamilyHash: p.blob().nullable().hidden(),
    openerFamilyHash: p.blob().nullable().hidden(),
    organizationId: p.uuid().nullable(),
    ipAddress: p.text(),
    userAgent: p.text(),
    name: p.text().nullable(),
    lastUsedAt: p.datetime(),
    expiresAt: p.datetime(),
  },
});
export type SessionEntity = InferEntity<typeof SessionEntity>;
