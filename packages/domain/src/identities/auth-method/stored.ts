import { isDeepStrictEqual } from 'node:util';
import { open, seal, type SealedPlace } from '../../crypto/index.ts';
import { badRequest, type Context } from '../../kernel/index.ts';
import type { AuthMethodEntity } from './auth-method.entity.ts';
import type { AnyAuthMethod } from './auth-method.ts';
import { settingNames } from './settings.ts';

export type Configuration = Record<string, unknown>;

/** What a row keeps of a configuration: the open fields, and the others sealed under the organization's key. */
export interface StoredConfiguration {
  readonly id: string;
  readonly organizationId: string;
  readonly config: Configuration;
  readonly sealed?: Uint8Array | null | undefined;
}

const placeOf = ({ id, organizationId }: StoredConfiguration): SealedPlace => ({
  column: 'identity_auth_methods.sealed',
  owner: organizationId,
  row: id,
  version: 0,
});

/** The whole configuration of a row. Fields that a later release added have their defaults. */
export async function openConfiguration(
  ctx: Context,
  method: AnyAuthMethod,
  row: StoredConfiguration,
): Promise<Configuration> {
  const defaults = Object.fromEntries(
    Object.entries(method.config.shape).flatMap(([name, schema]) => {
      const missing = schema.safeParse(undefined);
      return missing.success ? [[name, missing.data]] : [];
    }),
  );
  const secrets = row.sealed
    ? (JSON.parse(
        open(await ctx.keys.organization(row.organizationId), Buffer.from(row.sealed), placeOf(row)),
      ) as Configuration)
    : {};
  return { ...defaults, ...row.config, ...secrets };
}

/** The columns that keep a configuration. */
export async function sealConfiguration(
  ctx: Context,
  method: AnyAuthMethod,
  row: { id: string; organizationId: string },
  configuration: Configuration,
): Promise<Pick<AuthMethodEntity, 'config' | 'sealed'>> {
  const isSealed = ([name]: [string, unknown]) => method.sealedFields.has(name);
  const fields = Object.entries(configuration);
  const secrets = fields.filter(isSealed);
  const config = Object.fromEntries(fields.filter((field) => !isSealed(field)));
  if (secrets.length === 0) return { config, sealed: null };
  const keys = await ctx.keys.organization(row.organizationId);
  return { config, sealed: seal(keys, JSON.stringify(Object.fromEntries(secrets)), placeOf({ ...row, config })) };
}

/** What a caller named of a method's own fields, in the form that is stored. May throw a 400; see `written`. */
export function readOwnFields(method: AnyAuthMethod, input: Readonly<Record<string, unknown>>): Configuration {
  const written = method.written?.fields.shape ?? {};
  const notOwn = new Set<string>([...settingNames, 'identityId', ...Object.keys(written)]);
  const pick = (isWanted: (name: string) => boolean) =>
    Object.fromEntries(Object.entries(input).filter(([name, value]) => value !== undefined && isWanted(name)));
  return { ...pick((name) => !notOwn.has(name)), ...method.written?.read(pick((name) => name in written)) };
}

/**
 * A stored credential goes nowhere but where it was given for.
 *
 * @throws DomainError 400 where a change names a new target for a credential that is stored, and not the credential.
 */
export function requireCredentialsForNewTargets(
  method: AnyAuthMethod,
  before: Configuration,
  changes: Configuration,
): void {
  const isChanged = (name: string) => name in changes && !isDeepStrictEqual(changes[name], before[name]);
  for (const [name, { sentTo }] of method.sealedFields) {
    const target = before[name] ? sentTo.find(isChanged) : undefined;
    if (target === undefined || name in changes) continue;
    throw badRequest('auth_method.credential_needed', `Give ${name} again: it would be sent to the new ${target}`);
  }
}
