import { z } from 'zod';
import { defineJob } from '../../jobs/index.ts';
import { statement, type Context } from '../../kernel/index.ts';

/** How long a key stays after the next one signs, in milliseconds: for processes whose clocks are behind. */
const GRACE = 10 * 60_000;

const WIPE = statement(
  'ssh_ca_keys.wipe_former',
  `update ssh_ca_keys k set private_key = null
   where k.private_key is not null and k.trusted_until is not null and exists (select from ssh_ca_keys n
     where n.ca_id = k.ca_id and n.signs_from <= $1 and (n.signs_from, n.id) > (k.signs_from, k.id))
   returning id`,
);

/**
 * Deletes the private parts of keys that another key has replaced: of those that went on signing after their rotation.
 *
 * @returns Their number.
 */
export const wipeFormerSshKeys = async (ctx: Context): Promise<number> =>
  (await ctx.sql(WIPE, [new Date(ctx.now().getTime() - GRACE)])).length;

export const formerSshKeys = defineJob({
  name: 'ssh.former_keys',
  payload: z.object({}),
  schedule: '3,13,23,33,43,53 * * * *',
  run: async (ctx) => void (await wipeFormerSshKeys(ctx)),
});
