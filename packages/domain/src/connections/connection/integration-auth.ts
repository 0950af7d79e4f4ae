import { sealedFieldsOf } from '../../family/index.ts';
import { readFields } from '../fields.ts';
import type { Connector, Credentials } from './connector.ts';
import {
  INTEGRATION_AUTH_FIELDS,
  type IntegrationAuthField,
  type IntegrationAuthFields,
} from './integration-auth-fields.ts';

/**
 * The credentials of an app in these fields: those of the method that uses the most of them.
 *
 * @throws DomainError 400 with each field that is missing or invalid.
 */
export function fromIntegrationAuth({ title, methods }: Connector, fields: IntegrationAuthFields): Credentials {
  const taken = Object.entries(methods).flatMap(([method, { integrationAuth, credentials }]) => {
    if (!integrationAuth) return [];
    const given = Object.entries(integrationAuth).flatMap(([name, field]) =>
      fields[field] === null ? [] : [[name, fields[field]] as const],
    );
    return [{ method, names: integrationAuth, schema: credentials, given }];
  });
  const [most] = taken.toSorted((a, b) => b.given.length - a.given.length);
  const { method, names, schema, given } = most!;
  const reading = { title, code: 'app_connection.credentials', names };
  return { method, ...readFields(schema, Object.fromEntries(given), reading) };
}

/** The fields that some credentials were made from. */
export function toIntegrationAuth({ methods }: Connector, credentials: Credentials): Partial<IntegrationAuthFields> {
  const { integrationAuth = {} } = methods[credentials.method] ?? {};
  return Object.fromEntries(
    Object.entries(integrationAuth).map(([name, field]) => [field, credentials[name] ?? null]),
  ) as Partial<IntegrationAuthFields>;
}

/**
 * The fields that hold the secrets of some credentials; all that are sealed where the app is not supported.
 *
 * @throws DomainError as `fromIntegrationAuth`.
 */
export function secretFieldsOf(
  connector: Connector | undefined,
  fields: IntegrationAuthFields,
): readonly IntegrationAuthField[] {
  if (!connector)
    return INTEGRATION_AUTH_FIELDS.filter((name) => name !== 'url' && name !== 'namespace' && fields[name] !== null);
  const { credentials, integrationAuth } = connector.methods[fromIntegrationAuth(connector, fields).method]!;
  return [...sealedFieldsOf(credentials.shape).keys()].map((name) => integrationAuth![name]!);
}
