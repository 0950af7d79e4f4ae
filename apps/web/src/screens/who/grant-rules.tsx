import type { Outputs } from '@coffer/client';
import { ruleText } from '../../ui/rule.ts';
import { texts } from './texts.ts';

type Grant = Pick<Outputs['access']['me']['access']['grants'][number], 'rules'>;

/** The rules of one grant, as far as the caller may read them. */
export const GrantRules = ({ of: { rules } }: { readonly of: Grant }) =>
  rules ? (
    <details>
      <summary>{texts.numberRules(rules.length)}</summary>
      {rules.map((rule, index) => (
        <div key={`${index} ${rule.subject}`}>{ruleText(rule)}</div>
      ))}
    </details>
  ) : (
    texts.youMayNotRead
  );
