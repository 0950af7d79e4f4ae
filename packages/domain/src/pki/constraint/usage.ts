import { z } from 'zod';
import { EXTENDED_KEY_USAGES, KEY_USAGES, type ExtendedKeyUsage } from '../x509.ts';

const extendedKeyUsages = Object.keys(EXTENDED_KEY_USAGES) as ExtendedKeyUsage[];

/** Usages as callers name them. */
export const KeyUsages = z.array(z.enum(KEY_USAGES)).max(KEY_USAGES.length);
export const ExtendedKeyUsages = z.array(z.enum(extendedKeyUsages)).max(extendedKeyUsages.length);
