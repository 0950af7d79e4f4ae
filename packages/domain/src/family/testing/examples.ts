import type { RequestListener } from 'node:http';

/** Examples of each member of a family for tests, from the `examples.ts` beside it, by the member's name. */
export async function examplesOf<Example>(members: URL, names: readonly string[]): Promise<Record<string, Example>> {
  const read = async (name: string): Promise<[string, Example]> => {
    const { example } = (await import(new URL(`${name}/examples.ts`, members).href)) as { example: Example };
    return [name, example];
  };
  return Object.fromEntries(await Promise.all(names.map(read)));
}

/** Stands in for the remote of a member. */
export interface StandIn {
  /** The host name that it stands in for. */
  readonly host: string;
  readonly listener: RequestListener;
}
