import { describe, expect, it } from 'vitest';
import { openReference, writtenReference } from './reference-text.ts';

describe('a reference that is being typed', () => {
  it.each([
    ['${DB', { start: 0, typed: 'DB', search: 'DB' }],
    ['a ${X} ${dev.app.DB', { start: 7, typed: 'dev.app.DB', search: 'DB' }],
  ])('is found in %s', (text, expected) => {
    expect(openReference(text, text.length)).toEqual(expected);
  });

  it.each(['', 'DB', '${', '${dev.', '${DB}', '${DB x', '$ {DB', '${D\nB'])('is none in %j', (text) => {
    expect(openReference(text, text.length)).toBeUndefined();
  });

  it('is the one before the caret', () => {
    expect(openReference('${AB} ${CD', 4)).toEqual({ start: 0, typed: 'AB', search: 'AB' });
    expect(openReference('${AB', 1)).toBeUndefined();
  });
});

describe('a written reference', () => {
  const origin = { environment: 'dev', secretPath: '/app' };
  it('names a secret of the same folder alone, and others with their place', () => {
    expect(writtenReference({ ...origin, secretKey: 'KEY' }, origin)).toBe('KEY');
    expect(writtenReference({ environment: 'dev', secretPath: '/', secretKey: 'KEY' }, origin)).toBe('dev.KEY');
    expect(writtenReference({ environment: 'prod', secretPath: '/a/b', secretKey: 'K' }, origin)).toBe('prod.a.b.K');
  });

  it('cannot lead to a name with other characters', () => {
    expect(writtenReference({ ...origin, secretKey: 'a.b' }, origin)).toBeUndefined();
  });
});
