import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isAtOrBelow } from '../folder/index.ts';
import { MAX_PLACES, placesRead } from './read-places.ts';
import type { ReadPlace } from './secret.ts';

const place = fc.record<ReadPlace>({
  environment: fc.constantFrom('dev', 'prod'),
  secretPath: fc
    .array(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), { maxLength: 20, size: 'max' })
    .map((names) => `/${names.join('/')}`),
  numberOfSecrets: fc.integer({ min: 1, max: 100 }),
});
const nameOf = ({ environment, secretPath }: ReadPlace) => `${environment}:${secretPath}`;
const places = (minLength: number, maxLength: number) =>
  fc.uniqueArray(place, { minLength, maxLength, selector: nameOf, size: 'max' });
const sum = (some: readonly ReadPlace[]) => some.reduce((total, { numberOfSecrets }) => total + numberOfSecrets, 0);

describe('the places that the event of a read names', () => {
  it('are all folders, where these are few', () => {
    const property = fc.property(places(0, 50), (some) => {
      expect(placesRead(some)).toEqual(some);
    });
    fc.assert(property);
  });

  it('are at most a maximum, of which each folder is one or below one, and count all secrets', () => {
    const property = fc.property(places(MAX_PLACES + 1, 2 * MAX_PLACES), (some) => {
      const named = placesRead(some);
      expect(named.length).toBeLessThanOrEqual(MAX_PLACES);
      expect(new Set(named.map(nameOf)).size).toBe(named.length);
      expect(sum(named)).toBe(sum(some));
      const isIn = ({ environment, secretPath }: ReadPlace, above: ReadPlace) =>
        environment === above.environment &&
        (secretPath === above.secretPath || (above.isRecursive === true && isAtOrBelow(secretPath, above.secretPath)));
      expect(some.filter((one) => !named.some((above) => isIn(one, above)))).toEqual([]);
    });
    fc.assert(property, { numRuns: 20 });
  });

  it('name as many folders as they can', () => {
    const some = Array.from({ length: 600 }, (_, index) => ({
      environment: 'dev',
      secretPath: index < 300 ? `/wide/${index}` : `/deep/${index % 3}/${index}`,
      numberOfSecrets: 1,
    }));
    const named = placesRead(some);
    expect(named).toHaveLength(303);
    expect(named).toContainEqual({ environment: 'dev', secretPath: '/wide/7', numberOfSecrets: 1 });
    expect(named).toContainEqual({
      environment: 'dev',
      secretPath: '/deep/2',
      isRecursive: true,
      numberOfSecrets: 100,
    });
  });
});
