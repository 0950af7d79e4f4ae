import type { IncomingMessage } from 'node:http';
import aws4 from 'aws4';
import { describe, expect, it } from 'vitest';
import { iamOf, stsIn } from './service.ts';
import { sign } from './sign.ts';
import { whoSigned } from './testing/signature-v4.ts';

const keys = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' };
const now = new Date('2015-08-30T12:36:00Z');
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded; charset=utf-8' };

/** A request, as a server has received it. */
const received = (headers: Record<string, string>) =>
  ({
    method: 'POST',
    url: '/',
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
  }) as unknown as IncomingMessage;

const expected = (service: string, region = 'us-east-1') => ({
  service,
  region,
  now: now.getTime(),
  find: (id: string) => (id === keys.accessKeyId ? keys : undefined),
});

describe('a signature', () => {
  it('is the published one, of the library and of the verifier here', () => {
    // AWS's documentation of Signature Version 4: ListUsers.
    const list = aws4.sign(
      {
        host: 'iam.amazonaws.com',
        path: '/?Action=ListUsers&Version=2010-05-08',
        headers: {
          'Content-Type': 'application/x-www-form-urlencoded; charset=utf-8',
          'X-Amz-Date': '20150830T123600Z',
        },
      },
      { ...keys },
    );
    expect(list.headers!['Authorization']).toContain(
      'Signature=5d672d79c15b13162d9279b0855cfba6789a8edb4c82c400e06b5924a6f2b5d7',
    );
    // AWS's test suite: post-x-www-form-urlencoded.
    const authorization =
      'AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders=content-type;host;x-amz-date, Signature=ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a';
    const headers = {
      authorization,
      host: 'example.amazonaws.com',
      'content-type': 'application/x-www-form-urlencoded',
      'x-amz-date': '20150830T123600Z',
    };
    expect(whoSigned(received(headers), 'Param1=value1', expected('service'))).toBe(keys);
    expect(whoSigned(received(headers), 'Param1=value2', expected('service'))).toBeUndefined();
  });

  it.each([
    ['eu-central-1', 'iam.amazonaws.com', 'us-east-1', 'sts.eu-central-1.amazonaws.com'],
    ['us-gov-east-1', 'iam.us-gov.amazonaws.com', 'us-gov-west-1', 'sts.us-gov-east-1.amazonaws.com'],
    ['cn-northwest-1', 'iam.cn-north-1.amazonaws.com.cn', 'cn-north-1', 'sts.cn-northwest-1.amazonaws.com.cn'],
  ])('is for the service of the partition of %s', (region, iamHost, iamRegion, stsHost) => {
    const [iam, sts] = [iamOf(region), stsIn(region)];
    expect([iam.host, sts.host]).toEqual([iamHost, stsHost]);
    const body = 'Action=CreateUser&UserName=a%2Bb';
    const headers = { ...sign(iam, keys, { headers: FORM, body }, now), host: iamHost };
    expect(whoSigned(received(headers), body, expected('iam', iamRegion))).toBe(keys);
    expect(whoSigned(received(headers), body, expected('sts', iamRegion))).toBeUndefined();
    const ofSts = { ...sign(sts, keys, { headers: FORM, body }, now), host: stsHost };
    expect(whoSigned(received(ofSts), body, expected('sts', region))).toBe(keys);
  });

  it('of S3 is the published one, of the verifier here', () => {
    // AWS's examples of signatures for S3, "GET Object": docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html.
    const published = {
      accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
      secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
    };
    const scope = 'AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request';
    const get = received({
      authorization: `AWS4-HMAC-SHA256 Credential=${scope},SignedHeaders=host;range;x-amz-content-sha256;x-amz-date,Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41`,
      host: 'examplebucket.s3.amazonaws.com',
      range: 'bytes=0-9',
      'x-amz-content-sha256': 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
      'x-amz-date': '20130524T000000Z',
    });
    const request = Object.assign(get, { method: 'GET', url: '/test.txt' });
    const at = { service: 's3', region: 'us-east-1', now: Date.parse('2013-05-24T00:00:00Z'), find: () => published };
    expect(whoSigned(request, '', at)).toBe(published);
    expect(whoSigned(request, 'x', at)).toBeUndefined();
    expect(whoSigned(Object.assign(get, { url: '/other.txt' }), '', at)).toBeUndefined();
  });

  it('is of temporary keys with their token', () => {
    const sts = stsIn('eu-central-1');
    const temporary = { ...keys, sessionToken: 'x/y+z==' };
    const headers = { ...sign(sts, temporary, { headers: FORM, body: 'a=b' }, now), host: sts.host };
    const find = () => temporary;
    expect(whoSigned(received(headers), 'a=b', { ...expected('sts', 'eu-central-1'), find })).toBe(temporary);
  });
});
