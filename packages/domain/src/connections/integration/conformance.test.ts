import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeFamily } from '../../family/testing/conformance.ts';
import { DomainError, type OutboundResponse } from '../../kernel/index.ts';
import { makeOrganization, makeProject, testCoffer, type TestCoffer } from '../../testing/index.ts';
import { createIntegrationAuth } from './authorize.ts';
import { createIntegration } from './configure.ts';
import {
  readCredentials,
  readTarget,
  TARGET_FIELDS,
  type Chosen,
  type Destination,
  type Remote,
  type TargetFields,
} from './destination.ts';

import { deleteIntegration } from './end.ts';
import { CreateIntegrationAuth, type IntegrationCredentials } from './integration-auth.ts';
import { getIntegration } from './integration.service.ts';
import { CreateIntegration, Integration } from './integration.ts';
import { published } from './published.ts';
import { destinations } from './registry.ts';
import { openSession } from './session.ts';
import type { DestinationExample } from './testing/example.ts';

const SERVER = new URL('../../../../../apps/server/test/', import.meta.url);
const serverTests = (file: string) => [readFileSync(new URL(file, SERVER), 'utf8')];
const CREDENTIALS = ['accessId', 'accessToken', 'awsAssumeIamRoleArn', 'url', 'namespace'];

let test: TestCoffer;
beforeAll(async () => {
  test = await testCoffer();
});
afterAll(() => test.close());

await describeFamily<Destination, DestinationExample>(
  {
    family: destinations,
    nameOf: ({ slug }) => slug,
    folder: new URL('destinations/', import.meta.url),
    guide: 'integrations.md',
    fieldsOf: ({ credentials, mappings }) => [
      ...Object.keys(credentials.shape),
      ...Object.entries(mappings).flatMap(([name, { target }]) => [name, ...Object.keys(target.shape)]),
    ],
    sayingsOf: ({ slug }) => [`"integration": "${slug}"`, '/api/v1/integration '],
  },
  ({ name: slug, member: destination, example: { auth, integration, standIn }, tests }) => {
    const credentials: IntegrationCredentials = {
      ...(Object.fromEntries(CREDENTIALS.map((name) => [name, null])) as unknown as IntegrationCredentials),
      ...auth,
    };
    const fields: TargetFields = {
      ...(Object.fromEntries(TARGET_FIELDS.map((name) => [name, null])) as unknown as TargetFields),
      ...integration,
    };
    const mappings = Object.entries(destination.mappings).map(([name, mapping]) => ({
      name,
      chosen: { destination, mapping },
    }));

    it('is named as published', () => {
      expect(published[slug as keyof typeof published]).toBe(destination.title);
      expect(mappings.length).toBeGreaterThan(0);
    });

    it('needs nothing but published fields', () => {
      expect(Object.keys(destination.credentials.shape).filter((name) => !CREDENTIALS.includes(name))).toEqual([]);
      const known: readonly string[] = TARGET_FIELDS;
      for (const { chosen } of mappings)
        expect(Object.keys(chosen.mapping.target.shape).filter((name) => !known.includes(name))).toEqual([]);
    });

    it('is made, read and ended by the operations that all share', async () => {
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

    it('refuses each field that it needs where it is missing, and texts that break a line', () => {
      for (const name of Object.keys(auth)) {
        expect(() => readCredentials(destination, { ...credentials, [name]: null })).toThrow(name);
        expect(() => readCredentials(destination, { ...credentials, [name]: `${auth[name]}\nx: y` })).toThrow(name);
      }
      for (const { chosen } of mappings) {
        for (const name of Object.keys(integration).filter((one) => one in chosen.mapping.target.shape)) {
          expect(() => readTarget(chosen, { ...fields, [name]: null })).toThrow(name);
          expect(() => readTarget(chosen, { ...fields, [name]: 'a\r\nb' })).toThrow(name);
        }
      }
    });

    it('has limits that something fits into', () => {
      for (const { chosen } of mappings) {
        const { name, bytes, secrets, expected } = chosen.mapping.limits;
        expect([name.test('KEY'), bytes[0] <= bytes[1], secrets > 0, expected.length > 0]).toEqual([
          true,
          true,
          true,
          true,
        ]);
        expect(name.test('')).toBe(false);
      }
    });

    it('distinguishes places by what is needed of them', () => {
      for (const { chosen } of mappings) {
        const place = (given: TargetFields) => chosen.mapping.place(readTarget(chosen, given) as never);
        const shape = chosen.mapping.target.shape;
        for (const [name, value] of Object.entries(integration).filter(([one]) => one in shape))
          expect(place({ ...fields, [name]: value.replace(/[a-z](?=[^a-z]*$)/, 'z') })).not.toBe(place(fields));
      }
    });

    /** Another side that answers all calls in one way. */
    class Answering implements Remote {
      readonly now = new Date();
      readonly projectId = 'project';
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

    const open = (chosen: Chosen, remote: Remote) =>
      openSession(chosen, {
        credentials: readCredentials(destination, credentials),
        target: readTarget(chosen, fields),
        settings: {},
        remote,
      });
    const put = { name: 'KEY', value: 'x', exists: false };

    /** Answers with which some go on. */
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
          for (const { chosen } of mappings) {
            const attempt = async () => {
              const session = await open(chosen, new Answering(status, text));
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
      const secrets = [credentials.accessId, credentials.accessToken].filter((one) => one !== null);
      for (const { chosen } of mappings) {
        for (const text of LEADING_ON) {
          const remote = new Answering(200, text);
          const use = async () => {
            const session = await open(chosen, remote);
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

    it('has its requests verified, and a battery of faults', () => {
      const own = [...tests.values(), ...serverTests('connections/integration/destination.test.ts')];
      expect(own.filter((text) => text.includes(`describe('${destination.title}'`))).toHaveLength(1);
      const [faults = ''] = serverTests('harness/integration-targets.ts');
      expect(standIn !== undefined || new RegExp(`^    '?${slug}'?: \\{$`, 'm').test(faults)).toBe(true);
    });
  },
);
