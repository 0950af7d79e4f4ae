import { Client, type Connection, type Submittable } from 'pg';
import { expect, it } from 'vitest';
import { knownStatements, type Statement } from '../kernel/index.ts';
import { testDatabase } from '../testing/database.ts';

/** The names of the columns that a statement answers, which PostgreSQL knows without running it. */
function columnsOf(client: Client, { text }: Statement): Promise<string[]> {
  return new Promise((resolve) => {
    let columns: string[] = [];
    const description = {
      submit(connection: Connection) {
        connection.parse({ name: '', text, types: [] }, true);
        connection.describe({ type: 'S', name: '' }, true);
        connection.sync();
      },
      handleRowDescription: ({ fields }: { fields: { name: string }[] }) => {
        columns = fields.map(({ name }) => name);
      },
      // A statement that PostgreSQL refuses has no rows.
      handleError: () => resolve([]),
      handleReadyForQuery: () => resolve(columns),
    };
    client.query(description satisfies Submittable);
  });
}

it('every statement answers columns with camelCase names', async () => {
  // Makes the statements of all features.
  await import('../index.ts');
  const database = await testDatabase();
  const client = new Client({ connectionString: database.url });
  await client.connect();
  try {
    const found: string[] = [];
    let columns = 0;
    // Other test files of the same process have made statements of their own.
    for (const statement of knownStatements().filter(({ name }) => !name.startsWith('test.'))) {
      const names = await columnsOf(client, statement);
      columns += names.length;
      // A column without a name has that of the function that makes it; such statements are run for their effect.
      const isWrong = (name: string) => name.includes('_') && !statement.text.includes(`${name}(`);
      found.push(...names.filter(isWrong).map((name) => `${statement.name}: ${name}`));
    }
    expect(columns).toBeGreaterThan(1_000);
    expect(found).toEqual([]);
  } finally {
    await client.end();
    await database.drop();
  }
});
