import { defineFamily } from '../../family/index.ts';
import { badRequest } from '../../kernel/index.ts';
import type { Issuer } from './issuer.ts';
import { acme } from './providers/acme/index.ts';
import { awsPca } from './providers/aws-pca/index.ts';
import { digicert } from './providers/digicert/index.ts';

const types = [acme, awsPca, digicert] as const;
/** The published name of a type of external authorities. */
export type ExternalAuthorityType = (typeof types)[number]['type'];

/** Every type of external authorities. To add one, implement it in `providers/` and name it here. */
export const issuers = defineFamily<'type', Issuer>(types, 'type', (type, offered) =>
  badRequest('external_authority.not_offered', `Coffer orders nothing from ${type} yet; offered are ${offered}`),
);
