import { procedure, rest, router, type RouterLike } from '@coffer/api';
import { flag, statement } from '@coffer/domain';
import { z } from 'zod';

const Echo = z.object({
  id: z.string().optional(),
  text: z.string().optional(),
  count: z.number().optional(),
  flag: flag().optional(),
  list: z.array(z.string()).optional(),
  nested: z.unknown().optional(),
});
const Output = z.object({ echo: z.record(z.string(), z.unknown()) });

const SELECT = statement('test.echo', 'select $1::text as text');

/** Operations of every kind that the adapters distinguish, without any logic. */
export const echoRouter: RouterLike = router({
  echo: router({
    read: procedure
      .meta(rest('GET', '/echo/{id}', 'public', 'Read', { aliases: ['/older/echo/{id}'] }))
      .input(Echo)
      .output(Output)
      .query(({ input }) => ({ echo: input })),
    cached: procedure
      .meta(rest('GET', '/cached', 'public', 'Read with a tag', { etag: async () => 'unchanged' }))
      .input(Echo)
      .output(Output)
      .query(({ input }) => ({ echo: input })),
    write: procedure
      .meta(rest('POST', '/echo', 'public', 'Write'))
      .input(Echo)
      .output(Output)
      .mutation(({ input }) => ({ echo: input })),
    change: procedure
      .meta(rest('PATCH', '/echo/{id}', 'public', 'Change'))
      .input(Echo)
      .output(Output)
      .mutation(({ input }) => ({ echo: input })),
    remove: procedure
      .meta(rest('DELETE', '/echo/{id}', 'public', 'Remove'))
      .input(Echo)
      .output(Output)
      .mutation(({ input }) => ({ echo: input })),
    form: procedure
      .meta(rest('POST', '/form', 'public', 'Take a form', { form: true }))
      .input(Echo)
      .output(Output)
      .mutation(({ input }) => ({ echo: input })),
    login: procedure
      .meta(rest('POST', '/login', 'public', 'Log in', { strictlyLimited: true }))
      .input(Echo)
      .output(Output)
      .mutation(({ input }) => ({ echo: input })),
    whoami: procedure
      .meta(rest('GET', '/whoami', 'member', 'Tell who calls'))
      .input(z.object({}))
      .output(Output)
      .query(({ ctx }) => ({ echo: { id: 'id' in ctx.actor ? ctx.actor.id : null } })),
    address: procedure
      .meta(rest('GET', '/address', 'public', 'Tell where a call comes from'))
      .input(z.object({}))
      .output(Output)
      .query(({ ctx }) => ({ echo: { address: ctx.request.ipAddress } })),
    cookies: procedure
      .meta(rest('POST', '/cookies', 'public', 'Set a cookie to what another one holds'))
      .input(z.object({}))
      .output(Output)
      .mutation(({ ctx }) => {
        const [held] = ctx.http.cookies('held');
        ctx.http.setCookie('given', held, 60);
        return { echo: { held } };
      }),
    careless: procedure
      .meta(
        rest(
          'GET',
          '/careless',
          { scope: 'project', subject: 'tags', action: 'read', key: 'project:tags:read' },
          'Forget to ask',
        ),
      )
      .input(z.object({}))
      .output(Output)
      .query(() => ({ echo: {} })),
    broken: procedure
      .meta(rest('POST', '/broken', 'public', 'Fail'))
      .input(Echo)
      .output(Output)
      .mutation(({ input }) => {
        throw Object.assign(new Error('Something'), { input });
      }),
    leaky: procedure
      .meta(rest('POST', '/leaky', 'public', 'Answer what its schema does not hold'))
      .input(Echo)
      .output(Output)
      .mutation(({ input }) => ({ echo: input.text }) as never),
    query: procedure
      .meta(rest('POST', '/query', 'public', 'Ask the database'))
      .input(Echo)
      .output(Output)
      .mutation(async ({ ctx, input }) => ({ echo: { rows: await ctx.sql(SELECT, [input.text]) } })),
    slow: procedure
      .meta(rest('POST', '/slow', 'public', 'Take milliseconds'))
      .input(Echo)
      .output(Output)
      .mutation(async ({ input }) => {
        await new Promise((done) => setTimeout(done, input.count));
        return { echo: input };
      }),
  }),
});
