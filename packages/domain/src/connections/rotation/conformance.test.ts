import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { describeFamily } from '../../family/testing/conformance.ts';
import { SecretName } from '../../secrets/secret/index.ts';
import { connectors, rotations } from '../registry.ts';
import type { Rotation } from './rotation.ts';
import { secretRotationSchemas } from './secret-rotation.ts';
import type { RotationExample } from './testing/example.ts';

const SUITES = new URL('../../../../../apps/server/test/connections/rotation/', import.meta.url);

await describeFamily<Rotation, RotationExample>(
  {
    family: rotations,
    nameOf: ({ type }) => type,
    folder: new URL('types/', import.meta.url),
    guide: 'rotations.md',
    fieldsOf: ({ parameters, mapping, temporary }) => [
      ...Object.keys(parameters.shape),
      ...Object.keys(mapping),
      ...Object.keys(temporary?.shape ?? {}),
    ],
    sayingsOf: ({ connector, slots }) => [
      `\`${connector.app}\` connection`,
      ...(slots === 1 ? ['one credential'] : []),
    ],
  },
  ({ name, member: rotation, example }) => {
    const { parameters: Parameters, mapping, secret, connector } = rotation;
    const parameters = Parameters.parse(example.parameters);

    it('is of an app that is registered', () => {
      expect(connectors.find(connector.app)).toBe(connector);
      expect(connector.systemOf(example.connection).name).toMatch(/./);
    });

    it('names valid and distinct secrets, and knows which of its values are secret', () => {
      const names = Object.values(mapping);
      expect(names.filter((one) => !SecretName.safeParse(one).success)).toEqual([]);
      expect(new Set(names).size).toBe(names.length);
      expect(secret.length).toBeGreaterThan(0);
      expect(secret.filter((field) => !(field in mapping))).toEqual([]);
    });

    it('reads back the parameters that it stores, and fits them to a connection', () => {
      expect(Parameters.parse(JSON.parse(JSON.stringify(parameters)))).toEqual(parameters);
      expect(() => rotation.validate?.(parameters, example.connection, example.temporaryParameters)).not.toThrow();
      expect(rotation.accounts(parameters).filter((account) => account === '')).toEqual([]);
    });

    it('names its accounts in one form, whichever way they are spelled', () => {
      const accountsOf = (given: object) => rotation.accounts(Parameters.parse({ ...example.parameters, ...given }));
      for (const [one, other] of example.spellings)
        expect([one, other, accountsOf(one)]).toEqual([one, other, accountsOf(other)]);
    });

    it('knows the login of a connection in one form, and the apps at which one can log in so', () => {
      expect(rotation.loginOf(example.connection)).toMatch(/./);
      const { loginApps = [connector.app] } = rotation;
      expect(loginApps).toContain(connector.app);
      expect(loginApps.filter((app) => !connectors.find(app))).toEqual([]);
    });

    it('rejects each missing required parameter, and texts with line breaks', () => {
      const { Create } = secretRotationSchemas.find(({ type }) => type === name)!;
      const input = {
        ...{ name: 'x', projectId: 'p', connectionId: 'c', environment: 'dev', secretPath: '/', rotationInterval: 1 },
        ...{
          parameters: example.parameters,
          secretsMapping: mapping,
          temporaryParameters: example.temporaryParameters,
        },
      };
      const isAccepted = (given: object) => Create.safeParse({ ...input, parameters: given }).success;
      expect(isAccepted(example.parameters)).toBe(true);
      for (const [field, value] of Object.entries(example.parameters)) {
        const { [field]: _, ...others } = example.parameters;
        const isRequired = !Parameters.shape[field]!.safeParse(undefined).success;
        expect([field, isAccepted(others)]).toEqual([field, !isRequired]);
        const isBrokenAccepted =
          typeof value === 'string' && isAccepted({ ...example.parameters, [field]: `${value}\nx: y` });
        expect([field, isBrokenAccepted]).toEqual([field, false]);
      }
    });

    it('is shown at a real system, or at what stands in for it', () => {
      const suite = readFileSync(new URL(`${name}.test.ts`, SUITES), 'utf8');
      expect(suite).toContain(`describeRotation('${rotation.title}'`);
    });
  },
);
