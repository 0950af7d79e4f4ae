import { kmsLines } from './kms.ts';
import { otherLines } from './others.ts';
import { secretLines } from './secrets.ts';
import type { Line } from './line.ts';

export { isMissing, seed, seedCoffer, type Line, type Work } from './line.ts';

export const lines: readonly Line[] = [...secretLines, ...otherLines, ...kmsLines];
