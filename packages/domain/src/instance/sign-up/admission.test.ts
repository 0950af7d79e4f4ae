import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DomainError } from '../../kernel/index.ts';
import { testCoffer, type TestCoffer } from '../../testing/index.ts';
import { requireAdmission } from './admission.ts';

let test: TestCoffer;
beforeAll(async () => {
  test = await testCoffer();
});
afterAll(() => test.close());

const CASES: readonly [isOpen: boolean, domains: string | null, email: string, answer: string][] = [
  [false, null, 'ann@ravens.example', 'sign_up.closed'],
  [false, 'ravens.example', 'ann@ravens.example', 'sign_up.closed'],
  [true, null, 'ann@ravens.example', 'anybody'],
  [true, '', 'ann@ravens.example', 'anybody'],
  [true, ' , ', 'ann@ravens.example', 'anybody'],
  [true, 'ravens.example', 'ann@ravens.example', 'by domain'],
  [true, 'owls.example, RAVENS.example', 'ann@ravens.example', 'by domain'],
  [true, 'ravens.example', 'ann@north.ravens.example', 'sign_up.domain'],
  [true, 'ravens.example', 'ann@ravens.example.owls.example', 'sign_up.domain'],
  [true, 'ravens.example', '"ann@ravens.example"@owls.example', 'sign_up.domain'],
  [true, 'ravens.example', 'ann@notravens.example', 'sign_up.domain'],
];

describe('sign-up without an invitation', () => {
  it.each(CASES)('open: %s, domains: %j, %s is answered: %s', async (isOpen, domains, email, answer) => {
    await test.owner.query('update instance set allow_sign_up = $1, allowed_sign_up_domain = $2', [isOpen, domains]);
    const answered = await requireAdmission(test.coffer.contextFor({ type: 'anonymous' }), email).then(
      ({ isByDomain }) => (isByDomain ? 'by domain' : 'anybody'),
      (error: DomainError) => error.code,
    );
    expect(answered).toBe(answer);
  });
});
