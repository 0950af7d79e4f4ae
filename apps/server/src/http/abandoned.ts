import type { FastifyReply } from 'fastify';

/** Whether the client has disconnected before it had the whole answer. */
export const isAbandoned = ({ raw }: FastifyReply): boolean => raw.destroyed && !raw.writableFinished;

/** Calls back once the connection of a response has ended, also if that was before: its event does not come again. */
export function whenGone({ raw }: FastifyReply, work: () => void): void {
  if (raw.closed) work();
  else raw.once('close', work);
}
