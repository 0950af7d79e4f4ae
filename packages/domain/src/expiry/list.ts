import { abilityIn } from '../access/index.ts';
import { eventOf, type Context } from '../kernel/index.ts';
import { cursorOf, endingsListed, type Ending, type EndingPage, type ListEndings } from './expiry.ts';
import { endings } from './registry.ts';

/**
 * What ends when, in a project or in the organization: each thing that the caller may read.
 *
 * @throws DomainError 404 if the caller is not a member of the project.
 */
export async function listEndings(ctx: Context, input: ListEndings): Promise<EndingPage> {
  const { projectId, kind, search, cursor: after, limit } = input;
  const board = { ctx, projectId, ability: await abilityIn(ctx, projectId) };
  const asked = endings.filter((one) => one.isOn(board) && (kind === undefined || one.kind === kind));
  const found: Ending[] = [];
  // One after the other: each is a statement or more.
  for (const one of asked) found.push(...(await one.list(board, { after, search, limit: limit + 1 })));
  const inOrder = found.toSorted(byEnd);
  const page = inOrder.slice(0, limit);
  const data = { numberOfEndings: page.length, ...(kind && { kind }) };
  await ctx.commitRead(eventOf(endingsListed, data, { projectId }), ctx);
  const last = page.at(-1);
  return { endings: page, nextCursor: last && inOrder.length > limit ? cursorOf(last) : null };
}

/** As the database orders them. */
const byEnd = (one: Ending, other: Ending): number =>
  one.endsAt.getTime() - other.endsAt.getTime() || (one.id < other.id ? -1 : 1);
