import { TemplateError } from '../error.ts';
import { plain } from '../format.ts';
import { any, fn, size, variadic, type Functions, type Parameter } from '../functions.ts';
import type { Value } from '../value.ts';

/** A number from anything that looks like one, else 0. */
const real: Parameter<number> = (value: Value) => {
  if (typeof value === 'number') return value;
  if (typeof value === 'boolean') return value ? 1 : 0;
  const read = typeof value === 'string' && value.trim() ? Number(value) : 0;
  return Number.isFinite(read) ? read : 0;
};
const whole: Parameter<number> = (value) => Math.trunc(real(value));

function divisor(value: number): number {
  if (value === 0) throw new TemplateError('division by zero');
  return value;
}

/** @throws TemplateError for more entries than a template can mean. */
function steps(start: number, stop: number, step: number): number[] {
  if (step === 0) return [];
  const count = Math.max(Math.ceil((stop - start) / step), 0);
  if (count > 1_000_000) throw new TemplateError('more than a million entries');
  return Array.from({ length: count }, (_, index) => start + index * step);
}

/** @see https://masterminds.github.io/sprig/math.html */
export const numbers: Functions = {
  add: variadic([], whole, (_none, all) => all.reduce((sum, one) => sum + one, 0)),
  add1: fn([whole], (one) => one + 1),
  sub: fn([whole, whole], (a, b) => a - b),
  mul: variadic([whole], whole, ([first], rest) => rest.reduce((product, one) => product * one, first)),
  div: fn([whole, whole], (a, b) => Math.trunc(a / divisor(b))),
  mod: fn([whole, whole], (a, b) => a % divisor(b)),
  max: variadic([whole], whole, ([first], rest) => Math.max(first, ...rest)),
  min: variadic([whole], whole, ([first], rest) => Math.min(first, ...rest)),
  biggest: variadic([whole], whole, ([first], rest) => Math.max(first, ...rest)),
  addf: variadic([], real, (_none, all) => all.reduce((sum, one) => sum + one, 0)),
  subf: variadic([real], real, ([first], rest) => rest.reduce((left, one) => left - one, first)),
  mulf: variadic([real], real, ([first], rest) => rest.reduce((product, one) => product * one, first)),
  divf: variadic([real], real, ([first], rest) => rest.reduce((left, one) => left / divisor(one), first)),
  maxf: variadic([real], real, ([first], rest) => Math.max(first, ...rest)),
  minf: variadic([real], real, ([first], rest) => Math.min(first, ...rest)),
  floor: fn([real], Math.floor),
  ceil: fn([real], Math.ceil),
  round: fn([real, size], (value, places) => Number(`${Math.round(Number(`${value}e${places}`))}e-${places}`)),
  int: fn([whole], (value) => value),
  int64: fn([whole], (value) => value),
  float64: fn([real], (value) => value),
  atoi: fn([whole], (value) => value),
  toDecimal: fn([any], (value) => Number.parseInt(plain(value), 8) || 0),
  until: fn([whole], (count) => steps(0, count, count < 0 ? -1 : 1)),
  untilStep: fn([whole, whole, whole], (start, stop, step) => steps(start, stop, step)),
};
