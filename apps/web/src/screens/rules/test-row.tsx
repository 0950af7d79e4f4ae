import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { IconButton } from '../../ui/button.tsx';
import { inputClass } from '../../ui/field.tsx';
import { OPERATORS, operatorsOf, type Operator, type Test } from './rule.ts';
import styles from './rules.module.css';
import { texts } from './texts.ts';

interface TestRowProps {
  /** `condition 1 of rule 2` */
  readonly of: string;
  readonly test: Test;
  readonly fields: readonly string[];
  readonly onChange: (test: Test) => void;
  readonly onRemove: () => void;
}

const HINTS: Readonly<Partial<Record<Operator, string>>> = {
  $in: texts.exampleValues,
  $glob: '/app/**',
  $elemMatch: '{"key": "team", "value": "shop"}',
};

/** One comparison of a condition. */
export function TestRow({ of, test, fields, onChange, onRemove }: TestRowProps) {
  const { field, operator, operand } = test;
  const operators = operatorsOf(field);
  // A list is typed with commas, which are gone where it is read.
  const [typed, setTyped] = useState(operand);
  const withField = (next: string) => {
    const known = operatorsOf(next);
    onChange({ field: next, operator: known.includes(operator) ? operator : known[0]!, operand });
  };
  return (
    <div className={styles['test']}>
      <select
        className={inputClass()}
        aria-label={texts.fieldOf(of)}
        value={field}
        onChange={(event) => withField(event.target.value)}
      >
        {!fields.includes(field) && <option value={field}>{field}</option>}
        {fields.map((one) => (
          <option key={one} value={one}>
            {one}
          </option>
        ))}
      </select>
      <select
        className={inputClass()}
        aria-label={texts.comparisonOf(of)}
        value={operator}
        onChange={(event) => onChange({ ...test, operator: event.target.value as Operator })}
      >
        {!operators.includes(operator) && <option value={operator}>{operator}</option>}
        {operators.map((one) => (
          <option key={one} value={one}>
            {OPERATORS[one]}
          </option>
        ))}
      </select>
      <input
        className={inputClass(true)}
        aria-label={texts.valueOf(of)}
        placeholder={HINTS[operator]}
        autoComplete="off"
        spellCheck={false}
        value={sameOperand(typed, operand, operator) ? typed : operand}
        onChange={(event) => {
          setTyped(event.target.value);
          onChange({ ...test, operand: event.target.value });
        }}
      />
      <IconButton label={texts.removeOf(of)} onClick={onRemove}>
        <Trash2 size={16} />
      </IconButton>
    </div>
  );
}

/** Whether two texts mean the same, so that what was typed may stand as it is. */
const sameOperand = (a: string, b: string, operator: Operator): boolean =>
  a === b ||
  operator === '$elemMatch' ||
  (operator === '$in' && a.replaceAll(/[\s,]+/g, ',').replace(/,$/, '') === b.replaceAll(/[\s,]+/g, ','));
