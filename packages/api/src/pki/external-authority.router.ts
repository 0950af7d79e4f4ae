import {
  authorityPermissions,
  createExternalAuthority,
  DeleteExternalAuthority,
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

function routerOf({ type, title, Create, Update, Answer }: ExternalAuthoritySchemas) {
  return router({
    list: procedure
      .meta(rest('GET', `${path}/${type}`, read, `List the authorities of a project at ${title}`))
      .input(ListExternalAuthorities)
      .output(z.array(Answer))
      .query(({ ctx, input }) => listExternalAuthorities(ctx, type, input) as Promise<never[]>),
    create: procedure
      .meta(rest('POST', `${path}/${type}`, create, `Create an authority at ${title}`))
      .input(Create)
      .output(Answer)
      .mutation(({ ctx, input }) => createExternalAuthority(ctx, type, input) as Promise<never>),
    get: procedure
      .meta(rest('GET', `${path}/${type}/{id}`, read, `Read an authority at ${title}`))
      .input(ExternalAuthorityRef)
      .output(Answer)
      .query(({ ctx, input }) => getExternalAuthority(ctx, type, input) as Promise<never>),
    update: procedure
      .meta(
        rest('PATCH', `${path}/${type}/{id}`, edit, `Update an authority at ${title}; omitted fields stay unchanged`),
      )
      .input(Update)
      .output(Answer)
      .mutation(({ ctx, input }) => updateExternalAuthority(ctx, type, input) as Promise<never>),
    delete: procedure
      .meta(rest('DELETE', `${path}/${type}/{id}`, remove, `Delete an authority at ${title}; its certificates stay`))
      .input(DeleteExternalAuthority)
      .output(Answer)
      .mutation(({ ctx, input }) => deleteExternalAuthority(ctx, type, input) as Promise<never>),
  });
}

type Routers = { readonly [Type in ExternalAuthorityType as `${Camel<Type>}Authorities`]: ReturnType<typeof routerOf> };

/** By type: `acmeAuthorities.create`. */
export const externalAuthorityRouters = Object.fromEntries(
  externalAuthoritySchemas.map((schemas) => [`${camel(schemas.type)}Authorities`, routerOf(schemas)]),
) as Routers;
