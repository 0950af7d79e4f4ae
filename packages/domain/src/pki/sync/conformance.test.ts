import { expect, it } from 'vitest';
import { z } from 'zod';
import { connectors } from '../../connections/registry.ts';
import { sealedFieldsOf } from '../../family/index.ts';
import { describeFamily } from '../../family/testing/conformance.ts';
import { DEFAULT_NAME, nameOf, type PkiSync } from './destination.ts';
import { pkiSyncs } from './registry.ts';
import type { PkiSyncExample } from './testing/example.ts';

const fieldsIn = (schema: z.ZodType): string[] => Object.keys((schema as unknown as z.ZodObject).shape);

it('destinations use connectors that are registered', () => {
  expect(pkiSyncs.members.filter(({ connector }) => connectors.find(connector.app) !== connector)).toEqual([]);
});

await describeFamily<PkiSync, PkiSyncExample>(
  {
    family: pkiSyncs,
    nameOf: ({ destination }) => destination,
    folder: new URL('destinations/', import.meta.url),
    guide: ({ connector }) => `connections/${connector.app}.md`,
    headingOf: ({ title }) => `${title}: certificates`,
    fieldsOf: ({ schemas }) => [...fieldsIn(schemas.config), ...fieldsIn(schemas.options)],
    sayingsOf: ({ destination }) => [`/api/v1/cert-manager/syncs/${destination} `],
  },
  ({ member: sync, example }) => {
    const target = example.target();
    const configured = sync.configure(target.config, {});

    it('knows the secrets of its credentials', () => {
      const { credentials } = sync.connector.methods[target.credentials.method]!;
      expect(sealedFieldsOf(credentials.shape).size).toBeGreaterThan(0);
      expect(credentials.safeParse(target.credentials).error).toBeUndefined();
    });

    it('reads back what it has stored', () => {
      const stored = JSON.parse(JSON.stringify(configured)) as typeof configured;
      const again = sync.configure(stored.config, stored.options);
      expect([again.config, again.options]).toEqual([configured.config, configured.options]);
    });

    it('rejects each missing required field, texts with line breaks, and names without the ID', () => {
      for (const name of Object.keys(target.config)) {
        expect(() => sync.configure({ ...target.config, [name]: '' }, {})).toThrow(name);
        expect(() => sync.configure({ ...target.config, [name]: 'a\r\nb' }, {})).toThrow(name);
      }
      for (const certificateNameSchema of ['web', '{{certificateId}}{{certificateId}}', 'a\n{{certificateId}}'])
        expect(() => sync.configure(target.config, { certificateNameSchema })).toThrow('certificateNameSchema');
    });

    it('has names by default that it accepts', () => {
      const name = nameOf(configured, '01234567-89ab-cdef-0123-456789abcdef');
      expect(name).toBe(DEFAULT_NAME.replace('{{certificateId}}', '0123456789abcdef0123456789abcdef'));
      expect(name).toMatch(sync.limits.name);
      expect('x'.repeat(sync.limits.longestName)).toMatch(sync.limits.name);
      expect('x'.repeat(sync.limits.longestName + 1)).not.toMatch(sync.limits.name);
    });
  },
);
