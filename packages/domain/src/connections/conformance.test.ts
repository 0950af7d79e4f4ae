import { globSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { sealedFieldsOf } from '../family/index.ts';
import { describeFamily } from '../family/testing/conformance.ts';
import { DomainError, NO_APP_SETTINGS, type OutboundResponse } from '../kernel/index.ts';
import { makeOrganization, makeProject, testCoffer, type TestCoffer } from '../testing/index.ts';
import {
  fromIntegrationAuth,
  INTEGRATION_AUTH_FIELDS,
  NO_FIELDS,
  secretFieldsOf,
  systemByFields,
  toIntegrationAuth,
  type IntegrationAuthFields,
  type Remote,
} from './connection/index.ts';
import { createIntegrationAuth } from './integration/authorize.ts';
import { createIntegration } from './integration/configure.ts';
import { deleteIntegration } from './integration/end.ts';
import { CreateIntegrationAuth } from './integration/integration-auth.ts';
import { getIntegration } from './integration/integration.service.ts';
import { CreateIntegration, Integration } from './integration/integration.ts';
import { configure } from './integration/offered.ts';
import { published } from './integration/published.ts';
import { connectors, syncs } from './registry.ts';
import { openSession } from './sync/session.ts';
import { TARGET_FIELDS, type ConfiguredSync, type IntegrationNames, type Sync } from './sync/sync.ts';
import { credentialsAt, type DestinationExample } from './sync/testing/example.ts';

const SERVER = new URL('../../../../apps/server/test/', import.meta.url);
const serverTests = (file: string) => [readFileSync(new URL(file, SERVER), 'utf8')];

let test: TestCoffer;
beforeAll(async () => {
  test = await testCoffer();
});
afterAll(() => test.close());

describe('apps', () => {
  it('are registered if they have a folder, and if syncs use them', () => {
    const folders = globSync('*/index.ts', { cwd: new URL('apps/', import.meta.url) }).map((file) =>
      file.replace('/index.ts', ''),
    );
    expect(folders.toSorted()).toEqual(connectors.names.toSorted());
    expect(syncs.members.filter(({ connector }) => connectors.find(connector.app) !== connector)).toEqual([]);
  });

  it.each(connectors.members)('have unique published fields, in every method: $app', ({ methods }) => {
    for (const { credentials, integrationAuth } of Object.values(methods)) {
      if (!integrationAuth) continue;
      const shape = credentials.shape as Record<string, z.ZodType>;
      const required = Object.keys(shape).filter((name) => !shape[name]!.safeParse(undefined).success);
      expect(Object.keys(integrationAuth)).toEqual(expect.arrayContaining(required));
      const fields = Object.values(integrationAuth);
      expect(fields.filter((field) => !INTEGRATION_AUTH_FIELDS.includes(field))).toEqual([]);
      expect(new Set(fields).size).toBe(fields.length);
    }
  });

  it.each(connectors.members)('take no address that cannot be one: $app', ({ methods }) => {
    for (const { credentials } of Object.values(methods))
      for (const [name, schema] of Object.entries(credentials.shape)) {
        if (!/(?:host|url)$/i.test(name)) continue;
        const scheme = ['https://', 'ldaps://', ''].find((one) => schema.safeParse(`${one}server.example.com`).success);
        expect(scheme, name).toBeDefined();
        for (const host of ['[', '%', '1.2.3.256', 'server:99999', 'server\0', '\ud800'])
          expect(schema.safeParse(scheme + host).success, `${name} ${JSON.stringify(host)}`).toBe(false);
      }
  });
});

/** The names of the fields of a schema, in any of its alternatives. */
function fieldsIn(schema: z.ZodType): string[] {
  if (schema instanceof z.ZodUnion) return [...new Set((schema.options as z.ZodType[]).flatMap(fieldsIn))];
  return Object.keys((schema as z.ZodObject).shape);
}

type Fields = Readonly<Record<string, unknown>>;
interface Way {
  readonly configured: ConfiguredSync;
  readonly choose: (fields: Fields) => ConfiguredSync;
  readonly fields: Fields;
  /** The fields that this way of lying there needs. */
  readonly needs: readonly string[];
}

function wayOf(fields: Fields, choose: Way['choose']): Way {
  const isNeeded = (name: string) => {
    try {
      choose({ ...fields, [name]: '' });
      return false;
    } catch {
      return typeof fields[name] === 'string';
    }
  };
  return { configured: choose(fields), choose, fields, needs: Object.keys(fields).filter(isNeeded) };
}

/** The same for its names at `/api/v1/integration`. */
function describeIntegration(
  sync: Sync,
  named: IntegrationNames,
  { auth = {}, integration = {}, standIn }: DestinationExample,
) {
  const { connector } = sync;
  const { name: slug, fields: names, mappings } = named;
  const credentials: IntegrationAuthFields = { ...NO_FIELDS, ...auth };
  const chosen = mappings.map((mappingBehavior): Way => {
    const choose = (fields: Fields) => configure(slug, { fields, metadata: { mappingBehavior } });
    const configured = choose(integration);
    const needs = Object.entries(names).flatMap(([name, field]) =>
      name in configured.config && field in integration ? [field] : [],
    );
    return { configured, choose, fields: integration, needs };
  });

  it('knows the system that credentials reach, in whatever way that is written', () => {
    const nameBy = (fields: Partial<IntegrationAuthFields>) =>
      systemByFields(connector, { ...credentials, ...fields })?.name;
    const name = nameBy({});
    expect(name).toMatch(/./);
    expect(nameBy({ accessToken: `${credentials.accessToken}x` })).toBe(name);
    const { url } = credentials;
    if (url === null) return;
    const { host } = new URL(url);
    for (const same of [`https://${host.toUpperCase()}`, `https://${host}.`, `https://${host}:443/`, `${url}/`])
      expect(nameBy({ url: same }), same).toBe(name);
    expect(nameBy({ url: 'https://another.example' })).not.toBe(name);
  });

  it('knows the secrets of its credentials', () => {
    const secrets = secretFieldsOf(connector, credentials);
    expect(secrets).toContain('accessToken');
    for (const field of secrets) expect(credentials[field], field).not.toBeNull();
    expect(secrets).not.toContain('url');
  });

  it('is named as published', () => {
    expect(published[slug as keyof typeof published]).toBe(sync.title);
  });

  it('needs nothing but published fields', () => {
    expect(Object.values(names).filter((name) => !TARGET_FIELDS.includes(name))).toEqual([]);
  });

  it('stores the given credentials', () => {
    const kept = toIntegrationAuth(connector, fromIntegrationAuth(connector, credentials));
    expect({ ...NO_FIELDS, ...kept }).toEqual(credentials);
  });

  it('is created, read and deleted by the common operations', async () => {
    const { id: organizationId, admin } = await makeOrganization(test.coffer);
    const { id: workspaceId } = await makeProject(test.coffer, organizationId, admin.actor);
    const ctx = test.coffer.contextFor(admin.actor);
    const given = CreateIntegrationAuth.parse({ workspaceId, integration: slug, ...auth });
    const { id: integrationAuthId } = await createIntegrationAuth(ctx, given);
    const input = CreateIntegration.parse({ integrationAuthId, sourceEnvironment: 'dev', ...integration });
    const made = await createIntegration(ctx, input);
    expect(made).toMatchObject({ integration: slug, ...integration });
    expect(await getIntegration(ctx, { integrationId: made.id })).toEqual(made);
    const ended = await deleteIntegration(ctx, { integrationId: made.id, shouldDeleteIntegrationSecrets: false });
    expect(Integration.parse(ended)).toEqual(Integration.parse(made));
  });

  it('rejects credentials without a required field, or with line breaks', () => {
    for (const name of Object.keys(auth)) {
      expect(() => fromIntegrationAuth(connector, { ...credentials, [name]: null })).toThrow(name);
      const broken = { ...credentials, [name]: `${auth[name]}\nx: y` };
      expect(() => fromIntegrationAuth(connector, broken)).toThrow(name);
    }
  });

  it('is explained to users of integrations', () => {
    const guide = readFileSync(
      new URL(`sync/destinations/${sync.destination}/integration.md`, import.meta.url),
      'utf8',
    );
    const ways = Object.values(connector.methods).flatMap(({ integrationAuth = {} }) => Object.values(integrationAuth));
    const fields = [...ways, ...mappings, ...Object.values(names)];
    expect(fields.filter((field) => !guide.includes(`\`${field}\``))).toEqual([]);
    expect(guide.startsWith(`## ${sync.title}\n`)).toBe(true);
    for (const text of [`"integration": "${slug}"`, '/api/v1/integration ']) expect(guide).toContain(text);
    expect(readFileSync(new URL('../../../../docs/integrations.md', import.meta.url), 'utf8')).toContain(guide);
  });

  it('has a battery of faults', () => {
    const [faults = ''] = serverTests('harness/integration-targets.ts');
    expect(standIn !== undefined || new RegExp(`^    '?${slug}'?: \\{$`, 'm').test(faults)).toBe(true);
  });
  return chosen;
}

await describeFamily<Sync, DestinationExample>(
  {
    family: syncs,
    nameOf: ({ destination }) => destination,
    folder: new URL('sync/destinations/', import.meta.url),
    guide: ({ connector }) => `connections/${connector.app}.md`,
    fieldsOf: ({ schemas }) => [...fieldsIn(schemas.config), ...fieldsIn(schemas.options)],
    sayingsOf: ({ destination }) => [`/api/v1/secret-syncs/${destination} `],
  },
  ({ member: sync, example, tests }) => {
    const { connector } = sync;
    const target = example.target();
    const given = credentialsAt(target, 'organization');
    const { auth = {}, integration = {} } = example;
    const chosen = [wayOf(target.config, (fields) => sync.configure(fields, {}))];
    if (sync.integration) chosen.push(...describeIntegration(sync, sync.integration, example));

    it('knows the secrets of its credentials', () => {
      const method = connector.methods[given.method]!;
      const { credentials } = method;
      // Of a method that uses credentials of the operator, the secret is theirs.
      expect(sealedFieldsOf(credentials.shape).size > 0 || 'missingSetting' in method).toBe(true);
      expect(credentials.safeParse(given).error).toBeUndefined();
    });

    it('is published under one name at both generations, or only as a sync', () => {
      expect(sync.integration === undefined).toBe(Object.keys({ ...auth, ...integration }).length === 0);
    });

    it('reads back what it has stored', () => {
      for (const { configured } of chosen) {
        const stored = JSON.parse(JSON.stringify(configured)) as ConfiguredSync;
        const again = sync.configure(stored.config, stored.options);
        expect([again.config, again.options]).toEqual([configured.config, configured.options]);
      }
    });

    it('rejects each missing required field, and texts with line breaks', () => {
      for (const { choose, fields, needs } of chosen) {
        for (const name of needs) {
          expect(() => choose({ ...fields, [name]: '' })).toThrow(name);
          expect(() => choose({ ...fields, [name]: 'a\r\nb' })).toThrow(name);
        }
      }
    });

    it('has limits that something fits into', () => {
      for (const { configured } of chosen) {
        const { name, bytes, secrets, expected } = configured.layout.limits;
        expect([name.test('KEY'), bytes[0] <= bytes[1], secrets > 0, expected.length > 0]).toEqual([
          true,
          true,
          true,
          true,
        ]);
        expect(name.test('')).toBe(false);
      }
    });

    it('distinguishes targets by their required fields', () => {
      for (const { configured, choose, fields, needs } of chosen) {
        for (const name of needs) {
          if (['scope', 'mappingBehavior', 'category'].includes(name)) continue;
          const text = String(fields[name]);
          const value = text.startsWith('https://')
            ? `https://z${text.slice(9)}`
            : text.replace(/[a-z](?=[^a-z]*$)/, 'z');
          expect(choose({ ...fields, [name]: value }).layout.location).not.toBe(configured.layout.location);
        }
      }
    });

    /** A remote that answers all calls in one way. */
    class Answering implements Remote {
      readonly now = new Date();
      readonly externalId = 'project';
      readonly organizationId = 'organization';
      readonly settings = { ...NO_APP_SETTINGS, ...example.settings };
      readonly siteUrl = 'https://coffer.example.com';
      readonly connect: Remote['connect'] = () => Promise.reject(new Error('It only speaks HTTP'));
      readonly called: { url: string; method: string }[] = [];
      readonly hidden: string[] = [];
      readonly #answer: { status: number; text: string };

      constructor(status: number, text: string) {
        this.#answer = { status, text };
      }
      hide(credential: string): void {
        this.hidden.push(credential);
      }
      readonly fetch: Remote['fetch'] = async (url, request = {}) => {
        this.called.push({ url, method: request.method ?? 'GET' });
        const { status, text } = this.#answer;
        const answer: OutboundResponse = {
          status,
          headers: {},
          body: Buffer.from(text),
          text: () => text,
          json: () => JSON.parse(text) as unknown,
        };
        return answer;
      };
    }

    const open = async (configured: ConfiguredSync, remote: Remote) => {
      const client = await connector.connect(given, remote);
      return openSession(configured, client);
    };
    const put = { name: 'KEY', value: 'x', exists: false };

    /** Responses after which some clients continue. */
    const LEADING_ON = [
      '{}',
      '{"secrets":[],"data":{"type":"kv"}}',
      '{"SecretString":"{}","SecretValues":[],"Parameters":[]}',
    ];
    const NONSENSE = [
      '',
      'x',
      'null',
      '0',
      '""',
      '[]',
      '{}',
      '[null]',
      '{"data":null}',
      '{"data":{"data":[],"metadata":{}}}',
      '{"secrets":[{}]}',
      '{"secrets":{}}',
      '{"Parameters":[null]}',
      '{"SecretString":"[]"}',
      '{"SecretString":7}',
      '{"SecretValues":[{"Name":1}],"Errors":7}',
      '{"key":"x","key_id":"1"}',
      '{"__proto__":{"a":1}}',
      '<a/>',
    ];

    it.each([200, 201, 204, 302, 400, 401, 403, 404, 409, 500])(
      'bears whatever comes with %i, and takes none of it for done',
      async (status) => {
        for (const text of NONSENSE) {
          for (const { configured } of chosen) {
            const attempt = async () => {
              const session = await open(configured, new Answering(status, text));
              const present = await session.list(['KEY']);
              const outcome = await session.carryOut({ found: [], puts: [put], removals: [], dropped: [] });
              return { texts: [...present.values()], done: outcome.put };
            };
            const told = (error: unknown) => ({
              error: error instanceof DomainError && error.kind === 'bad_request' ? undefined : error,
              texts: [],
              done: [],
            });
            const { texts, done, error } = { error: undefined, ...(await attempt().catch(told)) };
            const malformed = texts.filter((value) => value !== undefined && typeof value !== 'string');
            expect({ text, error, malformed, done: status < 300 ? [] : done }).toEqual({
              text,
              error: undefined,
              malformed: [],
              done: [],
            });
          }
        }
      },
    );

    it('goes to one host, and puts no credential into an address', async () => {
      const sealed = sealedFieldsOf(connector.methods[given.method]!.credentials.shape);
      const secrets = [...sealed.keys()].flatMap((name) => {
        const secret = given[name];
        return typeof secret === 'string' ? [secret] : [];
      });
      for (const { configured } of chosen) {
        for (const text of LEADING_ON) {
          const remote = new Answering(200, text);
          const use = async () => {
            const session = await open(configured, remote);
            await session.list(['KEY']);
            await session.carryOut({ found: [], puts: [put], removals: ['OLD'], dropped: [] });
          };
          await use().catch(() => undefined);
          const origins = new Set(remote.called.map(({ url }) => new URL(url).origin));
          expect([...origins]).toEqual([expect.stringMatching(/^https:/)]);
          expect(remote.called.filter(({ url }) => secrets.some((one) => url.includes(one)))).toEqual([]);
        }
      }
    });

    it('has its requests verified', () => {
      const own = [...tests.values(), ...serverTests('connections/integration/destination.test.ts')];
      expect(own.filter((text) => text.includes(`describe('${sync.title}'`))).toHaveLength(1);
    });
  },
);
