import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { base } from '../../kernel/index.ts';

export const UserEntity = defineEntity({
  name: 'User',
  tableName: 'users',
  properties: {
    ...base,
    username: p.text(),
    email: p.text().nullable(),
    firstName: p.text().nullable(),
    lastName: p.text().nullable(),
    passwordHash: p.text().nullable().hidden(),
    isAccepted: p.boolean().default(false),
    isEmailVerified: p.boolean().default(false),
    isSuperAdmin: p.boolean().default(false),
  },
});
export type UserEntity = InferEntity<typeof UserEntity>;
