import { appRouter, openApiDocument, operationsOf } from '@coffer/api';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { datedValues, type Dated } from './harness/dated-inputs.ts';
import { Sample } from './harness/matrix-sample.ts';
import { testServer, type TestServer } from './harness/test-server.ts';

interface Place {
  readonly sample: Sample;
  /** The input field with the time, at any depth. */
  readonly top: string;
  readonly dated: Dated;
}

let test: TestServer;
let places: Place[];
const fieldsThatSayTime: string[] = [];
beforeAll(async () => {
  test = await testServer();
  const document = await openApiDocument(appRouter, { version: '0', serverUrl: 'http://localhost' });
  places = operationsOf(appRouter)
    .filter(({ alias }) => alias === 0)
    .flatMap((operation) => {
      const sample = new Sample(operation, document);
      return sample.fields.flatMap((top) => {
        const found = datedValues(sample.schemaOf(top), document, top);
        if (found.length === 0 && /(?:Date|Time|[a-z]At|not(?:Before|After)(?:From|To)?)$/.test(top))
          fieldsThatSayTime.push(`${operation.method} ${operation.url} ${top}`);
        return found.map((dated) => ({ sample, top, dated }));
      });
    });
});
afterAll(() => test.close());

const ID = '00000000-0000-4000-8000-000000000000';

/** The error of an operation for a time in one of its fields; none if it accepts it. */
async function faultOf({ sample, top, dated }: Place, time: string): Promise<string | undefined> {
  const { url, body } = sample.request({ ...sample.input(() => ID), [top]: dated.valueWith(time) });
  const answer = await test.admin(sample.operation.method, url, body);
  if (answer.status >= 500) return `${answer.status} ${answer.body.message}`;
  if (answer.status !== 422) return undefined;
  const leaf = dated.field.split('.').at(-1);
  // Faults in other fields of the example are ignored.
  const about = (answer.body.message as { path: string[]; message: string }[]).filter(
    ({ path, message }) => path[0] === top && (path.at(-1) === leaf || /^(?:Expected|Invalid)/.test(message)),
  );
  return about.map(({ path, message }) => `${path.join('.')}: ${message}`).join() || undefined;
}

async function faults(times: readonly string[]): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  for (const place of places) {
    const { method, url } = place.sample.operation;
    for (const time of times) {
      const fault = await faultOf(place, time);
      if (fault !== undefined) found[`${method} ${url} ${place.dated.field} ${time}`] = fault;
    }
  }
  return found;
}

it('every operation accepts times by RFC 3339, as the published clients send them', async () => {
  expect(places.length).toBeGreaterThan(20);
  expect(
    await faults([
      '2030-01-31T12:00:00Z',
      '2030-01-31T12:00:00.123456+00:00',
      '2030-01-31T12:00:00+00:00',
      '2030-01-31T12:00:00.123456789012-05:30',
      '2030-01-31t12:00:00z',
    ]),
  ).toEqual({});
});

it('every operation refuses invalid times and times out of range, with a clear message', async () => {
  const refused = await faults([
    'yesterday',
    '0000-01-01T00:00:00Z',
    '9999-12-31T23:59:59-23:59',
    '2030-02-30T00:00:00Z',
  ]);
  expect(Object.keys(refused)).toHaveLength(4 * places.length);
  expect(Object.values(refused).filter((fault) => !String(fault).includes('Expected a time'))).toEqual([]);
});

it('every request field that is called a time accepts one', () => {
  expect(fieldsThatSayTime).toEqual([]);
});
