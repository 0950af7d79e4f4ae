import { globSync } from 'node:fs';
import { examplesOf } from '../../../family/testing/examples.ts';
import type { AppExample } from './example.ts';

const apps = new URL('../../apps/', import.meta.url);
const names = globSync('*/examples.ts', { cwd: apps }).map((file) => file.replace('/examples.ts', ''));

/** Of the apps that bring a stand-in. */
export const appExamples = await examplesOf<AppExample>(apps, names.toSorted());
