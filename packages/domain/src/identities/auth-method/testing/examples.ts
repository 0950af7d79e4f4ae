import { examplesOf } from '../../../family/testing/examples.ts';
import { authMethods } from '../registry.ts';
import type { LoginMethodExample } from './example.ts';

export const examples = await examplesOf<LoginMethodExample>(
  new URL('../methods/', import.meta.url),
  authMethods.names,
);
