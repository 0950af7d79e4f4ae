import { z } from 'zod';
import { defineJob } from '../../jobs/index.ts';
import { statement, type Context } from '../../kernel/index.ts';

/** How long a key stays after the next one signs, in milliseconds: for processes whose clocks are behind. */
const GRACE = 10 * 60_000;

const WIPE = statement(
  'ssh_ca_keys.wipe_former',
  'update ssh_ca_keys set private_key = null where private_key is not null and signs_until <= $1 returning id',
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
