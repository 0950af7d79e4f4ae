const SHOWN = 8;

/** The end of an ID, which tells two things of one name apart: IDs begin with the time of their creation. */
export const shortId = (id: string): string => `…${id.slice(-SHOWN)}`;

/** A name with what tells it from others of the same name, for one line: `deploy (…0a1b2c3d)`. */
export const distinct = (name: string, by: string | undefined): string => (by ? `${name} (${by})` : name);

/** Names of things of one list; those that others have, too, with what tells them apart. */
export function distinctNames<Item extends { readonly name: string }>(
  items: readonly Item[],
  markOf: (item: Item) => string,
): ReadonlyMap<Item, string> {
  const groups = Map.groupBy(items, ({ name }) => name);
  return new Map(
    items.map((item) => [item, distinct(item.name, groups.get(item.name)?.length === 1 ? undefined : markOf(item))]),
  );
}
