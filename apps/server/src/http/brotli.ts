import type { FastifyRequest } from 'fastify';

/** Whether a client takes what is compressed by Brotli. */
export const takesBrotli = ({ headers }: Pick<FastifyRequest, 'headers'>): boolean =>
  /\bbr\b/.test([headers['accept-encoding']].flat().join());
