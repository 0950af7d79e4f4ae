import type { Outputs } from '@coffer/client';
import { formOf, render } from '../../format/output.ts';
import { tableOf } from '../../format/table.ts';
import { placeOfCommand } from '../../place.ts';
import { connect } from '../../session.ts';
import type { Action } from '../../table/command.ts';
import type { accessFlags } from './flags.ts';

type Report = Outputs['access']['who']['access'];
type Decision = Report['actors'][number]['actions'][number];

export const showAccess: Action<typeof accessFlags> = async (invocation) => {
  const { flags, io, args } = invocation;
  const client = await connect(invocation);
  const place = await placeOfCommand(invocation, client);
  const named = { ...place, ...(args[0] && { secretName: args[0] }) };
  const form = formOf(flags);
  if (flags.me) {
    const { access } = await client.access.me.query(named);
    const decisions = (access.decisions ?? []).filter(({ action }) => !flags.action || action === flags.action);
    const rows = decisions.map((one) => [one.subject, one.action, verdictOf(one), reasonOf(one)]);
    return io.write(form ? await render(form, decisions, io) : tableOf(['SUBJECT', 'ACTION', 'ALLOWED', 'BY'], rows));
  }
  const { access } = await client.access.who.query({ ...named, ...(flags.action && { action: flags.action }) });
  if (form) return io.write(await render(form, access.actors, io));
  io.write(
    tableOf(
      ['ACTOR', 'TYPE', 'ACTION', 'ALLOWED', 'BY'],
      access.actors.flatMap((one) => rowsOf(one, flags.action)),
    ),
  );
  const left = access.totalCount - access.actors.length;
  if (left > 0) io.say('info', `${left} more are not shown`);
  if (access.hiddenCount) io.say('info', `${access.hiddenCount} more you may not see`);
};

const rowsOf = ({ actor, actions }: Report['actors'][number], action: string | undefined): string[][] =>
  actions
    .filter((one) => one.isAllowed !== false && (!action || one.action === action))
    .map((one) => [
      actor.username ?? actor.name,
      actor.type,
      `${one.subject}: ${one.action}`,
      verdictOf(one),
      reasonOf(one),
    ]);

const verdictOf = ({ isAllowed }: Pick<Decision, 'isAllowed'>): string =>
  isAllowed === null ? 'depends on the secret' : isAllowed ? 'yes' : 'no';

/** The grant whose rule decides, and until when it holds. */
function reasonOf({ decidedBy }: Pick<Decision, 'decidedBy'>): string {
  if (!decidedBy) return 'no rule';
  const { kind, slug, group, isByGroup, endsAt } = decidedBy.grant;
  return [
    `${kind} ${slug}`,
    group ? ` of the group ${group.name}` : isByGroup ? ' of a group' : '',
    endsAt ? ` until ${endsAt}` : '',
  ].join('');
}
