import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { base, type TrustedAddress } from '../../kernel/index.ts';
import { IdentityEntity } from '../identity/identity.entity.ts';

/** A login method of an identity: common columns, and the fields of its kind in `config` and `sealed`. */
export const AuthMethodEntity = defineEntity({
  name: 'AuthMethod',
  tableName: 'identity_auth_methods',
  properties: {
    ...base,
    organizationId: p.uuid(),
    identityId: () => p.manyToOne(IdentityEntity).mapToPk().fieldName('identity_id'),
    kind: p.text(),
    accessTokenTTL: p.integer().fieldName('access_token_ttl'),
    accessTokenMaxTTL: p.integer().fieldName('access_token_max_ttl'),
    accessTokenNumUsesLimit: p.integer(),
    accessTokenPeriod: p.integer().default(0),
    accessTokenTrustedIps: p.json().$type<TrustedAddress[]>(),
    config: p.json().$type<Record<string, unknown>>(),
    sealed: p.blob().nullable().hidden(),
  },
});
export type AuthMethodEntity = InferEntity<typeof AuthMethodEntity>;
