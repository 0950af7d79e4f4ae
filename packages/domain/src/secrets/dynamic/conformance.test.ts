import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { newId } from '../../kernel/index.ts';
import { shapesOf, type AnyProvider } from './provider.ts';
import { providers } from './registry.ts';
import { examples } from './testing/examples.ts';
import { makeUsername } from './username.ts';

/** As `provider.type` is published, in its order; of those that are not offered nothing stands here. */
const PUBLISHED = ['sql-database', 'aws-iam', 'redis', 'mongo-db', 'rabbit-mq', 'ldap', 'totp', 'kubernetes'];
const GUIDE = readFileSync(new URL('../../../../../docs/dynamic-secrets.md', import.meta.url), 'utf8');
const SERVER = new URL('../../../../../apps/server/src/', import.meta.url);
const HTTP_TESTS = globSync('secrets.dynamic.*.test.ts', { cwd: SERVER }).map((file) =>
  readFileSync(new URL(file, SERVER), 'utf8'),
);

const now = new Date('2031-02-03T04:05:06.789Z');
const expireAt = new Date('2031-02-03T05:05:06.789Z');

it('knows an example of every member', () => {
  expect(Object.keys(examples).toSorted()).toEqual(providers.members.map(({ type }) => type).toSorted());
});

it('has all that are offered, in the published order', () => {
  expect(providers.members.map(({ type }) => type)).toEqual(PUBLISHED);
});

it('has each type and title once', () => {
  for (const field of ['type', 'title'] as const)
    expect(new Set(providers.members.map((provider) => provider[field])).size).toBe(providers.members.length);
});

/** All inputs of a provider that there are examples of, as they are stored. */
const inputsOf = ({ type, inputs }: AnyProvider) => {
  const { least = {}, full = {}, others = [] } = examples[type] ?? {};
  return [least, { ...least, ...full }, ...others].map((given) => inputs.parse(given));
};

const textsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
};

describe.each(providers.members.map((provider) => ({ type: provider.type, provider })))(
  '$type',
  ({ type, provider }) => {
    const all = inputsOf(provider);
    const secretsOf = (inputs: Record<string, unknown>) =>
      [...provider.sealedFields.keys()].flatMap((name) => textsIn(inputs[name])).filter((text) => text.length > 3);

    it('is named as published', () => {
      expect(type).toMatch(/^[a-z]+(-[a-z]+)*$/);
      expect(provider.title).toMatch(/^[A-Z]/);
    });

    it('takes its examples, and reads what it has stored as it was stored', () => {
      for (const inputs of all) {
        expect(() => provider.validate?.(inputs as never)).not.toThrow();
        expect(provider.inputs.parse(JSON.parse(JSON.stringify(inputs)))).toEqual(inputs);
      }
    });

    it('has an example of every field', () => {
      const given = new Set(all.flatMap((inputs) => Object.keys(inputs)));
      const fields = new Set(shapesOf(provider.inputs).flatMap((shape) => Object.keys(shape)));
      expect([...fields].filter((field) => !given.has(field))).toEqual([]);
    });

    it('drops what it does not know', () => {
      const [inputs] = all;
      expect(provider.inputs.parse({ ...inputs, unknownToEverybody: 'x' })).toEqual(inputs);
    });

    it('says of each credential where it is sent, in fields that it has', () => {
      for (const shape of shapesOf(provider.inputs)) {
        const fields = Object.keys(shape);
        const targets = [...provider.sealedFields].flatMap(([name, { sentTo }]) =>
          fields.includes(name) ? sentTo : [],
        );
        expect(targets.filter((field) => !fields.includes(field))).toEqual([]);
      }
    });

    it('has a credential, and keeps it out of what it calls its target', () => {
      expect(provider.sealedFields.size).toBeGreaterThan(0);
      for (const inputs of all) {
        const target = provider.target(inputs as never) ?? '';
        expect(secretsOf(inputs).filter((secret) => target.includes(secret))).toEqual([]);
        expect(provider.target(inputs as never) ?? '').toBe(target);
      }
    });

    it('makes names that its target takes, and that mean nothing else to it', () => {
      for (const inputs of all) {
        const rules = provider.username?.(inputs as never);
        const strange = Array.from(`'"\`\\ \t\n\0;$,=`).filter((character) => rules?.alphabet.test(character));
        expect(strange).toEqual([]);
        const name = rules && makeUsername(null, rules, { identityName: 'x', now });
        expect(name === undefined || /^[a-z][a-z0-9]{23}$/.test(name)).toBe(true);
      }
    });

    it('tells by nothing but what it is given what there will be, and gives each lease its own', () => {
      for (const inputs of all) {
        const rules = provider.username?.(inputs as never);
        const prepared = () => {
          const leaseId = newId();
          const username = rules ? makeUsername(null, rules, { identityName: 'x', now }) : leaseId;
          const { data: config = {} } = provider.leaseConfig?.safeParse({}) ?? {};
          const intention = { leaseId, username, now, expireAt, config };
          const id = provider.prepare(inputs as never, intention);
          expect(provider.prepare(inputs as never, { ...intention })).toBe(id);
          return id;
        };
        const ids = Array.from({ length: 5 }, prepared);
        expect(new Set(ids).size).toBe(5);
        expect(ids.filter((id) => id === '' || id.length > 512)).toEqual([]);
        expect(secretsOf(inputs).filter((secret) => ids.join('\n').includes(secret))).toEqual([]);
      }
    });

    it('is explained to whoever sets it up: each of its fields, and what a lease gives', () => {
      const section = GUIDE.split(/^## /m).find((one) => one.startsWith(`${provider.title}\n`)) ?? '';
      const fields = shapesOf(provider.inputs).flatMap((shape) => Object.keys(shape));
      const named = [...new Set([...fields, ...Object.keys(provider.data.shape)])];
      expect(named.filter((name) => !section.includes(`\`${name}\``))).toEqual([]);
      expect(section).toContain(`"${type}"`);
    });

    it('is tested against its target by way of the routes', () => {
      const own = HTTP_TESTS.filter((text) => text.includes(`type: '${type}'`));
      expect(own.filter((text) => text.includes('describeDynamicProvider('))).not.toEqual([]);
      const hasTarget = all.some((inputs) => provider.target(inputs as never) !== undefined);
      expect(own.some((text) => text.includes('describeTarget('))).toBe(hasTarget);
    });
  },
);
