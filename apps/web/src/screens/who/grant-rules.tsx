import type { Outputs } from '@coffer/client';
import { ruleText } from '../../ui/rule.ts';

type Grant = Pick<Outputs['access']['me']['access']['grants'][number], 'rules'>;

/** The rules of one grant, as far as the caller may read them. */
export const GrantRules = ({ of: { rules } }: { readonly of: Grant }) =>
  rules ? (
    <details>
      <summary>{rules.length === 1 ? 'One rule' : `${rules.length} rules`}</summary>
      {rules.map((rule, index) => (
        <div key={`${index} ${rule.subject}`}>{ruleText(rule)}</div>
      ))}
    </details>
  ) : (
    'You may not read roles'
  );
