/** A migration of the schema: written once, run once, never edited. Each release can run beside the previous one. */
export interface Migration {
  readonly name: string;
  readonly sql: string;
}

export const migration = (name: string, sql: string): Migration => ({ name, sql });
