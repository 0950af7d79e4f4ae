import { expect, it } from 'vitest';
import { describeFamily } from '../../family/testing/conformance.ts';
import { newId } from '../../kernel/index.ts';
import { providerInputs } from './inputs.ts';
import { shapesOf, type AnyProvider } from './provider.ts';
import { providers } from './registry.ts';
import type { ProviderExample } from './testing/example.ts';
import { makeUsername } from './username.ts';

const now = new Date('2031-02-03T04:05:06.789Z');
const expireAt = new Date('2031-02-03T05:05:06.789Z');

/** All example inputs of a provider, in stored form. */
const inputsOf = ({ inputs }: AnyProvider, { least, full, others = [] }: ProviderExample) =>
  [least, { ...least, ...full }, ...others].map((given) => inputs.parse(given));

const textsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
};

const fieldsOf = ({ inputs }: AnyProvider) => [...new Set(shapesOf(inputs).flatMap((shape) => Object.keys(shape)))];

await describeFamily<AnyProvider, ProviderExample>(
  {
    family: providers,
    nameOf: ({ type }) => type,
    folder: new URL('providers/', import.meta.url),
    guide: 'dynamic-secrets.md',
    fieldsOf: (provider) => [...fieldsOf(provider), ...Object.keys(provider.data.shape)],
    sayingsOf: ({ type }) => [`"${type}"`],
  },
  ({ name: type, member: provider, example }) => {
    const all = inputsOf(provider, example);
    const secretsOf = (inputs: Record<string, unknown>) =>
      [...provider.sealedFields.keys()].flatMap((name) => textsIn(inputs[name])).filter((text) => text.length > 3);

    it('is named as published', () => {
      expect(type).toMatch(/^[a-z]+(-[a-z]+)*$/);
      expect(provider.title).toMatch(/^[A-Z]/);
    });

    it('has its inputs among the schemas that run in browsers', () => {
      const { inputs, title } = providerInputs.find((one) => one.type === type)!;
      expect(inputs).toBe(provider.inputs);
      expect(title).toBe(provider.title);
    });

    it('accepts its examples, and reads back what it has stored', () => {
      for (const inputs of all) {
        expect(() => provider.validate?.(inputs as never)).not.toThrow();
        expect(provider.inputs.parse(JSON.parse(JSON.stringify(inputs)))).toEqual(inputs);
      }
    });

    it('has an example of every field', () => {
      const given = new Set(all.flatMap((inputs) => Object.keys(inputs)));
      expect(fieldsOf(provider).filter((field) => !given.has(field))).toEqual([]);
    });

    it('drops unknown fields', () => {
      const [inputs] = all;
      expect(provider.inputs.parse({ ...inputs, unknownToEverybody: 'x' })).toEqual(inputs);
    });

    it('declares the target of each credential, in existing fields', () => {
      for (const shape of shapesOf(provider.inputs)) {
        const fields = Object.keys(shape);
        const targets = [...provider.sealedFields].flatMap(([name, { sentTo }]) =>
          fields.includes(name) ? sentTo : [],
        );
        expect(targets.filter((field) => !fields.includes(field))).toEqual([]);
      }
    });

    it('has a credential, and keeps it out of its target', () => {
      expect(provider.sealedFields.size > 0).toBe(provider.missingSetting === undefined);
      for (const inputs of all) {
        const target = provider.target(inputs as never) ?? '';
        expect(secretsOf(inputs).filter((secret) => target.includes(secret))).toEqual([]);
        expect(provider.target(inputs as never) ?? '').toBe(target);
      }
    });

    it('generates valid names without special meaning for its target', () => {
      for (const inputs of all) {
        const rules = provider.username?.(inputs as never);
        const strange = Array.from(`'"\`\\ \t\n\0;$,=`).filter((character) => rules?.alphabet.test(character));
        expect(strange).toEqual([]);
        const name = rules && makeUsername(null, rules, { identityName: 'x', now });
        expect(name === undefined || /^[a-z][a-z0-9]{23}$/.test(name)).toBe(true);
      }
    });

    it('derives the result only from its inputs, and gives each lease its own', () => {
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
  },
);
