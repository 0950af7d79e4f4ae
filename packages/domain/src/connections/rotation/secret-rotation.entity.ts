import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { base } from '../../kernel/index.ts';
import { AppConnectionEntity } from '../connection/connection.entity.ts';

/** The configuration. Its outcome, schedule and claims are columns of the same row (`find.ts`, `work.ts`). */
export const SecretRotationEntity = defineEntity({
  name: 'SecretRotation',
  tableName: 'secret_rotations',
  properties: {
    ...base,
    organizationId: p.uuid(),
    projectId: p.uuid(),
    folderId: p.uuid(),
    connectionId: () => p.manyToOne(AppConnectionEntity).mapToPk().fieldName('connection_id'),
    type: p.text(),
    name: p.text(),
    description: p.text().nullable(),
    parameters: p.json().$type<object>(),
    secretsMapping: p.json().$type<Readonly<Record<string, string>>>(),
    target: p.text(),
    accounts: p.array().$type<string[]>(),
    isAutoRotationEnabled: p.boolean(),
    rotationInterval: p.integer(),
    rotateAt: p.integer(),
  },
});
export type SecretRotationEntity = InferEntity<typeof SecretRotationEntity>;
