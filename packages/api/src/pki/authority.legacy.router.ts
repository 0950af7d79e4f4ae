import {
  authorityPermissions,
  AuthorityRef,
  AuthorityStatus,
  AuthorityType,
  createAuthorityV1,
  CreateAuthorityV1,
  deleteAuthority,
  getAuthority,
  Instant,
  listAuthoritiesV1,
  ListAuthoritiesV1,
  updateAuthority,
  UpdateAuthority,
  schemaNamed,
  Uuid,
  type Authority,
} from '@coffer/domain';
import { z } from 'zod';
import { procedure, rest, router } from '../kernel/index.ts';

/** An authority as older clients read it: flat. */
const AuthorityV1 = schemaNamed(
  'AuthorityV1',
  z.object({
    id: Uuid,
    createdAt: Instant,
    updatedAt: Instant,
    parentCaId: Uuid.nullable(),
    projectId: Uuid,
    type: AuthorityType,
    status: AuthorityStatus,
    name: z.string(),
    friendlyName: z.string(),
    organization: z.string(),
    ou: z.string(),
    country: z.string(),
    province: z.string(),
    locality: z.string(),
    commonName: z.string(),
    dn: z.string(),
    serialNumber: z.string().nullable(),
    maxPathLength: z.number().int(),
    keyAlgorithm: z.string(),
    notBefore: Instant.nullable(),
    notAfter: Instant.nullable(),
    activeCaCertId: Uuid.nullable(),
    requireTemplateForIssuance: z.boolean(),
  }),
);

function toV1({ configuration, enableDirectIssuance, ...authority }: Authority): z.output<typeof AuthorityV1> {
  return { ...authority, ...configuration, requireTemplateForIssuance: !enableDirectIssuance };
}

const One = z.object({ ca: AuthorityV1 });
const path = '/api/v1/pki/ca' as const;
const { read, create, edit, delete: remove } = authorityPermissions;

export const authorityLegacyRouter = router({
  list: procedure
    .meta(rest('GET', '/api/v2/workspace/{slug}/cas', read, 'List the certificate authorities of a project'))
    .input(ListAuthoritiesV1)
    .output(z.object({ cas: z.array(AuthorityV1) }))
    .query(async ({ ctx, input }) => ({ cas: (await listAuthoritiesV1(ctx, input)).map(toV1) })),
  create: procedure
    .meta(rest('POST', path, create, 'Create a root or intermediate certificate authority'))
    .input(CreateAuthorityV1)
    .output(One)
    .mutation(async ({ ctx, input }) => ({ ca: toV1(await createAuthorityV1(ctx, input)) })),
  get: procedure
    .meta(rest('GET', `${path}/{caId}`, read, 'Read a certificate authority'))
    .input(AuthorityRef)
    .output(One)
    .query(async ({ ctx, input }) => ({ ca: toV1(await getAuthority(ctx, input)) })),
  update: procedure
    .meta(rest('PATCH', `${path}/{caId}`, edit, 'Update a certificate authority: disable it, or change how it issues'))
    .input(UpdateAuthority.pick({ caId: true, status: true, requireTemplateForIssuance: true }))
    .output(One)
    .mutation(async ({ ctx, input }) => ({ ca: toV1(await updateAuthority(ctx, input)) })),
  delete: procedure
    .meta(
      rest('DELETE', `${path}/{caId}`, remove, 'Delete a certificate authority and all certificates that it issued'),
    )
    .input(AuthorityRef)
    .output(One)
    .mutation(async ({ ctx, input }) => ({ ca: toV1(await deleteAuthority(ctx, input)) })),
});
