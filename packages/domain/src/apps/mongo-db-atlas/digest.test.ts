import { describe, expect, it } from 'vitest';
import { digestFor } from './digest.ts';

// The example of RFC 7616, section 3.9.1.
const user = { username: 'Mufasa', password: 'Circle of Life' };
const request = { method: 'GET', uri: '/dir/index.html' };
const cnonce = 'f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ';
const challenge = (algorithm: string) =>
  `Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=${algorithm}, ` +
  'nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"';

describe('digestFor', () => {
  it.each([
    ['MD5', '8ca523f5e9506fed4657c9700eebdbec'],
    ['SHA-256', '753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1'],
  ])('answers as RFC 7616 has it: %s', (algorithm, response) => {
    const header = digestFor(challenge(algorithm), user, request, cnonce);
    expect(header).toContain(`response="${response}"`);
    expect(header).toContain('opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"');
  });

  it.each([
    '',
    'Basic realm="x"',
    'Digest realm="x"',
    'Digest realm="x", nonce="y", qop="auth-int"',
    'Digest realm="x", nonce="y", qop="auth", algorithm=MD5-sess',
  ])('has no answer to %j', (given) => {
    expect(digestFor(given, user, request)).toBeUndefined();
  });
});
