import type { RequiredEntityData } from '@mikro-orm/core';
import type { StoredPassword } from '../../access/index.ts';
import { columnSeal } from '../../crypto/index.ts';
import { defaultsOf, type Configuration } from '../../family/index.ts';
import type { Context, Transaction } from '../../kernel/index.ts';
import { AuthMethodEntity } from './auth-method.entity.ts';
import type { AnyAuthMethod } from './auth-method.ts';
import { settingNames } from './settings.ts';

/** The stored form of a configuration: plain fields, and the others sealed under the organization's key. */
export interface StoredConfiguration {
  readonly id: string;
  readonly organizationId: string;
  readonly config: Configuration;
  readonly sealed?: Uint8Array | null | undefined;
}

const sealedFields = columnSeal('identity_auth_methods.sealed');

/** Also of an identity of a project, whose rows may say which: the key is the organization's. */
const sealedRow = ({ id, organizationId }: Pick<StoredConfiguration, 'id' | 'organizationId'>) => ({
  id,
  organizationId,
});

/** The whole configuration of a row. Fields that a later release added have their defaults. */
export async function openConfiguration(
  ctx: Context,
  method: AnyAuthMethod,
  row: StoredConfiguration,
): Promise<Configuration> {
  const secrets = row.sealed ? await sealedFields.openJson<Configuration>(ctx, sealedRow(row), row.sealed) : {};
  return { ...defaultsOf(method.config.shape), ...row.config, ...secrets };
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
  return { config, sealed: await sealedFields.sealJson(ctx, sealedRow(row), Object.fromEntries(secrets)) };
}

/** A caller's input for a method's own fields, in stored form. May throw a 400; see `written`. */
export function readOwnFields(method: AnyAuthMethod, input: Readonly<Record<string, unknown>>): Configuration {
  const written = method.written?.fields.shape ?? {};
  const notOwn = new Set<string>([...settingNames, 'identityId', ...Object.keys(written)]);
  const pick = (isWanted: (name: string) => boolean) =>
    Object.fromEntries(Object.entries(input).filter(([name, value]) => value !== undefined && isWanted(name)));
  return { ...pick((name) => !notOwn.has(name)), ...method.written?.read(pick((name) => name in written)) };
}

/** The stored password of a method; `undefined` if it has none. */
export function storedPasswordOf(
  method: AnyAuthMethod,
  row: Pick<StoredConfiguration, 'id' | 'organizationId'>,
  configuration: Configuration,
): StoredPassword | undefined {
  const stored = method.storedPassword?.(configuration as never);
  return stored && { ...stored, organizationId: row.organizationId, holderId: row.id, what: method.kind };
}

/** Adds a login method to an identity. The right was checked before. */
export async function addAuthMethod(
  tx: Transaction,
  method: RequiredEntityData<AuthMethodEntity>,
): Promise<AuthMethodEntity> {
  const row = tx.em.create(AuthMethodEntity, method);
  await tx.em.persist(row).flush();
  return row;
}
