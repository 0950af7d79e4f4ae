import { describe, expect, it } from 'vitest';
import { preferredLanguage } from './language.ts';

describe('the language of a page', () => {
  it.each([
    [undefined, 'en'],
    ['', 'en'],
    ['de', 'de'],
    ['de-AT', 'de'],
    ['fr, de;q=0.5', 'de'],
    ['de;q=0.5, en', 'en'],
    ['fr;q=0.9, DE;q=0.8, en;q=0.7', 'de'],
    ['de;q=0', 'en'],
    ['*', 'en'],
    ['en-XA, de', 'en-XA'],
    ['en-GB, de', 'en'],
    ['deu', 'en'],
    [';;,q=,de;q=x', 'en'],
  ])('for Accept-Language %j is %s', (accepted, language) => {
    expect(preferredLanguage(accepted, ['en', 'de', 'en-XA'])).toBe(language);
  });
});
