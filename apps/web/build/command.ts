// `pnpm --filter @coffer/web build`.
import { webConsole } from './console.ts';

for (const language of webConsole.languages) await webConsole.directory(language);
