import { hashOf, isToken, makeToken, sameHash } from '../crypto/index.ts';
import { inTransaction, statement, unauthenticated, type Context } from '../kernel/index.ts';
import { instanceConfig } from './config.ts';

/** The prefix of the code that lets a caller from elsewhere make the first administrator. */
const SETUP_CODE = 'cfb_';

/** Maximum number of valid codes: one for each process, and some left over by earlier processes. */
const MAX_CODES = 20;

const ADD = statement('setup_codes.add', 'insert into setup_codes (hash, created_at) values ($1, $2)');
const TRIM = statement(
  'setup_codes.trim',
  `delete from setup_codes where hash = $1
   or hash in (select hash from setup_codes order by created_at desc, hash offset $2)`,
);
const LIST = statement('setup_codes.list', 'select hash from setup_codes');
export const END_SETUP_CODES = statement('setup_codes.end', 'delete from setup_codes');

/**
 * Creates the code with which a remote caller can create the first administrator, and replaces the previous code of
 * this process; none if there is an administrator already. The database has only its hash.
 */
export async function issueSetupCode(ctx: Context, previous?: string): Promise<string | undefined> {
  if ((await instanceConfig(ctx)).initialized) {
    await ctx.sql(END_SETUP_CODES, []);
    return undefined;
  }
  const { token: code, hash } = makeToken(SETUP_CODE);
  await inTransaction(ctx, async (tx) => {
    await tx.sql(ADD, [hash, tx.now()]);
    await tx.sql(TRIM, [hashOf(previous ?? ''), MAX_CODES]);
  });
  return code;
}

/** Whether a caller may create the first administrator: from this machine always, from elsewhere by a valid code. */
export async function isSetupPermitted(ctx: Context, code: string | undefined): Promise<boolean> {
  if (ctx.request.isRemote !== true) return true;
  if (code === undefined || !isToken(SETUP_CODE, code)) return false;
  const hash = hashOf(code);
  const codes = await ctx.sql<{ hash: Buffer }>(LIST, []);
  // All codes are compared in constant time.
  return codes.filter((one) => sameHash(one.hash, hash)).length > 0;
}

export const setupCodeRequired = () =>
  unauthenticated(
    'instance.setup_code',
    'setupCode is required from another host, through a proxy, or from a page of another site. The code is in the log of the server, and in the file setup-code of its data directory',
  );
