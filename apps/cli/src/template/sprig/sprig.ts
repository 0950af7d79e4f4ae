import type { Functions } from '../functions.ts';
import { data } from './data.ts';
import { dates } from './dates.ts';
import { dicts } from './dicts.ts';
import { lists } from './lists.ts';
import { numbers } from './numbers.ts';
import { patterns } from './patterns.ts';
import { strings } from './strings.ts';

/**
 * Functions of sprig that templates of secrets use. Left out are `env` and `expandenv`, as published, those that look up hosts, and those
 * that make keys, certificates and random texts: they would be others at each rendering, and Coffer issues them.
 */
export const sprig: Functions = { ...strings, ...numbers, ...lists, ...dicts, ...data, ...dates, ...patterns };
