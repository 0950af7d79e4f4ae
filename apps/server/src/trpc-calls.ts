import { callTyped, errorShape, jsonInTurns, type ApiCall, type Http, type ProcedureLike } from '@coffer/api';
import { answerTooLarge, MAX_ANSWER } from '@coffer/domain';
import { TRPCError } from '@trpc/server';

/** Calls of one batch that are carried out at a time. */
const AT_ONCE = 8;

const METHODS: Readonly<Record<string, 'GET' | 'POST'>> = { query: 'GET', mutation: 'POST' };

/** One call of a request: a procedure, if there is one of that name, and its input. */
export interface TypedCall {
  readonly name: string;
  readonly procedure: ProcedureLike | undefined;
  readonly input: unknown;
}

/** What a call is answered, and its status. */
export interface TypedAnswer {
  readonly status: number;
  readonly pieces: readonly Buffer[];
}

export interface Calling {
  readonly method: string;
  readonly call: ApiCall;
  /** What all answers of a request may have together, in bytes. */
  readonly room: { left: number };
  /** Logs and counts an error; answers its status. */
  readonly report: (error: TRPCError) => number;
}

export const roomOfRequest = () => ({ left: MAX_ANSWER });

/**
 * Announces the answers of a batch: all that they may have together, with the first of them. Calls that had some memory
 * and waited for more could wait forever.
 */
export function announcerOf(http: Http): Http['announceAnswer'] {
  let announced = 0;
  let memory: Promise<void> | undefined;
  return (bytes, caller) => {
    if (announced + bytes > MAX_ANSWER) throw answerTooLarge();
    announced += bytes;
    return (memory ??= http.announceAnswer(MAX_ANSWER, caller));
  };
}

/** Carries out one call as REST does, and writes its answer or its error as tRPC does. Never throws. */
export async function answerTyped({ name, procedure, input }: TypedCall, calling: Calling): Promise<TypedAnswer> {
  const { call, room } = calling;
  try {
    requireCallable(procedure, calling.method);
    const data = await callTyped(procedure, call, name, input ?? {});
    return { status: 200, pieces: wrapped(await written(call, data, room)) };
  } catch (cause) {
    return failed(cause, calling);
  }
}

export function failed(cause: unknown, { call, report }: Calling): TypedAnswer {
  const error = cause instanceof TRPCError ? cause : new TRPCError({ code: 'INTERNAL_SERVER_ERROR', cause });
  const shape = errorShape({ data: {} }, error, call);
  return { status: report(error), pieces: [Buffer.from(JSON.stringify({ error: shape }))] };
}

async function written(call: ApiCall, data: unknown, room: { left: number }): Promise<Buffer[] | undefined> {
  if (call.hasLongAnswer) return jsonInTurns(data, room);
  const json = JSON.stringify(data) as string | undefined;
  if (json === undefined) return undefined;
  const piece = Buffer.from(json);
  if (room.left < piece.length) throw answerTooLarge();
  room.left -= piece.length;
  return [piece];
}

const wrapped = (pieces: readonly Buffer[] | undefined): Buffer[] =>
  pieces === undefined ? [NOTHING] : [RESULT, ...pieces, END];

const RESULT = Buffer.from('{"result":{"data":');
const END = Buffer.from('}}');
const NOTHING = Buffer.from('{"result":{}}');

/** @throws TRPCError as tRPC itself. */
function requireCallable(procedure: ProcedureLike | undefined, method: string): asserts procedure is ProcedureLike {
  if (!procedure) throw new TRPCError({ code: 'NOT_FOUND' });
  const wanted = METHODS[procedure._def.type];
  // A batch holds no streams.
  if (wanted === undefined) throw new TRPCError({ code: 'BAD_REQUEST' });
  if (method !== wanted) throw new TRPCError({ code: 'METHOD_NOT_SUPPORTED' });
}

/** Does something with each of some things, a few at a time, and answers the results in their order. */
export async function fewAtATime<T, U>(things: readonly T[], work: (thing: T) => Promise<U>): Promise<U[]> {
  const results: U[] = [];
  const rest = things.entries();
  const worker = async () => {
    for (const [index, thing] of rest) results[index] = await work(thing);
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, things.length) }, worker));
  return results;
}

/** A batch is answered with a list; where its calls have several statuses, with 207. */
export function joined(answers: readonly TypedAnswer[]): TypedAnswer {
  const statuses = new Set(answers.map(({ status }) => status));
  const pieces = answers.flatMap((answer, index) => [index === 0 ? OPEN : COMMA, ...answer.pieces]);
  return { status: statuses.size === 1 ? answers[0]!.status : 207, pieces: [...pieces, CLOSE] };
}

const OPEN = Buffer.from('[');
const COMMA = Buffer.from(',');
const CLOSE = Buffer.from(']');
