import { describe, expect, it } from 'vitest';
import { providers } from '../secrets/dynamic/index.ts';
import { examples } from '../secrets/dynamic/testing/examples.ts';
import { systemNameOf } from './connection/index.ts';
import { connectors, rotations } from './registry.ts';

describe('the logins of dynamic secrets', () => {
  it.each(providers.members.filter(({ logins }) => logins))(
    'of $type are known to rotations',
    ({ type, inputs, logins }) => {
      const example = examples[type]!;
      const used = logins!.of(inputs.parse(example.least) as never);
      expect(used.length).toBeGreaterThan(0);
      for (const { app, credentials } of used) {
        expect(logins!.apps).toContain(app);
        const rotation = rotations.members.find(({ connector }) => connector.app === app)!;
        expect(rotation.loginOf(credentials)).toMatch(/./);
        expect(systemNameOf(connectors.require(app).systemOf({ ...credentials }))).toMatch(/./);
      }
    },
  );

  it.each(providers.members.filter(({ logins }) => logins))(
    'of $type stop no rotation where what is stored is no longer valid',
    ({ type, inputs, logins }) => {
      const { least, full, others = [] } = examples[type]!;
      for (const example of [least, full, ...others]) {
        const stored = inputs.parse(example);
        for (const [name, value] of Object.entries(stored)) {
          if (typeof value !== 'string' || name === 'credentialType' || name === 'client') continue;
          const used = logins!.of({ ...stored, [name]: 'not: valid\n-\n: ' } as never);
          expect(used.length, name).toBeGreaterThan(0);
        }
      }
    },
  );
});
