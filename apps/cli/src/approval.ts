import type { Io } from './io.ts';

/** Whether a change waits for approval under a policy, which is then said. */
export function waitsForApproval(answer: object, io: Pick<Io, 'say'>): boolean {
  const { approval } = answer as { readonly approval?: { readonly id: string } };
  if (approval) io.say('info', `A policy covers this folder: the change waits for approval (request ${approval.id})`);
  return approval !== undefined;
}
