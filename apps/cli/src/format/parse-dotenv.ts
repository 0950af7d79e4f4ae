import { parseEnv } from 'node:util';

/** Reads a dotenv file as Node does (`--env-file`). */
export const parseDotenv = (text: string): Map<string, string> =>
  new Map(Object.entries(parseEnv(text)).map(([name, value]) => [name, value ?? '']));
