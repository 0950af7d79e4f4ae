import type { FastifyReply } from 'fastify';

/** Whether the client has disconnected before it had the whole answer. */
export const isAbandoned = ({ raw }: FastifyReply): boolean => raw.destroyed && !raw.writableFinished;
