import { portionsOf, type PendingEvent } from '../kernel/index.ts';

/** The maximum of the data of one event in bytes, as JSON: a page of 1,000 events fits into an answer. */
export const MAX_EVENT_DATA = 32 * 1024;
/** What a value that is no text, and the name of a field, is estimated to have; the most that a character takes as JSON. */
const [SCALAR, MOST] = [4, 6];
/** Of data that no division makes small enough, texts keep so many characters, and lists so many elements. */
const [MAX_TEXT, MAX_LIST] = [1_000, 20];
/** The most bytes of a UTF-16 unit in UTF-8. */
const UNIT = 3;
/** What `part` and `parts` take, and the comma after an element. */
const [NUMBERING, COMMA] = [64, 1];

type Data = Record<string, unknown>;

/**
 * An event whose data are within `MAX_EVENT_DATA`. One that names more than fits is several of the same transaction, each
 * with a part of its lists, its number (`part`) and how many there are (`parts`): nothing that it names is lost. What is large
 * without a list is cut, and says so.
 */
export function partsOf(event: PendingEvent): readonly PendingEvent[] {
  if (isSmall(JSON.stringify(event.data) ?? '')) return [event];
  const data = event.data as Data;
  const lists = Object.entries(data).filter((field): field is [string, unknown[]] => Array.isArray(field[1]));
  const names = new Set(lists.map(([name]) => name));
  const rest = within(
    Object.fromEntries(Object.entries(data).filter(([name]) => !names.has(name))),
    MAX_EVENT_DATA / 2,
  );
  const empty = { ...rest, ...Object.fromEntries(lists.map(([name]) => [name, []])) };
  const room = MAX_EVENT_DATA - bytesOf(empty) - NUMBERING;
  const elements = lists.flatMap(([name, list]) => list.map((element) => [name, within(element, room / 2)] as const));
  const portions = [
    ...portionsOf(elements, ([, element]) => bytesOf(element) + COMMA, { rows: Infinity, bytes: room }),
  ];
  if (portions.length < 2) return [{ ...event, data: filled(empty, portions[0] ?? []) }];
  return portions.map((portion, index) => ({
    ...event,
    data: { ...filled(empty, portion), part: index + 1, parts: portions.length },
  }));
}

function filled(empty: Data, elements: readonly (readonly [string, unknown])[]): Data {
  const data = { ...empty };
  for (const [name, of] of Map.groupBy(elements, ([one]) => one)) data[name] = of.map(([, element]) => element);
  return data;
}

/** Whether data with this JSON are within `MAX_EVENT_DATA`. */
export const isSmall = (json: string): boolean =>
  json.length * UNIT <= MAX_EVENT_DATA || Buffer.byteLength(json) <= MAX_EVENT_DATA;

/** About as many bytes as the data of an event have, and no more than the event may have. */
export const roughBytes = (data: unknown): number => lengthOf(data, MAX_EVENT_DATA);

/** About as many characters as its JSON has; not counted beyond `limit`. */
function lengthOf(value: unknown, limit: number): number {
  if (typeof value === 'string') return value.length + 1;
  if (typeof value !== 'object' || value === null) return SCALAR;
  let length = SCALAR;
  const isList = Array.isArray(value);
  for (const name in value) {
    length += (isList ? 0 : name.length) + 1 + lengthOf((value as Data)[name], limit - length);
    if (length > limit) break;
  }
  return length;
}

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? '');

/** The same value, or what of it has no more than so many bytes. */
function within<T>(value: T, bytes: number): T {
  if (bytesOf(value) <= bytes) return value;
  const cut = shortened(value);
  return bytesOf(cut) <= bytes ? (cut as T) : ({ cut: JSON.stringify(cut).slice(0, bytes / MOST) } as T);
}

function shortened(value: unknown): unknown {
  if (typeof value === 'string' && value.length > MAX_TEXT)
    return `${value.slice(0, MAX_TEXT)}… (${value.length} characters)`;
  if (typeof value !== 'object' || value === null) return value;
  if (!Array.isArray(value))
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shortened(one)]));
  const first = value.slice(0, MAX_LIST).map(shortened);
  return value.length > MAX_LIST ? [...first, `… (${value.length} elements)`] : first;
}
