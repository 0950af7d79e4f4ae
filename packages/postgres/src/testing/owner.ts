// A separate process that owns a database directory, for tests that kill it: node owner.ts <directory>
import { startEmbeddedPostgres } from '../index.ts';

const [directory = ''] = process.argv.slice(2);
const postgres = await startEmbeddedPostgres({ directory });
process.stdout.write(`${JSON.stringify({ url: postgres.url, pid: postgres.pid })}\n`);
setInterval(() => undefined, 60_000);
