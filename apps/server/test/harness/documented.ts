import { operationsOf, statusesOf, type RouterLike } from '@coffer/api';
import type { FastifyInstance } from 'fastify';
import { routeOf } from '../../src/rest.ts';

/** What the operations of a router answered that their documentation does not list, such as `GET /api/v1/x: 418`. */
export function undocumentedAnswers({ traffic }: FastifyInstance, router: RouterLike): string[] {
  const documented = new Map(
    operationsOf(router).map((operation) => [`${operation.method} ${routeOf(operation)}`, statusesOf(operation)]),
  );
  return traffic.routes.flatMap(({ method, route, byStatus }) => {
    const name = `${method} ${route}`;
    const known = documented.get(name);
    return known
      ? [...byStatus.keys()].filter((status) => !known.includes(status)).map((status) => `${name}: ${status}`)
      : [];
  });
}
