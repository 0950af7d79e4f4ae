/**
 * How long the event loop of a server is blocked while it generates RSA keys and certificates for several concurrent
 * callers: keys and RSA signatures are made in the thread pool.
 */
import { rm } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { noteOf, stillness } from './measure/event-loop.ts';
import { median } from './measure/sample.ts';
import { Run } from './subject/stage.ts';

const HELP = `pnpm rsa-keys [options]
  --certificates N   that are issued in a round (40)
  --callers N        that ask at once (8)
  --rounds N         of each kind of key (3)`;
const MONITOR = new URL('./measure/event-loop.ts', import.meta.url).href;
const AUTHORITIES = ['EC_prime256v1', 'RSA_4096'];
const KEYS = ['EC_prime256v1', 'RSA_2048'];

const { values } = parseArgs({
  options: {
    certificates: { type: 'string', default: '40' },
    callers: { type: 'string', default: '8' },
    rounds: { type: 'string', default: '3' },
    help: { type: 'boolean', default: false },
  },
});

const run = new Run();
run.endOnSignals();
try {
  if (values.help) console.log(HELP);
  else await measure();
} finally {
  await run.close();
}

async function measure(): Promise<void> {
  const { server, world } = await run.stage('rsa-keys', { nodeFlags: ['--import', MONITOR] });
  const { admin, projectId } = world;
  console.log('ms, the longest block of the event loop, and the whole round (medians of rounds)\n');
  for (const keyAlgorithm of AUTHORITIES) {
    const { id: caId } = await admin<{ id: string }>('POST', '/api/v1/cert-manager/ca/internal', {
      projectId,
      name: `bench-${keyAlgorithm.toLowerCase().replace('_', '-')}`,
      configuration: { type: 'root', commonName: 'Bench', keyAlgorithm },
    });
    for (const key of KEYS) {
      const names = { commonName: 'a.example.com', altNames: 'a.example.com', ttl: '30d' };
      const issue = () =>
        admin('POST', '/api/v1/pki/certificates/issue-certificate', { caId, keyAlgorithm: key, ...names });
      // The first one creates the temporary key.
      await issue();
      const still: number[] = [];
      const took: number[] = [];
      for (let round = 0; round < Number(values.rounds); round++) {
        const started = performance.now();
        still.push(await stillness(server.pid, () => together(issue)));
        took.push(performance.now() - started);
      }
      console.log(
        `${median(still).toFixed(1).padEnd(7)}${median(took).toFixed(0).padEnd(8)}${key} by an authority of ${keyAlgorithm}`,
      );
    }
  }
  await rm(noteOf(server.pid), { force: true });
}

/** The calls of one round, by several callers, in sequence for each. */
async function together(call: () => Promise<unknown>): Promise<void> {
  let left = Number(values.certificates);
  const caller = async () => {
    while (left-- > 0) await call();
  };
  await Promise.all(Array.from({ length: Number(values.callers) }, caller));
}
