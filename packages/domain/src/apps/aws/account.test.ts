import { expect, it } from 'vitest';
import { accountOf } from './account.ts';

it.each([
  // https://awsteele.com/blog/2020/09/26/aws-access-key-format.html
  ['ASIAY34FZKBOKMUTVV7A', '609629065308'],
  ['AKIAY34FZKBOAAAAAAAA', '609629065308'],
  ['AKIAQAAAAAAAGMKEM7X5', '000000000000'],
])('the account of the access key %s is %s', (key, account) => {
  expect(accountOf(key)).toBe(account);
});

it.each(['AKIAIOSFODNN7EXAMPL', 'AROAY34FZKBOKMUTVV7A', 'AKIA018934FZKBOKMUTV', 'x', ''])(
  'an access key of another form, %j, stands for itself',
  (key) => {
    expect(accountOf(key)).toBe(key);
  },
);
