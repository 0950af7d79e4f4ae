import type { LoginMethodExample } from '../../testing/example.ts';

export const example: LoginMethodExample = { least: {}, full: {} };
