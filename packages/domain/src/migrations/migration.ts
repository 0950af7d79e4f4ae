/** A step of the schema: written once, run once, never edited. Each release runs beside the one before it. */
export interface Migration {
  readonly name: string;
  readonly sql: string;
}

export const migration = (name: string, sql: string): Migration => ({ name, sql });
