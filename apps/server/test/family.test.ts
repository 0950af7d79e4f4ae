import { globSync, readFileSync } from 'node:fs';
import { authMethods, providers } from '@coffer/domain';
import { loginMethodExamples, providerExamples } from '@coffer/domain/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { describeDynamicProvider, describeTarget } from './harness/dynamic-secret.ts';
import { describeLoginMethod } from './harness/login-method.ts';
import { besideStandIns } from './harness/stand-in-server.ts';
import type { TestServer } from './harness/test-server.ts';

// Every member of a family over HTTP: here with its `examples.ts`, or in its own test. Destinations are in
// `connections/integration/fault.test.ts`.

let test: TestServer;
const standIns = besideStandIns((made) => void (test = made));

const ownTests = globSync('**/*.test.ts', { cwd: import.meta.dirname })
  .filter((file) => file !== 'family.test.ts')
  .map((file) => readFileSync(`${import.meta.dirname}/${file}`, 'utf8'));
const isTested = (declared: string, suite: string) =>
  ownTests.some((text) => text.includes(declared) && text.includes(`${suite}(`));

const byIdentity = authMethods.members.filter((method) => 'verify' in method);
const methods = byIdentity.map((method) => ({ ...method, standIn: loginMethodExamples[method.kind]!.standIn?.() }));

it.each(methods.filter(({ standIn }) => !standIn))('$title has a test of its own', ({ kind }) => {
  expect(isTested(`kind: '${kind}'`, 'describeLoginMethod')).toBe(true);
});

for (const { kind, title, answerKey, standIn } of methods) {
  if (!standIn) continue;
  describe(`${title} over HTTP`, () => {
    beforeAll(() => standIns.serve(standIn.host, standIn.listener));
    describeLoginMethod(() => test, { kind, key: answerKey, ...standIn });
  });
}

const targets = providers.members.map((provider) => ({ provider, ...providerExamples[provider.type]! }));

it.each(targets.filter(({ standIn }) => !standIn))('$provider.title has a test of its own', ({ provider, least }) => {
  const isCalled = provider.target(provider.inputs.parse(least) as never) !== undefined;
  const suites = ['describeDynamicProvider', ...(isCalled ? ['describeTarget'] : [])];
  expect(suites.filter((suite) => !isTested(`type: '${provider.type}'`, suite))).toEqual([]);
});

for (const { provider, standIn } of targets) {
  if (!standIn) continue;
  const { host, listener, ...given } = standIn();
  const outage = { begin: () => standIns.stop(host), end: () => standIns.serve(host, listener) };
  const target = { ...given, type: provider.type, sealed: [...provider.sealedFields.keys()], outage };
  describe(`${provider.title} over HTTP`, () => {
    beforeAll(() => standIns.serve(host, listener));
    describeDynamicProvider(() => test, target);
    describeTarget(() => test, target);
  });
}
