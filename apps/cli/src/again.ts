import { setTimeout as wait } from 'node:timers/promises';
import { CofferError } from '@coffer/client';
import { EXIT } from './exit.ts';
import { explain } from './explain.ts';

/** No answer, or that of a server or proxy that cannot serve now. */
export const isUnreachable = (error: unknown): boolean =>
  error instanceof CofferError && explain(error).exitCode === EXIT.unreachable;

/**
 * Makes a call again where the server is unreachable, as the client itself does with queries. Only for calls that may be carried out twice.
 *
 * @param pauses Milliseconds before each further call.
 */
export async function again<Result>(
  call: () => Promise<Result>,
  pauses: readonly number[] = [200, 1000],
): Promise<Result> {
  const [pause, ...others] = pauses;
  if (pause === undefined) return call();
  try {
    return await call();
  } catch (error) {
    if (!isUnreachable(error)) throw error;
    await wait(pause);
    return again(call, others);
  }
}
