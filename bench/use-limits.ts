/**
 * Checks that limits of uses are exact. In each round four times as many concurrent logins as a client secret allows,
 * then four times as many calls as a token allows, distributed over two processes on one database.
 */
import { parseArgs } from 'node:util';
import { Random } from './chaos/random.ts';
import { client, Refused, type Client } from './subject/client.ts';
import { Run } from './subject/stage.ts';

const HELP = `pnpm use-limits [options]
  --rounds N   how often (1000)
  --most N     the highest limit (8); each round has one of its own
  --limit N    seconds that all may take (900)
  --seed N     the same limits again; printed at the start`;

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '1000' },
    most: { type: 'string', default: '8' },
    limit: { type: 'string', default: '900' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    help: { type: 'boolean', default: false },
  },
});

const run = new Run();
run.endOnSignals();
try {
  if (values.help) console.log(HELP);
  else process.exitCode = (await count()) ? 0 : 1;
} finally {
  await run.close();
}

/** Whether each limit was reached, and none passed. */
async function count(): Promise<boolean> {
  const random = new Random(Number(values.seed));
  const stage = await run.stage('use-limits');
  const { admin, organizationId } = stage.world;
  const urls = [stage.server.url, (await run.another(stage)).url];
  console.log(`seed ${values.seed}: ${values.rounds} rounds, limits from 1 to ${values.most}, in two processes`);

  const { identity } = await admin<{ identity: { id: string } }>('POST', '/api/v1/identities', {
    name: 'limited',
    organizationId,
  });
  const method = `/api/v1/auth/universal-auth/identities/${identity.id}`;
  const { clientId } = (await admin<{ identityUniversalAuth: { clientId: string } }>('POST', method, {}))
    .identityUniversalAuth;
  const deadline = performance.now() + Number(values.limit) * 1000;
  let [rounds, logins, calls] = [0, 0, 0];
  const wrong: string[] = [];
  for (; rounds < Number(values.rounds) && performance.now() < deadline; rounds++) {
    const [allowed, uses] = [random.whole(1, Number(values.most)), random.whole(1, Number(values.most))];
    await admin('PATCH', method, { accessTokenNumUsesLimit: uses });
    const { clientSecret } = await admin<{ clientSecret: string }>('POST', `${method}/client-secrets`, {
      numUsesLimit: allowed,
    });
    const logIn = (ask: Client) =>
      ask<{ accessToken: string }>('POST', '/api/v1/auth/universal-auth/login', { clientId, clientSecret });
    const tokens = await together(4 * allowed, (i) => logIn(client(urls[i % 2]!)));
    if (tokens.length !== allowed) wrong.push(`round ${rounds}: ${tokens.length} logins of ${allowed}`);
    logins += 4 * allowed;
    const token = tokens[0]?.accessToken;
    const used = await together(4 * uses, (i) => client(urls[i % 2]!, token)('GET', '/api/v1/identities/details'));
    if (used.length !== uses) wrong.push(`round ${rounds}: ${used.length} uses of ${uses}`);
    calls += 4 * uses;
  }
  console.log(`${rounds} rounds: ${logins} logins, ${calls} calls; ${wrong.length} limits that were not exact`);
  for (const what of wrong) console.log(what);
  return wrong.length === 0 && rounds === Number(values.rounds);
}

/**
 * The responses of the admitted ones.
 *
 * @throws for any refusal except 401
 */
async function together<T>(times: number, call: (index: number) => Promise<T>): Promise<T[]> {
  const results = await Promise.allSettled(Array.from({ length: times }, (_, i) => call(i)));
  return results.flatMap((result) => {
    if (result.status === 'fulfilled') return [result.value];
    if (result.reason instanceof Refused && result.reason.status === 401) return [];
    throw result.reason;
  });
}
