import { answerTooLarge, MAX_ANSWER, WorkBudget } from '@coffer/domain';
import { z } from 'zod';

/**
 * The cost from which on a response is validated and serialized in several turns of the event loop. The cost of a value
 * is the number of values in it, plus the number of characters divided by `CHARACTERS`.
 */
const LONG = 25_000;
/** The maximum cost between two looks at the clock: some milliseconds. */
const PIECE = 2_500;
const CHARACTERS = 64;
/** Characters of a string that are serialized at once. */
const TEXT_PIECE = PIECE * CHARACTERS;
/** Characters of one buffer of the response. */
const CHUNK = 256 * 1024;

/** Whether a response is validated and serialized in several turns of the event loop. */
export const isLong = (value: unknown): boolean => costUpTo(value, LONG) >= LONG;

/** The cost of a value; counting stops at the limit. */
function costUpTo(value: unknown, limit: number): number {
  if (typeof value !== 'object' || value === null) return costOfSimple(value);
  let cost = 1;
  if (Array.isArray(value))
    for (const one of value as unknown[]) {
      // Function calls dominate here, and every response is counted.
      cost += typeof one === 'object' ? costUpTo(one, limit - cost) : costOfSimple(one);
      if (cost >= limit) break;
    }
  else if (ArrayBuffer.isView(value)) cost += value.byteLength / CHARACTERS;
  else
    for (const key in value) {
      const one = (value as Record<string, unknown>)[key];
      cost += typeof one === 'object' ? costUpTo(one, limit - cost) : costOfSimple(one);
      if (cost >= limit) break;
    }
  return cost;
}

const costOfSimple = (value: unknown): number => (typeof value === 'string' ? 1 + value.length / CHARACTERS : 1);

/** Validates a response as `safeParse` does, in several turns of the event loop. */
export async function safeParseInTurns(schema: z.ZodType, value: unknown): Promise<z.ZodSafeParseResult<unknown>> {
  try {
    return { success: true, data: await read(schema, value, new WorkBudget()) };
  } catch (error) {
    if (error instanceof z.ZodError) return { success: false, error };
    throw error;
  }
}

/** An array that was taken out of a value, and its location. */
interface LeftOut {
  readonly path: readonly (string | number)[];
  readonly element: z.ZodType;
  readonly values: readonly unknown[];
}

/** @throws ZodError */
async function read(schema: z.ZodType, value: unknown, pace: WorkBudget): Promise<unknown> {
  const inner = unwrapped(schema, value);
  const ofRoot = elementOf(inner);
  if (ofRoot && Array.isArray(value)) return readAll(ofRoot, value, pace);
  const leftOut: LeftOut[] = [];
  const room = { left: PIECE };
  const data = schema.parse(withoutLong(inner, value, { path: [], leftOut, room }));
  await pace.spendAndRest(PIECE);
  for (const { path, element, values } of leftOut) {
    const holder = path.slice(0, -1).reduce<unknown>((at, key) => (at as Record<string | number, unknown>)[key], data);
    (holder as Record<string | number, unknown>)[path.at(-1)!] = await readAll(element, values, pace);
  }
  return data;
}

async function readAll(element: z.ZodType, values: readonly unknown[], pace: WorkBudget): Promise<unknown[]> {
  const all: unknown[] = [];
  for (const one of values) {
    const cost = costUpTo(one, PIECE);
    all.push(cost < PIECE ? element.parse(one) : await read(element, one, pace));
    pace.spend(cost);
    if (pace.shouldYield) await pace.rest();
  }
  return all;
}

/** The schema without the wrappers that allow the value to be absent. */
function unwrapped(schema: z.ZodType, value: unknown): z.ZodType {
  if (value === undefined || value === null) return schema;
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodLazy)
    return unwrapped(schema.unwrap() as z.ZodType, value);
  return schema;
}

/** The schema of the elements of an array, if the schema has nothing else. */
const elementOf = (schema: z.ZodType): z.ZodType | undefined =>
  schema instanceof z.ZodArray && !hasChecks(schema) ? (schema.element as z.ZodType) : undefined;

const hasChecks = (schema: z.ZodType): boolean => (schema.def.checks?.length ?? 0) > 0;

interface LeavingOut {
  readonly path: readonly (string | number)[];
  readonly leftOut: LeftOut[];
  /** The cost that is left for arrays that stay. */
  readonly room: { left: number };
}

/** The value with empty arrays in place of most, if the schema has only a schema of elements for them. */
function withoutLong(schema: z.ZodType, value: unknown, { path, ...to }: LeavingOut): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  const inner = unwrapped(schema, value);
  if (hasChecks(inner)) return value;
  const element = elementOf(inner);
  if (element && Array.isArray(value)) {
    const cost = costUpTo(value, to.room.left);
    if (cost < to.room.left) {
      to.room.left -= cost;
      return value;
    }
    to.leftOut.push({ path, element, values: value });
    return [];
  }
  const partOf =
    inner instanceof z.ZodObject
      ? (key: string) => (Object.hasOwn(inner.shape, key) ? (inner.shape as Record<string, z.ZodType>)[key] : undefined)
      : inner instanceof z.ZodRecord
        ? () => inner.valueType as z.ZodType
        : undefined;
  if (!partOf || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => {
      const part = partOf(key);
      return [key, part ? withoutLong(part, one, { path: [...path, key], ...to }) : one];
    }),
  );
}

/**
 * The JSON of a value in UTF-8, in buffers, serialized in several turns of the event loop.
 *
 * @throws DomainError 400 if it has more bytes than `room`.
 */
export async function jsonInTurns(value: unknown, room = { left: MAX_ANSWER }): Promise<Buffer[]> {
  const writer = new JsonWriter(room);
  await writer.write(value);
  return writer.end();
}

class JsonWriter {
  readonly #pace = new WorkBudget();
  readonly #pieces: Buffer[] = [];
  readonly #room: { left: number };
  #written = 0;
  #texts: string[] = [];
  #length = 0;

  constructor(room: { left: number }) {
    this.#room = room;
  }

  end(): Buffer[] {
    this.#flush();
    return this.#pieces;
  }

  async write(value: unknown): Promise<void> {
    if (typeof value === 'string' && value.length > TEXT_PIECE) return this.#writeText(value);
    if (typeof value !== 'object' || value === null || hasOwnJson(value) || costUpTo(value, PIECE) < PIECE)
      return this.#writeAtOnce(JSON.stringify(value) ?? 'null');
    await (Array.isArray(value) ? this.#writeArray(value) : this.#writeObject(value));
  }

  async #writeArray(values: readonly unknown[]): Promise<void> {
    this.#add('[');
    let some: unknown[] = [];
    let cost = 0;
    let separator = '';
    const flush = async () => {
      if (some.length === 0) return;
      await this.#writeAtOnce(separator + JSON.stringify(some).slice(1, -1));
      separator = ',';
      some = [];
      cost = 0;
    };
    for (const one of values) {
      const added = costUpTo(one, PIECE);
      if (added >= PIECE || cost + added >= PIECE) await flush();
      if (added < PIECE) {
        some.push(one);
        cost += added;
        continue;
      }
      this.#add(separator);
      separator = ',';
      await this.write(one);
    }
    await flush();
    this.#add(']');
  }

  async #writeObject(value: object): Promise<void> {
    let separator = '{';
    for (const [key, one] of Object.entries(value)) {
      if (one === undefined || typeof one === 'function' || typeof one === 'symbol') continue;
      this.#add(`${separator}${JSON.stringify(key)}:`);
      separator = ',';
      await this.write(one);
    }
    this.#add(separator === '{' ? '{}' : '}');
  }

  async #writeText(text: string): Promise<void> {
    this.#add('"');
    for (let from = 0, to: number; from < text.length; from = to) {
      to = from + TEXT_PIECE;
      // Surrogate pairs stay together.
      if (isFirstHalf(text.charCodeAt(to - 1))) to--;
      await this.#writeAtOnce(JSON.stringify(text.slice(from, to)).slice(1, -1));
    }
    this.#add('"');
  }

  async #writeAtOnce(json: string): Promise<void> {
    this.#add(json);
    // The clock is read after each piece: the cost of a character varies.
    await this.#pace.spendAndRest(Math.max(PIECE, json.length));
  }

  #add(json: string): void {
    this.#texts.push(json);
    this.#length += json.length;
    if (this.#length >= CHUNK) this.#flush();
  }

  #flush(): void {
    if (this.#length === 0) return;
    const piece = Buffer.from(this.#texts.join(''));
    this.#room.left -= piece.length;
    this.#written += piece.length;
    if (this.#room.left < 0) {
      // Available to the other responses of the batch.
      this.#room.left += this.#written;
      throw answerTooLarge();
    }
    this.#pieces.push(piece);
    this.#texts = [];
    this.#length = 0;
  }
}

const hasOwnJson = (value: object): boolean => typeof (value as { toJSON?: unknown }).toJSON === 'function';

const isFirstHalf = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
