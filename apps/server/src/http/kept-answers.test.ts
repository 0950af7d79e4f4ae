import { expect, it } from 'vitest';
import { KeptAnswers } from './kept-answers.ts';

const answer = (bytes: number) => ({ body: Buffer.alloc(bytes, 'x'), events: [] });
const MEBIBYTE = 1024 * 1024;

it('a response is wanted the second time that it is made', () => {
  const answers = new KeptAnswers(Date.now);
  expect([answers.wants('"a"'), answers.wants('"b"'), answers.wants('"a"')]).toEqual([false, false, true]);
});

it('a kept response is returned as it was, for a minute', () => {
  let now = 0;
  const answers = new KeptAnswers(() => now);
  answers.keep('"a"', { body: Buffer.from('the value'), events: [] });
  now = 59_999;
  expect(answers.find('"a"')!.body.toString()).toBe('the value');
  now = 60_000;
  expect([answers.has('"a"'), answers.find('"a"')]).toEqual([false, undefined]);
  answers.close();
});

it('kept responses have a maximum size together; the least recently used one makes room', () => {
  const answers = new KeptAnswers(Date.now);
  for (let n = 0; n < 32; n++) answers.keep(`"${n}"`, answer(MEBIBYTE));
  expect(answers.find('"0"')!.body.length).toBe(MEBIBYTE);
  answers.keep('"more"', answer(MEBIBYTE));
  answers.keep('"too large"', answer(MEBIBYTE + 1));
  expect(['"0"', '"1"', '"2"', '"more"', '"too large"'].map((tag) => answers.has(tag))).toEqual([
    ...[true, false, true, true, false],
  ]);
  answers.close();
});

it('the events of kept responses count, however short these are', () => {
  const answers = new KeptAnswers(Date.now);
  const data = { names: 'x'.repeat(MEBIBYTE / 2) };
  const events = [{ type: 'secret.read', published: 'get-secret', data }];
  for (let n = 0; n < 64; n++) answers.keep(`"${n}"`, { ...answer(1), events });
  answers.keep('"too large"', { ...answer(1), events: [...events, ...events] });
  expect(['"0"', '"1"', '"63"', '"too large"'].map((tag) => answers.has(tag))).toEqual([false, true, true, false]);
  answers.close();
});
