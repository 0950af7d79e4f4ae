import type { RequestListener } from 'node:http';

/** What each member of a family says of itself for tests, in the `examples.ts` beside it, by the member's name. */
export async function examplesOf<Example>(members: URL, names: readonly string[]): Promise<Record<string, Example>> {
  const read = async (name: string): Promise<[string, Example]> => {
    const { example } = (await import(new URL(`${name}/examples.ts`, members).href)) as { example: Example };
    return [name, example];
  };
  return Object.fromEntries(await Promise.all(names.map(read)));
}

/** Takes the place of the other system that a member speaks to. */
export interface StandIn {
  /** The name of the host that it stands in for. */
  readonly host: string;
  readonly listener: RequestListener;
}
