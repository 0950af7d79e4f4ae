import { afterAll, beforeAll } from 'vitest';
import { rotatedPostgres, type RotatedPostgres } from '../../harness/rotated-postgres.ts';
import { describeRotation } from '../../harness/rotation.ts';

let system: RotatedPostgres;
beforeAll(async () => {
  system = await rotatedPostgres();
});
afterAll(() => system.close());

describeRotation('PostgreSQL Credentials', {
  type: 'postgres-credentials',
  fields: ['username', 'password'],
  slots: 2,
  system: () => system,
});
