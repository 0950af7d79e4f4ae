import { ProjectEvent, WATCHED, WatchSecrets, watchSecrets, type WatchItem } from '@coffer/domain';
import { tracked, type TrackedEnvelope } from '@trpc/server';
import { procedure, rest, router, type ApiCall } from '../kernel/index.ts';

const DESCRIPTION = `Server-sent events (\`text/event-stream\`), each with an id; with the last one in \`Last-Event-ID\`, or as
\`lastEventId\` in the body, the later events are sent first. An event with the data of an error is the last one. Events
name where secrets were created, changed or deleted, as far as the caller may see them, and never their values.`;

/** An event with its ID. `null` is a position only: the first item of a stream. */
async function* published(
  events: AsyncIterable<WatchItem>,
): AsyncGenerator<TrackedEnvelope<ProjectEvent | null>, void, undefined> {
  for await (const { id, event } of events) yield tracked(id, event ? ProjectEvent.parse(event) : null);
}

export const watchRouter = router({
  watch: procedure
    .meta(
      rest(
        'POST',
        '/api/v1/events/subscribe/project-events',
        Object.values(WATCHED),
        'Subscribe to changes of the secrets of a project',
        { description: DESCRIPTION.replaceAll('\n', ' '), events: ProjectEvent },
      ),
    )
    .input(WatchSecrets)
    .subscription(async ({ ctx, input, signal }) =>
      published(await watchSecrets(ctx, input, { signal, stillCalls: () => (ctx as ApiCall).requireStillCalling() })),
    ),
});
