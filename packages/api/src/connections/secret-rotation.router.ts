import {
  AnyGeneratedCredentials,
  AnySecretRotation,
  createSecretRotation,
  DeleteSecretRotation,
  deleteSecretRotation,
  getGeneratedCredentials,
  getSecretRotation,
  getSecretRotationByName,
  ListSecretRotations,
  listSecretRotations,
  reconcileSecretRotation,
  rotateSecrets,
  rotationPermissions,
  SecretRotationName,
  SecretRotationOption,
  secretRotationOptions,
  SecretRotationRef,
  secretRotationSchemas,
  updateSecretRotation,
  type RotationType,
  type SecretRotationSchemas,
} from '@coffer/domain';
import { z } from 'zod';
import { camel, procedure, rest, router, type Camel } from '../kernel/index.ts';

const path = '/api/v2/secret-rotations' as const;
const One = z.object({ secretRotation: AnySecretRotation });
const Many = z.object({ secretRotations: z.array(AnySecretRotation) });
const {
  read,
  create,
  edit,
  delete: remove,
  'rotate-secrets': rotate,
  'read-generated-credentials': readCredentials,
} = rotationPermissions;

/** The operations whose input is the same for all types: `{rotationType}` is one that is offered. */
export const secretRotationRouter = router({
  options: procedure
    .meta(rest('GET', `${path}/options`, 'member', 'List the available types of secret rotations'))
    .input(z.object({}))
    .output(z.object({ secretRotationOptions: z.array(SecretRotationOption) }))
    .query(({ ctx }) => ({ secretRotationOptions: secretRotationOptions(ctx) })),
  listAll: procedure
    .meta(rest('GET', path, read, 'List the secret rotations of a project'))
    .input(ListSecretRotations.pick({ projectId: true }))
    .output(Many)
    .query(async ({ ctx, input }) => ({ secretRotations: await listSecretRotations(ctx, input) })),
  list: procedure
    .meta(rest('GET', `${path}/{rotationType}`, read, 'List the secret rotations of one type in a project'))
    .input(ListSecretRotations.required({ rotationType: true }))
    .output(Many)
    .query(async ({ ctx, input }) => ({ secretRotations: await listSecretRotations(ctx, input) })),
  get: procedure
    .meta(rest('GET', `${path}/{rotationType}/{rotationId}`, read, 'Get a secret rotation'))
    .input(SecretRotationRef)
    .output(One)
    .query(async ({ ctx, input }) => ({ secretRotation: await getSecretRotation(ctx, input) })),
  getByName: procedure
    .meta(rest('GET', `${path}/{rotationType}/rotation-name/{rotationName}`, read, 'Get a secret rotation by its name'))
    .input(SecretRotationName)
    .output(One)
    .query(async ({ ctx, input }) => ({ secretRotation: await getSecretRotationByName(ctx, input) })),
  generatedCredentials: procedure
    .meta(
      rest(
        'GET',
        `${path}/{rotationType}/{rotationId}/generated-credentials`,
        readCredentials,
        'Get the credentials that a secret rotation has generated',
      ),
    )
    .input(SecretRotationRef)
    .output(AnyGeneratedCredentials)
    .query(({ ctx, input }) => getGeneratedCredentials(ctx, input) as Promise<never>),
  rotate: procedure
    .meta(
      rest(
        'POST',
        `${path}/{rotationType}/{rotationId}/rotate-secrets`,
        rotate,
        'Rotate the secrets of a rotation now',
      ),
    )
    .input(SecretRotationRef)
    .output(One)
    .mutation(async ({ ctx, input }) => ({ secretRotation: await rotateSecrets(ctx, input) })),
  reconcile: procedure
    .meta(
      rest(
        'POST',
        `${path}/{rotationType}/{rotationId}/reconcile`,
        rotate,
        'Check the active credential of a rotation, and replace it if it no longer works',
      ),
    )
    .input(SecretRotationRef)
    .output(
      One.extend({
        reconciled: z.boolean().describe('Whether the credential was replaced'),
        message: z.string(),
      }),
    )
    .mutation(({ ctx, input }) => reconcileSecretRotation(ctx, input) as Promise<never>),
  delete: procedure
    .meta(rest('DELETE', `${path}/{rotationType}/{rotationId}`, remove, 'Delete a secret rotation'))
    .input(DeleteSecretRotation)
    .output(One)
    .mutation(async ({ ctx, input }) => ({ secretRotation: await deleteSecretRotation(ctx, input) })),
});

/** The operations whose input each type declares. */
function routerOf({ type, title, Create, Update, Answer }: SecretRotationSchemas) {
  const answer = z.object({ secretRotation: Answer });
  return router({
    create: procedure
      .meta(rest('POST', `${path}/${type}`, create, `Create a rotation of ${title}, and its first credential`))
      .input(Create)
      .output(answer)
      .mutation(async ({ ctx, input }) => ({ secretRotation: await createSecretRotation(ctx, type, input) })),
    update: procedure
      .meta(
        rest(
          'PATCH',
          `${path}/${type}/{rotationId}`,
          edit,
          `Update a rotation of ${title}; omitted fields stay unchanged`,
        ),
      )
      .input(Update)
      .output(answer)
      .mutation(async ({ ctx, input }) => ({ secretRotation: await updateSecretRotation(ctx, type, input) })),
  });
}

type Routers = { readonly [Type in RotationType as `${Camel<Type>}Rotations`]: ReturnType<typeof routerOf> };

/** By type: `postgresCredentialsRotations.create`. */
export const rotationRouters = Object.fromEntries(
  secretRotationSchemas.map((schemas) => [`${camel(schemas.type)}Rotations`, routerOf(schemas)]),
) as Routers;
