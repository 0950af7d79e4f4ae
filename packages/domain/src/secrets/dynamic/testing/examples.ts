import { examplesOf } from '../../../family/testing/examples.ts';
import { providers } from '../registry.ts';
import type { ProviderExample } from './example.ts';

export const examples = await examplesOf<ProviderExample>(new URL('../providers/', import.meta.url), providers.names);
