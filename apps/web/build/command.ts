// `pnpm --filter @coffer/web build`.
import { consoleDirectory } from './console.ts';

await consoleDirectory();
