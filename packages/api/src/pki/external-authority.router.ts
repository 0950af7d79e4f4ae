import {
  AnyExternalAuthority,
  authorityPermissions,
  createExternalAuthority,
  deleteExternalAuthority,
  ExternalAuthorityRef,
  externalAuthoritySchemas,
  getExternalAuthority,
  ListExternalAuthorities,
  listExternalAuthorities,
  updateExternalAuthority,
  type ExternalAuthoritySchemas,
  type ExternalAuthorityType,
} from '@coffer/domain';
import { z } from 'zod';
import { camel, procedure, rest, router, type Camel } from '../kernel/index.ts';

const path = '/api/v1/cert-manager/ca' as const;
const { read, create, edit, delete: remove } = authorityPermissions;

/** The operations whose input is the same for all types: `{type}` is one that is offered. */
export const externalAuthorityRouter = router({
  list: procedure
    .meta(rest('GET', `${path}/{type}`, read, 'List the external certificate authorities of a type in a project'))
    .input(ListExternalAuthorities)
    .output(z.array(AnyExternalAuthority))
    .query(({ ctx, input }) => listExternalAuthorities(ctx, input) as Promise<never[]>),
  get: procedure
    .meta(rest('GET', `${path}/{type}/{id}`, read, 'Read an external certificate authority'))
    .input(ExternalAuthorityRef)
    .output(AnyExternalAuthority)
    .query(({ ctx, input }) => getExternalAuthority(ctx, input) as Promise<never>),
  delete: procedure
    .meta(
      rest('DELETE', `${path}/{type}/{id}`, remove, 'Delete an external certificate authority; its certificates stay'),
    )
    .input(ExternalAuthorityRef)
    .output(AnyExternalAuthority)
    .mutation(({ ctx, input }) => deleteExternalAuthority(ctx, input) as Promise<never>),
});

/** The operations whose input each type declares. */
function routerOf({ type, title, Create, Update, Answer }: ExternalAuthoritySchemas) {
  return router({
    create: procedure
      .meta(rest('POST', `${path}/${type}`, create, `Create ${title}`))
      .input(Create)
      .output(Answer)
      .mutation(({ ctx, input }) => createExternalAuthority(ctx, type, input) as Promise<never>),
    update: procedure
      .meta(rest('PATCH', `${path}/${type}/{id}`, edit, `Update ${title}; omitted fields stay unchanged`))
      .input(Update)
      .output(Answer)
      .mutation(({ ctx, input }) => updateExternalAuthority(ctx, type, input) as Promise<never>),
  });
}

type Routers = { readonly [Type in ExternalAuthorityType as `${Camel<Type>}Authorities`]: ReturnType<typeof routerOf> };

/** By type: `acmeAuthorities.create`. */
export const externalAuthorityRouters = Object.fromEntries(
  externalAuthoritySchemas.map((schemas) => [`${camel(schemas.type)}Authorities`, routerOf(schemas)]),
) as Routers;
