import { EXTENDED_KEY_USAGES, type ExtendedKeyUsage, KEY_USAGES } from '@coffer/x509/content';
import { z } from 'zod';

const extendedKeyUsages = Object.keys(EXTENDED_KEY_USAGES) as ExtendedKeyUsage[];

/** Usages as callers name them. */
export const KeyUsages = z.array(z.enum(KEY_USAGES)).max(KEY_USAGES.length);
export const ExtendedKeyUsages = z.array(z.enum(extendedKeyUsages)).max(extendedKeyUsages.length);
