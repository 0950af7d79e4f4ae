/**
 * Checks that a login with an unknown client ID cannot be distinguished from one with a known ID: by the response or by
 * its timing. Logins of all kinds are sent in random order; Welch's t compares the times of each two kinds.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { parseArgs } from 'node:util';
import { Random } from './chaos/random.ts';
import { median } from './measure/sample.ts';
import { compare } from './measure/welch.ts';
import { Run } from './subject/stage.ts';
import type { World } from './subject/world.ts';

const HELP = `pnpm login-timing [options]
  --samples N      logins in all (100000)
  --connections N  at once (16)
  --limit N        seconds that all may take (600)
  --seed N         the same order again; printed at the start`;

/** An amount of t that chance does not reach (non-specific leakage assessment: 4.5). */
const TELLING = 4.5;
const CLIENTS = 40;
const WARM_UP = 500;

const { values } = parseArgs({
  options: {
    samples: { type: 'string', default: '100000' },
    connections: { type: 'string', default: '16' },
    limit: { type: 'string', default: '600' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    help: { type: 'boolean', default: false },
  },
});

interface Client {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** A refused login, and the reason, which must not be observable. */
type Guess = (random: Random) => Client;

const run = new Run();
run.endOnSignals();
try {
  if (values.help) console.log(HELP);
  else process.exitCode = (await look()) ? 0 : 1;
} finally {
  await run.close();
}

/** Whether no two kinds can be distinguished. */
async function look(): Promise<boolean> {
  const random = new Random(Number(values.seed));
  const { server, world } = await run.stage('timing');
  const guesses = await prepare(world);
  const kinds = Object.keys(guesses);
  console.log(
    `seed ${values.seed}: ${values.samples} refused logins (${kinds.join(', ')}), ${values.connections} at once`,
  );

  const times = Object.fromEntries(kinds.map((kind) => [kind, [] as number[]]));
  const answers = Object.fromEntries(kinds.map((kind) => [kind, new Set<string>()]));
  const deadline = performance.now() + Number(values.limit) * 1000;
  let left = Number(values.samples) + WARM_UP;
  const worker = async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    while (left-- > 0 && performance.now() < deadline) {
      const isWarm = left < Number(values.samples);
      const kind = random.pick(kinds);
      const { time, answer } = await logIn(server.url, agent, guesses[kind]!(random));
      if (!isWarm) continue;
      times[kind]!.push(time);
      answers[kind]!.add(answer);
    }
    agent.destroy();
  };
  await Promise.all(Array.from({ length: Number(values.connections) }, worker));

  const different = new Set(Object.values(answers).flatMap((set) => [...set]));
  console.log(different.size === 1 ? 'answers: all the same' : `answers differ:\n${[...different].join('\n')}`);
  for (const kind of kinds)
    console.log(`${kind}: ${times[kind]!.length} samples, median ${median(times[kind]!).toFixed(3)} ms`);
  const pairs = kinds.flatMap((one, i) => kinds.slice(i + 1).map((other) => [one, other] as const));
  const isTold = pairs.map(([one, other]) => {
    const { t, worst, difference } = compare(times[one]!, times[other]!);
    const verdict = Math.abs(worst) < TELLING ? 'cannot be told apart' : 'CAN BE TOLD APART';
    const figures = `t ${t.toFixed(2)}, at worst ${worst.toFixed(2)}, means ${(difference * 1000).toFixed(1)} µs apart`;
    console.log(`${one} and ${other}: ${verdict} (${figures})`);
    return Math.abs(worst) >= TELLING;
  });
  return different.size === 1 && !isTold.includes(true);
}

/** Existing clients with a wrong secret; previously attacked ones with a wrong secret; unknown ones. */
async function prepare(world: World): Promise<Record<string, Guess>> {
  const [known, locked] = [await makeClients(world, { lockoutEnabled: false }), await makeClients(world, {})];
  const agent = new Agent({ keepAlive: true });
  for (const { clientId } of locked)
    for (let i = 0; i < 4; i++) await logIn(world.admin.url, agent, { clientId, clientSecret: secret() });
  agent.destroy();
  return {
    unknown: () => ({ clientId: randomUUID(), clientSecret: secret() }),
    'wrong secret': (random) => ({ ...random.pick(known), clientSecret: secret() }),
    'guessed at': (random) => ({ ...random.pick(locked), clientSecret: secret() }),
  };
}

function secret(): string {
  return randomBytes(32).toString('hex');
}

async function makeClients({ admin, organizationId }: World, settings: object): Promise<Client[]> {
  const made: Client[] = [];
  for (let i = 0; i < CLIENTS; i++) {
    const { identity } = await admin<{ identity: { id: string } }>('POST', '/api/v1/identities', {
      name: `c${i}`,
      organizationId,
    });
    const method = `/api/v1/auth/universal-auth/identities/${identity.id}`;
    const { identityUniversalAuth } = await admin<{ identityUniversalAuth: { clientId: string } }>('POST', method, {
      ...settings,
      lockoutDurationSeconds: 86_400,
    });
    const { clientSecret } = await admin<{ clientSecret: string }>('POST', `${method}/client-secrets`, {});
    made.push({ clientId: identityUniversalAuth.clientId, clientSecret });
  }
  return made;
}

/** One login: milliseconds until its response, and the response without request-specific parts. */
function logIn(url: string, agent: Agent, client: Client): Promise<{ time: number; answer: string }> {
  const body = JSON.stringify(client);
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': body.length };
    const started = performance.now();
    const sent = request(`${url}/api/v1/auth/universal-auth/login`, { method: 'POST', agent, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () => {
        const time = performance.now() - started;
        const names = Object.keys(response.headers).toSorted();
        const answer = `${response.statusCode} ${names.join()} ${text.replace(/req-\w{14}/, '')}`;
        resolve({ time, answer });
      });
    });
    sent.on('error', reject).end(body);
  });
}
