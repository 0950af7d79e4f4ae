import { passByRows, readableAtAll } from '../../access/index.ts';
import { eventOf, isId, notFound, type Context } from '../../kernel/index.ts';
import { missingSettingOfApp } from '../connection/index.ts';
import { rotations } from '../registry.ts';
import { credentialsOf } from './credentials.ts';
import { eventData, fieldsOf, requireRotation, requireRotationNamed, rotationsOf, toRotation } from './find.ts';
import {
  credentialsRead,
  rotationPermissions,
  type GeneratedCredentials,
  type ListSecretRotations,
  type SecretRotation,
  type SecretRotationName,
  type SecretRotationOption,
  type SecretRotationRef,
} from './secret-rotation.ts';

/** The types that are offered. */
export const secretRotationOptions = ({ settings: { apps } }: Pick<Context, 'settings'>): SecretRotationOption[] =>
  rotations.members.map(({ type, title, connector, mapping }) => ({
    name: title,
    type,
    connection: connector.app,
    template: { secretsMapping: { ...mapping } },
    missingSetting: missingSettingOfApp(connector, apps),
  }));

/**
 * The rotations of a project that the caller may read, by place and name.
 *
 * @throws DomainError 404; 403 if no rule allows to read any.
 */
export async function listSecretRotations(
  ctx: Context,
  { projectId, rotationType }: ListSecretRotations,
): Promise<SecretRotation[]> {
  const isReadable = await readableAtAll(ctx, rotationPermissions.read, { projectId });
  if (!isId(projectId)) throw notFound('project');
  const rows = await rotationsOf(ctx, projectId, rotationType);
  return rows.filter((row) => isReadable(fieldsOf(row))).map(toRotation);
}

/** @throws DomainError 404, 403 */
export const getSecretRotation = async (ctx: Context, ref: SecretRotationRef): Promise<SecretRotation> =>
  toRotation(await requireRotation(ctx, ref, 'read'));

/** @throws DomainError 404, 403 */
export const getSecretRotationByName = async (ctx: Context, named: SecretRotationName): Promise<SecretRotation> =>
  toRotation(await requireRotationNamed(ctx, named));

/**
 * The credentials that a rotation has generated: the active one, and the previous one.
 *
 * @throws DomainError 404, 403
 */
export async function getGeneratedCredentials(ctx: Context, ref: SecretRotationRef): Promise<GeneratedCredentials> {
  const find = (by: Context) => requireRotation(by, ref, 'read-generated-credentials');
  const row = await find(ctx);
  // It may wait for its credentials, and have another place then.
  passByRows(ctx, find);
  const stored = await credentialsOf(ctx, row);
  await ctx.commitRead(eventOf(credentialsRead, eventData(row), { projectId: row.projectId }), ctx);
  const shown = stored.filter(({ state }) => state !== 'pending');
  return {
    type: row.type,
    rotationId: row.id,
    activeIndex: Math.max(
      0,
      shown.findIndex(({ state }) => state === 'active'),
    ),
    generatedCredentials: shown.flatMap(({ credential }) => (credential ? [credential] : [])),
  };
}
