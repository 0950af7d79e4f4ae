import { setTimeout as wait } from 'node:timers/promises';
import { CofferError } from '@coffer/client';
import { EXIT } from './exit.ts';
import { explain } from './explain.ts';

/** No answer, or that of a server or proxy that cannot serve now. */
export const isUnreachable = (error: unknown): boolean =>
  error instanceof CofferError && explain(error).exitCode === EXIT.unreachable;

/** Milliseconds. A call that has failed after more than these would take as long again. */
const SOON = 5000;

/**
 * Makes a call again where the server is soon found to be unreachable, as the client itself does with queries. Only for calls that may be
 * carried out twice.
 *
 * @param pauses Milliseconds before each further call.
 */
export async function again<Result>(
  call: () => Promise<Result>,
  pauses: readonly number[] = [200, 1000],
): Promise<Result> {
  const [pause, ...others] = pauses;
  if (pause === undefined) return call();
  const begun = Date.now();
  try {
    return await call();
  } catch (error) {
    if (!isUnreachable(error) || Date.now() - begun > SOON) throw error;
    await wait(pause);
    return again(call, others);
  }
}
